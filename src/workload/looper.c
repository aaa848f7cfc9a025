// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * looper.c - programs of the system, run again and again: the C compiler, dc and grep.
 *
 * Each has a directory of its own with its input, and its output there is checked. The compiler's
 * warnings are its own affair, dc reads its program afresh each time, and grep has no baseline:
 * that of UnixBench (1) was never measured.
 */
#include "base/clock.h"
#include "workload/command.h"
#include "workload/compile_source.h"
#include "workload/files.h"
#include "workload/resource_limits.h"
#include "workload/text.h"
#include "workload/tools.h"
#include "workload/work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIRECTORY "looper"
#define ANSWER	  "answer"

static int looper_loop(struct work *work, const struct command *command,
		       int (*check)(const struct work *work))
{
	uint64_t count = 0;
	int rc;

	while (!work_stopped(work)) {
		rc = command_run(work, command, NULL);
		if (!rc && check)
			rc = check(work);
		if (rc)
			return rc;
		work_publish(work, ++count, clock_raw_ns(), 0);
	}
	return 0;
}

/* What the program printed is exactly the text; a line that dc folded with a backslash is joined.
 */
static int answer_check(const struct work *work, const char *right)
{
	size_t count, kept = 0;
	char *got;
	int rc;

	rc = work_file_read(ANSWER, &got, &count);
	if (rc)
		return work_fail(work, rc, "read the answer: %s", strerror(-rc));
	for (size_t i = 0; i < count; i++) {
		if (got[i] == '\\' && got[i + 1] == '\n')
			i++;
		else
			got[kept++] = got[i];
	}
	got[kept] = '\0';
	if (strcmp(got, right) != 0)
		rc = work_fail(work, -EBADMSG, "the answer is \"%.60s\", not \"%.60s\"", got,
			       right);
	free(got);
	return rc;
}

static void looper_cleanup(struct work *work)
{
	directory_leave(work, DIRECTORY);
}

static int looper_supported(const struct workload_request *request, const char *const *tools,
			    uint32_t processes, struct reason *why)
{
	int rc = tools_missing(tools, why);

	return rc ? rc : limits_processes(request->copies, processes, why);
}

/* What all of them have in common. */
#define LOOPER                                                                                     \
	.unit = "lpm", .program = "shell", .file = "looper", .units_per_iteration = 60,            \
	.class = CLASS_SHELL, .rate = RATE_STAMPED, .classic_passes = 3

/* The driver, collect2 and ld at once, beside the copy. */
#define COMPILER_PROCESSES 4

static const char *const compiler_tools[] = { "cc", NULL };

static int compiler_setup(struct work *work)
{
	int rc;

	rc = directory_enter(work, DIRECTORY);
	return rc ? rc : file_write(work, "program.c", compile_source, strlen(compile_source));
}

static int compiler_loop(struct work *work)
{
	static const char *const argv[] = { "cc", "program.c", NULL };
	const struct command command = { .argv = argv };

	return looper_loop(work, &command, NULL);
}

/* The program that was compiled last runs, and prints what it should. */
static int compiler_verify(const struct work *work)
{
	static const char *const argv[] = { "./a.out", NULL };
	const struct command command = { .argv = argv, .out = ANSWER };
	int rc;

	if (atomic_load_explicit(&work->line->published, memory_order_relaxed) == 0)
		return 0; /* stopped before the first */
	rc = command_run(work, &command, NULL);
	return rc ? rc : answer_check(work, compile_answer);
}

static int compiler_supported(const struct workload_request *request, struct reason *why)
{
	return looper_supported(request, compiler_tools, COMPILER_PROCESSES, why);
}

const struct workload workload_C = {
	.id = "unixbench6/C@1",
	.title = "C Compiler Throughput (cc)",
	.help = "compile and link a C program of 150 lines with cc",
	.note = "depends on the system's compiler",
	.processes = COMPILER_PROCESSES,
	.classic_s = 60,
	.tools = compiler_tools,
	.supported = compiler_supported,
	.setup = compiler_setup,
	.loop = compiler_loop,
	.verify = compiler_verify,
	.cleanup = looper_cleanup,
	LOOPER,
};

static const char *const dc_tools[] = { "dc", NULL };

/* The square root of 2 to 99 places, cut off, not rounded. */
static const char dc_program[] = "99k 2v p\n";
static const char dc_answer[] =
	"1.4142135623730950488016887242096980785696718753769480731766797379907"
	"32478462107038850387534327641572\n";

static int dc_setup(struct work *work)
{
	int rc;

	rc = directory_enter(work, DIRECTORY);
	return rc ? rc : file_write(work, "sqrt.dc", dc_program, strlen(dc_program));
}

static int dc_check(const struct work *work)
{
	return answer_check(work, dc_answer);
}

static int dc_loop(struct work *work)
{
	static const char *const argv[] = { "dc", NULL };
	const struct command command = { .argv = argv, .in = "sqrt.dc", .out = ANSWER };

	return looper_loop(work, &command, dc_check);
}

static int dc_supported(const struct workload_request *request, struct reason *why)
{
	return looper_supported(request, dc_tools, 2, why);
}

const struct workload workload_dc = {
	.id = "unixbench6/dc@1",
	.title = "Dc: sqrt(2) to 99 decimal places",
	.help = "the square root of 2 to 99 places by dc",
	.note = "depends on the system's dc; most of it is starting the program",
	.processes = 2,
	.classic_s = 30,
	.tools = dc_tools,
	.supported = dc_supported,
	.setup = dc_setup,
	.loop = dc_loop,
	.cleanup = looper_cleanup,
	LOOPER,
};

#define GREP_BYTES 708495
#define GREP_LINES 10000

static const char *const grep_tools[] = { "grep", NULL };

/* The state of a copy is the right answer. */
static int grep_setup(struct work *work)
{
	char *text = malloc(GREP_BYTES), *answer = malloc(32);
	int rc;

	work->state = answer;
	if (!text || !answer) {
		free(text);
		return work_fail(work, -ENOMEM, "no memory");
	}
	text_make(text, GREP_BYTES, GREP_LINES);
	snprintf(answer, 32, "%zu\n", text_count(text, GREP_BYTES, TEXT_RARE_WORD).lines);
	rc = directory_enter(work, DIRECTORY);
	if (!rc)
		rc = file_write(work, "large.txt", text, GREP_BYTES);
	free(text);
	return rc;
}

static int grep_check(const struct work *work)
{
	return answer_check(work, work->state);
}

static int grep_loop(struct work *work)
{
	static const char *const argv[] = { "grep", "-c", TEXT_RARE_WORD, "large.txt", NULL };
	const struct command command = { .argv = argv, .out = ANSWER };

	return looper_loop(work, &command, grep_check);
}

static void grep_cleanup(struct work *work)
{
	looper_cleanup(work);
	free(work->state);
}

static int grep_supported(const struct workload_request *request, struct reason *why)
{
	return looper_supported(request, grep_tools, 2, why);
}

const struct workload workload_grep = {
	.id = "unixbench6/grep@1",
	.title = "Grep a large file (system's grep)",
	.help = "count the lines with a word in a text of 708,495 bytes with grep",
	.note = "depends on the system's grep",
	.processes = 2,
	.classic_s = 30,
	.tools = grep_tools,
	.supported = grep_supported,
	.setup = grep_setup,
	.loop = grep_loop,
	.cleanup = grep_cleanup,
	LOOPER,
};
