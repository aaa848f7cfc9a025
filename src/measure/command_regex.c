// SPDX-License-Identifier: GPL-2.0-or-later
/* command_regex.c - see command_regex.h. */
#include "measure/command_regex.h"

#include "base/clock.h"
#include "base/signals.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_NS (60 * NS_PER_S) /* of wall time: the child may have to wait for a CPU */
#define LOOK_MS	    100		    /* how often a signal is looked for */

/* What the child came to, as it goes through the pipe; shorter than PIPE_BUF: whole or not there.
 */
struct answer {
	bool is_compiled, has_group, matches, is_out_of_memory;
	size_t start, length;
	char text[200]; /* why it is not compiled */
};

static bool has_back_reference(const char *expression)
{
	for (; *expression; expression++) {
		if (*expression == '\\' && *++expression >= '1' && *expression <= '9')
			return true;
		if (!*expression)
			return false;
	}
	return false;
}

/* Bytes of address space that this process has; 0: not known. */
static size_t address_space(void)
{
	struct text text = { 0 };
	size_t pages = 0;

	if (!text_read(&text, AT_FDCWD, "/proc/self/statm"))
		pages = strtoul(text.bytes, NULL, 10);
	text_free(&text);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Never above what was set before. */
static void limit(int resource, rlim_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now))
		return;
	if (now.rlim_max < most)
		most = now.rlim_max;
	now.rlim_cur = now.rlim_max = most;
	setrlimit(resource, &now);
}

static void look(const char *expression, const char *text, struct answer *answer)
{
	regmatch_t match[2];
	regex_t compiled;
	int rc = regcomp(&compiled, expression, REG_EXTENDED | REG_NEWLINE);

	if (rc) {
		regerror(rc, &compiled, answer->text, sizeof(answer->text));
		return;
	}
	answer->is_compiled = true;
	answer->has_group = compiled.re_nsub > 0;
	if (!text || !answer->has_group)
		return;
	rc = regexec(&compiled, text, 2, match, 0);
	answer->is_out_of_memory = rc == REG_ESPACE;
	answer->matches = !rc && match[1].rm_so >= 0;
	if (!answer->matches)
		return;
	answer->start = (size_t)match[1].rm_so;
	answer->length = (size_t)(match[1].rm_eo - match[1].rm_so);
}

static void __attribute__((noreturn))
run_child(int out, size_t space, const char *expression, const char *text)
{
	struct answer answer = { 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, REGEX_CPU_S);
	if (space)
		limit(RLIMIT_AS, space + REGEX_MEMORY_BYTES);
	look(expression, text, &answer);
	_exit(write(out, &answer, sizeof(answer)) == sizeof(answer) ? 0 : 1);
}

/* 0, -EINTR, or -ETIME when the patience is over. */
static int child_wait(int in, pid_t child, struct answer *answer, int *status)
{
	uint64_t deadline_ns = clock_raw_ns() + PATIENCE_NS;
	bool has_answer = false;
	int rc = 0;

	for (;;) {
		struct pollfd ready = { .fd = in, .events = POLLIN };

		if (signal_stop)
			rc = -EINTR;
		else if (clock_raw_ns() >= deadline_ns)
			rc = -ETIME;
		if (rc || poll(&ready, 1, LOOK_MS) > 0)
			break;
	}
	if (rc)
		kill(child, SIGKILL);
	else
		has_answer = read(in, answer, sizeof(*answer)) == sizeof(*answer);
	while (waitpid(child, status, 0) < 0 && errno == EINTR)
		;
	if (rc)
		return rc;
	return has_answer ? 0 : -ECHILD;
}

/* The child ended without an answer. code: what is wrong then. */
static int no_answer(int rc, int status, int code, const char *doing, const char *expression,
		     struct error *err)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (rc == -ETIME || number == SIGXCPU || number == SIGKILL)
		return error_set(err, code, "regex:%.200s: %s took more than %d s of CPU time",
				 expression, doing, REGEX_CPU_S);
	return error_set(err, code, "regex:%.200s: %s ended by SIG%s", expression, doing,
			 number && sigabbrev_np(number) ? sigabbrev_np(number) : "?");
}

static int judge(const struct answer *answer, const char *expression, struct error *err)
{
	if (!answer->is_compiled)
		return error_set(err, -EINVAL, "regex:%.200s: %.*s", expression,
				 (int)sizeof(answer->text), answer->text);
	if (!answer->has_group)
		return error_set(err, -EINVAL,
				 "regex:%.200s: expected a group, as in \"([0-9.]+)\", around the "
				 "number",
				 expression);
	if (answer->is_out_of_memory)
		return error_set(err, -ENOMSG, "regex:%.200s: matching took more than %zu MiB",
				 expression, REGEX_MEMORY_BYTES >> 20);
	return 0;
}

int regex_first_group(const char *expression, const char *text, struct regex_group *group,
		      struct error *err)
{
	size_t space = address_space();
	struct answer answer = { 0 };
	int ends[2], rc, status = 0;
	pid_t child;

	if (has_back_reference(expression))
		return error_set(err, -EINVAL, "regex:%.200s: back-references are not taken",
				 expression);
	if (pipe2(ends, O_CLOEXEC))
		return error_errno(err, -errno, "a pipe for an expression");
	child = fork();
	if (!child)
		run_child(ends[1], space, expression, text);
	rc = child < 0 ? -errno : 0;
	close(ends[1]);
	if (!rc)
		rc = child_wait(ends[0], child, &answer, &status);
	close(ends[0]);
	if (child < 0)
		return error_errno(err, rc, "a process for an expression");
	if (rc == -EINTR)
		return error_set(err, rc, "interrupted");
	if (rc)
		return no_answer(rc, status, text ? -ENOMSG : -EINVAL,
				 text ? "matching" : "compiling", expression, err);
	*group = (struct regex_group){ answer.matches, answer.start, answer.length };
	return judge(&answer, expression, err);
}
