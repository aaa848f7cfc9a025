// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - onproc run: starts a program with libonproc's locks in the place of the C library's.
 *
 * The program takes this process's place, so that its signals, its exit status and its terminal are
 * its own. What a shell says by 126 and 127 is said so here.
 */
#include "cmd/run_program.h"
#include "cmd/sensor_module.h"
#include "cmd/verbs.h"

#include "onproc/sensor.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY	  "libonproc-preload.so"
#define BUILT_DIR "lib/preload" /* relative to the build directory, where onproc itself lies */

struct run_options {
	const char *sensor;
	bool stats, json;
	const char *output;
};

static const char *const sensors[] = { "sched", "heartbeat", "rseq-slice", "none", NULL };

#define AT(member) .offset = offsetof(struct run_options, member)

static const struct option options[] = {
	{ "sensor", 0, OPTION_CHOICE, "KIND", "how the locks learn who is on a CPU",
	  "the best that works", .choices = sensors, AT(sensor) },
	{ "stats", 0, OPTION_FLAG, NULL,
	  "when a process ends, print what its locks did, one by one, on standard error",
	  AT(stats) },
	{ "json", 0, OPTION_FLAG, NULL, "the same as JSON, a line for each process", AT(json) },
	{ "output", 0, OPTION_STRING, "FILE",
	  "append it to a file; %p in the name is the number of the process", .complete = "file",
	  AT(output) },
	{ NULL },
};

/* Beside a program run from its build directory, else where it was installed. */
static int find_library(char *path, size_t bytes, struct error *err)
{
	static const char *const places[] = { "/" BUILT_DIR "/" LIBRARY,
					      "/" PRELOAD_FROM_BIN "/" LIBRARY };
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (length > 0) {
		self[length] = 0;
		slash = strrchr(self, '/');
		*slash = 0;
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			int used = snprintf(path, bytes, "%s%s", self, places[i]);

			if (used > 0 && (size_t)used < bytes && !access(path, R_OK))
				return 0;
		}
	}
	if (snprintf(path, bytes, "%s/" LIBRARY, PRELOAD_DIR) < (int)bytes && !access(path, R_OK))
		return 0;
	return error_set(err, -ENOENT,
			 LIBRARY
			 ": neither in the build directory nor beside the program nor in %s",
			 PRELOAD_DIR);
}

/* After what the user has there: tools that watch the locks go on to see them. */
static int set_preload(const char *library, struct error *err)
{
	const char *before = getenv("LD_PRELOAD");
	char *joined;
	int rc;

	if (strpbrk(library, " :"))
		return error_set(err, -EINVAL,
				 "%s: the dynamic linker takes no path with a blank or a colon",
				 library);
	if (before && strstr(before, library))
		return 0;
	if (asprintf(&joined, "%s%s%s", before ? before : "", before && *before ? ":" : "",
		     library) < 0)
		return error_errno(err, -ENOMEM, "LD_PRELOAD");
	rc = setenv("LD_PRELOAD", joined, 1) ? error_errno(err, -errno, "LD_PRELOAD") : 0;
	free(joined);
	return rc;
}

static int set_variable(const char *name, const char *value, struct error *err)
{
	return value && setenv(name, value, 1) ? error_errno(err, -errno, "%s", name) : 0;
}

/* Its processes may change their directory. */
static int set_output(const char *output, struct error *err)
{
	char directory[PATH_MAX], *path;
	int rc;

	if (!output || output[0] == '/')
		return set_variable("ONPROC_STATS_FILE", output, err);
	if (!getcwd(directory, sizeof(directory)))
		return error_errno(err, -errno, "the current directory");
	if (asprintf(&path, "%s/%s", directory, output) < 0)
		return error_errno(err, -ENOMEM, "%s", output);
	rc = set_variable("ONPROC_STATS_FILE", path, err);
	free(path);
	return rc;
}

/* Asked here, where the reason can be said. */
static int check_sensor(const char *kind, struct error *err)
{
	char reason[256];

	if (!kind || !onproc_sensor_probe(kind, reason, sizeof(reason)))
		return 0;
	return error_set(err, -ENOTSUP, "the sensor %s: %s", kind, reason);
}

static int set_environment(const struct run_options *typed, const char *library, struct error *err)
{
	const char *form = typed->json ? "json" : typed->stats || typed->output ? "text" : NULL;
	int rc = set_preload(library, err);

	if (!rc)
		rc = set_variable("ONPROC_SENSOR", typed->sensor, err);
	if (!rc)
		rc = set_variable("ONPROC_STATS", form, err);
	return rc ? rc : set_output(typed->output, err);
}

/* 0 never: the program has taken over. */
static int become(const char *path, const struct verb_call *call, struct error *err)
{
	char **arguments = calloc((size_t)call->operands + 1, sizeof(*arguments));

	if (!arguments)
		return error_errno(err, -ENOMEM, "%s", path);
	memcpy(arguments, call->operand, (size_t)call->operands * sizeof(*arguments));
	execv(path, arguments);
	error_errno(err, -errno, "%s", path);
	free(arguments);
	return err->code;
}

static enum exit_code run(const struct verb_call *call)
{
	char path[PATH_MAX], library[PATH_MAX];
	struct error err = { 0 };
	int rc = run_program_find(call->operand[0], path, sizeof(path), &err);

	if (rc) {
		verb_failed("run", &err);
		return rc == -EACCES ? EXIT_NOT_EXECUTABLE : EXIT_NOT_FOUND;
	}
	rc = run_program_check(path, &err);
	sensor_prefer_built_module();
	if (!rc)
		rc = check_sensor(((const struct run_options *)call->values)->sensor, &err);
	if (!rc)
		rc = find_library(library, sizeof(library), &err);
	if (!rc)
		rc = set_environment(call->values, library, &err);
	if (rc)
		return verb_failed("run", &err);
	rc = become(path, call, &err);
	verb_failed("run", &err);
	return rc == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

const struct verb verb_run = {
	.name = "run",
	.operands = "[--] CMD...",
	.summary = "run a program with locks that know who is on a CPU",
	.description =
		"Starts a program in whose processes the mutexes, read-write locks, spin locks and "
		"condition variables of pthread are those of libonproc, in place, without "
		"recompiling it. Locks that are robust, inherit priority, have a priority ceiling "
		"or are shared between processes stay those of the C library.\n\n"
		"The program takes onproc's place: signals and the exit status are its own. 127: "
		"there is no such program; 126: it cannot be run; 128: a library cannot be put "
		"before it, because it is linked statically or gains privileges, or something "
		"else failed before it started.\n\n"
		"--stats prints for each lock how often it was acquired and met held, how often it "
		"was handed over, spins that ended because the holder or the spinner in front was "
		"not on a CPU, parks, and how long threads waited. It costs an atomic addition "
		"for each acquisition. See docs/run.md.",
	.examples = "onproc run -- memcached -t 8\twith eight threads\n"
		    "onproc run --stats -- sysbench threads run\tand which locks were waited for\n"
		    "onproc run --json --output locks.%p -- ./server\ta file for each process",
	.complete = "file",
	.min_operands = 1,
	.max_operands = -1,
	.options = options,
	.values_bytes = sizeof(struct run_options),
	.becomes_another = true,
	.run = run,
};
