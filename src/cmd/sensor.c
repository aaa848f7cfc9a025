// SPDX-License-Identifier: GPL-2.0-or-later
/* sensor.c - onproc sensor: which sensor the locks get here, the daemon that serves it, its cost.
 */
#include "cmd/output.h"
#include "cmd/sensor_module.h"
#include "cmd/stolen_cpu.h"
#include "cmd/verbs.h"

#include "base/signals.h"
#include "onproc/sensor.h"
#include "report/paragraph.h"
#include "report/report.h"
#include "sensor/protocol.h"
#include "sensor/sched.h"
#include "sensor/sched_module.h"
#include "sensord/cost.h"
#include "sensord/daemon.h"
#include "sensord/privileges.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sensor_options {
	const char *socket, *mode, *group;
	uint64_t clients, rounds;
	bool json;
};

static const struct option options[] = {
	{ .name = "socket",
	  .kind = OPTION_STRING,
	  .argument = "PATH",
	  .help = "serve, status: where the daemon listens",
	  .fallback = SENSOR_SOCKET,
	  .complete = "file",
	  .offset = offsetof(struct sensor_options, socket) },
	{ .name = "mode",
	  .kind = OPTION_STRING,
	  .argument = "MODE",
	  .help = "serve: who may connect, as an octal mode of the socket",
	  .fallback = "0600",
	  .offset = offsetof(struct sensor_options, mode) },
	{ .name = "group",
	  .kind = OPTION_STRING,
	  .argument = "GROUP",
	  .help = "serve: group of the socket, for modes as 0660",
	  .offset = offsetof(struct sensor_options, group) },
	{ .name = "clients",
	  .kind = OPTION_COUNT,
	  .argument = "N",
	  .help = "serve: most processes at once, each with 68 KiB of the kernel's memory; of one "
		  "user other than root a quarter",
	  .fallback = "1024",
	  .min = 1,
	  .max = DAEMON_MOST_CLIENTS,
	  .offset = offsetof(struct sensor_options, clients) },
	{ .name = "rounds",
	  .kind = OPTION_COUNT,
	  .argument = "N",
	  .help = "cost: how often to measure",
	  .fallback = "20",
	  .min = 6,
	  .max = 1000,
	  .offset = offsetof(struct sensor_options, rounds) },
	{ .name = "json",
	  .kind = OPTION_FLAG,
	  .help = "status, cost: print a JSON document",
	  .offset = offsetof(struct sensor_options, json) },
	{ .name = NULL },
};

static const struct sensor_options defaults = {
	.socket = SENSOR_SOCKET, .mode = "0600", .clients = 1024, .rounds = 20
};

static const struct sched_module *load_module(struct error *err)
{
	struct sensor_why why = { "" };
	const struct sched_module *module = sched_module_load(&why);

	if (!module)
		error_set(err, -ENOENT, "%s", why.text);
	return module;
}

static int plan_of(const struct sensor_options *typed, struct daemon_plan *plan, struct error *err)
{
	const struct group *group = typed->group ? getgrnam(typed->group) : NULL;
	unsigned long mode;
	char *end;

	mode = strtoul(typed->mode, &end, 8);
	if (!typed->mode[0] || *end || typed->mode[0] == '-' || mode > 0777)
		return error_set(err, -EINVAL, "--mode: \"%s\": expected an octal mode, as 0660",
				 typed->mode);
	if (typed->group && !group)
		return error_set(err, -EINVAL, "--group: \"%s\": no such group", typed->group);
	*plan = (struct daemon_plan){ .socket = typed->socket,
				      .mode = (mode_t)mode,
				      .group = group ? group->gr_gid : (gid_t)-1,
				      .clients = (uint32_t)typed->clients };
	return 0;
}

static int load_program(const struct daemon_plan *plan, const struct sched_module **module,
			struct sched_program **program, struct error *err)
{
	struct sched_why why = { "" };
	int rc;

	*module = load_module(err);
	if (!*module)
		return -ENOENT;
	rc = (*module)->load(plan->clients, false, program, &why);
	return rc ? error_set(err, rc, "%s", why.text) : 0;
}

static int serve_with(int listener, const struct daemon_plan *plan, struct error *err)
{
	const struct sched_module *module = NULL;
	struct sched_program *program = NULL;
	int rc;

	rc = load_program(plan, &module, &program, err);
	if (!rc)
		rc = privileges_drop(err);
	if (!rc) {
		verb_note("sensor", "serving up to %" PRIu32 " processes at %s (mode %04o)",
			  plan->clients, plan->socket, (unsigned int)plan->mode);
		rc = daemon_serve(listener, plan, module, program, err);
	}
	if (program)
		module->unload(program);
	return rc;
}

static enum exit_code serve(const struct sensor_options *typed)
{
	struct error err = { 0 };
	struct daemon_plan plan = { 0 };
	int listener, rc;

	if (plan_of(typed, &plan, &err) || !plan.socket)
		return usage_failed("sensor", &err);
	signals_install();
	rc = daemon_make_room(&plan, &err);
	if (rc)
		return verb_failed("sensor", &err);
	listener = daemon_listen(&plan, &err);
	if (listener < 0)
		return verb_failed("sensor", &err);
	rc = serve_with(listener, &plan, &err);
	close(listener);
	/* Nobody else's: it is ours while we listen. As nobody, this fails, and is repaired by the
	 * next daemon. */
	unlink(plan.socket);
	return rc ? verb_failed("sensor", &err) : EXIT_OK;
}

struct kind_here {
	const char *name, *help;
	int rc;
	char text[256];
};

/* A kind that is for tests is nobody's choice. */
static bool is_for_tests(const char *name)
{
	return !strncmp(name, "stuck-", 6) || !strcmp(name, "random");
}

static size_t probe_kinds(struct kind_here *kinds, size_t most)
{
	size_t count = 0;

	for (unsigned int i = 0; count < most; i++) {
		struct kind_here *kind = &kinds[count];

		kind->name = onproc_sensor_kind_name(i, &kind->help);
		if (!kind->name || is_for_tests(kind->name))
			break;
		kind->rc = onproc_sensor_probe(kind->name, kind->text, sizeof(kind->text));
		count++;
	}
	return count;
}

static json_t *status_document(const struct kind_here *kinds, size_t count, const char *used,
			       const char *status)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct kind_here *kind = &kinds[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:s?}", "name", kind->name,
						      "help", kind->help, "works", !kind->rc,
						      "reason", kind->rc ? kind->text : NULL));
	}
	return json_pack("{s:s, s:i, s:s, s:s, s:{s:b, s:s}, s:o}", "schema", "onproc.sensor",
			 "schema_version", 1, "default", used, "status", status, "stolen_cpu",
			 "seen", 0, "reason", stolen_cpu_reason(), "kinds", list);
}

static void print_kinds(const struct kind_here *kinds, size_t count, const char *status)
{
	struct paragraph line = { 0 };

	paragraph_add(&line, "By default: ");
	paragraph_add_outside(&line, status);
	paragraph_print(&line, stdout, 12);
	putchar('\n');
	for (size_t i = 0; i < count; i++) {
		paragraph_add(&line, "%-12s%s", kinds[i].name,
			      kinds[i].rc ? "does not work here: " : "works");
		if (!kinds[i].rc && kinds[i].text[0])
			paragraph_add(&line, ", ");
		paragraph_add_outside(&line, kinds[i].text);
		paragraph_add(&line, " (%s)", kinds[i].help);
		paragraph_print(&line, stdout, 12);
	}
	putchar('\n');
	paragraph_add(&line,
		      "No kind sees a virtual CPU that the hypervisor has taken away; its thread "
		      "looks running: %s.",
		      stolen_cpu_reason());
	paragraph_print(&line, stdout, 12);
	paragraph_free(&line);
}

/* What a program gets that asks for the best: ONPROC_SENSOR of the caller counts. */
static enum exit_code status(const struct sensor_options *typed)
{
	struct kind_here kinds[8];
	struct error err = { 0 };
	char text[512];
	size_t count;
	int rc;

	setenv(SENSOR_SOCKET_VARIABLE, typed->socket, typed->socket != defaults.socket);
	count = probe_kinds(kinds, sizeof(kinds) / sizeof(kinds[0]));
	onproc_sensor_open(NULL);
	onproc_sensor_status(text, sizeof(text));
	if (typed->json) {
		rc = report_document(status_document(kinds, count, onproc_sensor_kind(), text),
				     stdout);
		if (rc == -ENOMEM)
			error_set(&err, rc, "no memory for the document");
	} else {
		print_kinds(kinds, count, text);
	}
	onproc_sensor_close();
	if (!err.code)
		output_finish(&err);
	return err.code ? verb_failed("sensor", &err) : EXIT_OK;
}

static json_t *estimate_document(const struct estimate *estimate)
{
	return json_pack("{s:f, s:f, s:f}", "value", estimate->value, "lo", estimate->lo, "hi",
			 estimate->hi);
}

static void print_estimate(const char *what, const struct estimate *estimate)
{
	printf("%-52s %7.0f [%.0f, %.0f]\n", what, estimate->value, estimate->lo, estimate->hi);
}

static void print_cost(const struct sensor_cost *cost)
{
	bool met = cost->watched.hi <= COST_BAR_NS, missed = cost->watched.lo > COST_BAR_NS;

	printf("ns per switch, median and 95 %% interval of %" PRIu32 " rounds of %" PRIu32
	       " switches\n",
	       cost->rounds, cost->switches);
	print_estimate("empty program, by the kernel's account", &cost->empty);
	print_estimate("sensor less empty, between watched threads", &cost->watched);
	print_estimate("sensor less empty, between other threads", &cost->others);
	print_estimate("whole switch, with sensor less without", &cost->whole);
	printf("Bar for watched threads: %.0f ns: %s\n", COST_BAR_NS,
	       met	? "met"
	       : missed ? "MISSED"
			: "undecided, the interval contains it");
}

static enum exit_code cost(const struct sensor_options *typed)
{
	const struct sched_module *module;
	struct sensor_cost found;
	struct error err = { 0 };

	signals_install();
	module = load_module(&err);
	if (!module || sensor_cost_measure(module, (uint32_t)typed->rounds, &found, &err)) {
		enum exit_code code = verb_failed("sensor", &err);

		return code == EXIT_ENVIRONMENT ? EXIT_INCONCLUSIVE : code;
	}
	if (typed->json)
		report_document(json_pack("{s:s, s:i, s:i, s:i, s:f, s:o, s:o, s:o, s:o}", "schema",
					  "onproc.sensor_cost", "schema_version", 1, "rounds",
					  (int)found.rounds, "switches", (int)found.switches,
					  "bar_ns", COST_BAR_NS, "empty_ns",
					  estimate_document(&found.empty), "watched_ns",
					  estimate_document(&found.watched), "others_ns",
					  estimate_document(&found.others), "whole_ns",
					  estimate_document(&found.whole)),
				stdout);
	else
		print_cost(&found);
	return output_finish(&err) ? verb_failed("sensor", &err) : EXIT_OK;
}

static const struct {
	const char *name;
	enum exit_code (*run)(const struct sensor_options *typed);
} words[] = { { "status", status }, { "serve", serve }, { "cost", cost } };

static enum exit_code sensor(const struct verb_call *call)
{
	struct error err = { 0 };

	sensor_prefer_built_module();
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(call->operand[0], words[i].name))
			return words[i].run(call->values);
	}
	error_set(&err, -EINVAL, "%s: expected status, serve or cost", call->operand[0]);
	return usage_failed("sensor", &err);
}

const struct verb verb_sensor = {
	.name = "sensor",
	.operands = "status|serve|cost",
	.summary = "who is on a CPU: what the locks of libonproc are told here",
	.description =
		"The locks of libonproc wait for another thread by polling only while it is on a "
		"CPU. What tells them is the sensor.\n\n"
		"status prints which sensor a program gets here by default, and of every kind "
		"whether it works and why not. The environment variable ONPROC_SENSOR names one "
		"for the programs that see it.\n\n"
		"serve is the sensor daemon. It loads one eBPF program for the whole machine, "
		"which "
		"needs CAP_BPF and CAP_PERFMON, gives up all privileges but the first, and serves "
		"processes without any on a unix socket: each gets a map of the states of its own "
		"threads, which it can only read. It stays in the foreground, and ends at SIGTERM; "
		"its clients then go on without a sensor. ONPROC_SENSOR_SOCKET names the socket "
		"for programs where it is not the default.\n\n"
		"cost measures what that program adds to a switch of the scheduler, for threads "
		"that "
		"are watched and for all others. It needs the same privileges, and root for the "
		"kernel's account of run times.",
	.examples = "onproc sensor status\twhich sensor do programs get?\n"
		    "onproc sensor serve --mode 0660 --group users\tserve a group\n"
		    "onproc sensor cost\twhat does a switch cost with it?",
	.min_operands = 1,
	.max_operands = 1,
	.options = options,
	.values_bytes = sizeof(struct sensor_options),
	.defaults = &defaults,
	.run = sensor,
};
