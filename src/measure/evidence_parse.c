// SPDX-License-Identifier: GPL-2.0-or-later
/* evidence_parse.c - see evidence_parse.h. */
#include "measure/evidence_parse.h"

#include "base/scan.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static bool number_next(struct scan *scan, uint64_t *number)
{
	scan_blanks(scan);
	return scan_u64(scan, number);
}

static bool cpu_times_line(struct scan *scan, struct cpu_times *times)
{
	uint64_t *const field[] = { &times->user,   &times->nice, &times->system,  &times->idle,
				    &times->iowait, &times->irq,  &times->softirq, &times->steal };

	for (size_t i = 0; i < sizeof(field) / sizeof(field[0]); i++) {
		if (!number_next(scan, field[i]))
			return false;
	}
	return true;
}

int cpu_times_parse(const char *text, size_t len, struct cpu_times *times, size_t count,
		    struct error *err)
{
	struct scan scan = scan_start(text, len);
	bool any = false;

	memset(times, 0, count * sizeof(*times));
	while (scan_word_is(&scan, "cpu")) {
		struct cpu_times line = { .online = true };
		uint64_t cpu;

		if (scan.at < scan.end && *scan.at == ' ') { /* the sum over all CPUs */
			scan_line(&scan);
			continue;
		}
		if (!scan_u64(&scan, &cpu))
			return scan_expected(&scan, err, "a CPU number after \"cpu\"");
		if (!cpu_times_line(&scan, &line))
			return scan_expected(&scan, err, "8 numbers after the CPU's name");
		/* A number cut at the end of the file would pass for a smaller one. */
		if (scan_is_end(&scan))
			return scan_expected(&scan, err, "a whole line");
		scan_line(&scan);
		if (cpu < count)
			times[cpu] = line;
		any = true;
	}
	if (!any)
		return scan_expected(&scan, err, "a line \"cpuN …\"");
	return 0;
}

/* Value as the kernel prints a pid: at most PID_MAX_LIMIT, 0 for what lies outside the namespace.
 */
static bool pid_next(struct scan *scan, pid_t *pid)
{
	int64_t number;

	scan_blanks(scan);
	if (!scan_i64(scan, &number) || number < -1 || number > INT_MAX)
		return false;
	*pid = (pid_t)number;
	return true;
}

/* Skips count fields; they may be signed. */
static bool skip_fields(struct scan *scan, int count)
{
	for (; count > 0; count--) {
		int64_t ignored;
		uint64_t large;

		scan_blanks(scan);
		if (!scan_i64(scan, &ignored) && !scan_u64(scan, &large))
			return false;
	}
	return true;
}

/* utime and stime, cutime and cstime; the kernel prints the second pair as signed numbers. */
static bool ticks_next(struct scan *scan, uint64_t *ticks)
{
	uint64_t user, system;

	return number_next(scan, &user) && number_next(scan, &system) &&
	       !__builtin_add_overflow(user, system, ticks);
}

int process_stat_parse(const char *text, size_t len, struct process_stat *stat, struct error *err)
{
	struct scan scan = scan_start(text, len);
	const char *close;
	size_t comm_len;

	memset(stat, 0, sizeof(*stat));
	if (!pid_next(&scan, &stat->pid) || stat->pid <= 0)
		return scan_expected(&scan, err, "a process number");
	if (!scan_word_is(&scan, " ("))
		return scan_expected(&scan, err, "the command's name in parentheses");
	/* The name may hold anything, so it ends at the last parenthesis: only numbers follow. */
	close = memrchr(scan.at, ')', (size_t)(scan.end - scan.at));
	if (!close)
		return scan_expected(&scan, err, "the command's name in parentheses");
	comm_len = (size_t)(close - scan.at);
	if (comm_len >= sizeof(stat->comm))
		comm_len = sizeof(stat->comm) - 1;
	memcpy(stat->comm, scan.at, comm_len);
	scan.at = close + 1;

	if (!scan_char(&scan, ' ') || scan_word(&scan).len != 1)
		return scan_expected(&scan, err, "the state letter (field 3)");
	if (!pid_next(&scan, &stat->parent) || !pid_next(&scan, &stat->group))
		return scan_expected(&scan, err, "parent and process group (fields 4, 5)");
	if (!skip_fields(&scan, 3) || !number_next(&scan, &stat->flags))
		return scan_expected(&scan, err, "the flags (field 9)");
	if (!skip_fields(&scan, 4) || !ticks_next(&scan, &stat->own_ticks))
		return scan_expected(&scan, err, "user and system time (fields 14, 15)");
	if (!ticks_next(&scan, &stat->children_ticks))
		return scan_expected(&scan, err, "times of the children (fields 16, 17)");
	if (!skip_fields(&scan, 2) || !number_next(&scan, &stat->threads))
		return scan_expected(&scan, err, "the number of threads (field 20)");
	if (!skip_fields(&scan, 1) || !number_next(&scan, &stat->start_ticks))
		return scan_expected(&scan, err, "the start time (field 22)");
	if (!skip_fields(&scan, 16) || !number_next(&scan, &stat->cpu))
		return scan_expected(&scan, err, "the CPU (field 39)");
	if (!skip_fields(&scan, 1) || !number_next(&scan, &stat->policy))
		return scan_expected(&scan, err, "the scheduling policy (field 41)");
	if (scan_is_end(&scan))
		return scan_expected(&scan, err, "more fields after the scheduling policy");
	return 0;
}

int run_time_parse(const char *text, size_t len, uint64_t *run_ns, struct error *err)
{
	struct scan scan = scan_start(text, len);
	uint64_t ignored;

	if (!number_next(&scan, run_ns) || !number_next(&scan, &ignored) ||
	    !number_next(&scan, &ignored))
		return scan_expected(&scan, err, "three numbers: run time, delay, slices");
	return 0;
}

int pressure_parse(const char *text, size_t len, uint64_t *some_us, struct error *err)
{
	struct scan scan = scan_start(text, len);

	if (!scan_word_is(&scan, "some "))
		return scan_expected(&scan, err, "\"some\"");
	while (!scan_is_line_end(&scan)) {
		scan_blanks(&scan);
		if (!scan_word_is(&scan, "total=")) {
			scan_word(&scan);
			continue;
		}
		if (!scan_u64(&scan, some_us) || !scan_char(&scan, '\n'))
			break;
		return 0;
	}
	return scan_expected(&scan, err, "\"total=\" and a number of microseconds");
}

int throttling_parse(const char *text, size_t len, struct throttling *throttling, struct error *err)
{
	struct scan scan = scan_start(text, len);
	bool has_periods = false, has_time = false;

	*throttling = (struct throttling){ 0 };
	while (!scan_is_end(&scan)) {
		struct slice name = scan_word(&scan);
		uint64_t number;

		if (!name.len || !number_next(&scan, &number) || !scan_char(&scan, '\n'))
			return scan_expected(&scan, err, "a name and a number");
		if (slice_is(name, "nr_throttled")) {
			throttling->periods = number;
			has_periods = true;
		} else if (slice_is(name, "throttled_time")) { /* version 1: ns */
			throttling->ns = number;
			has_time = true;
		} else if (slice_is(name, "throttled_usec")) { /* version 2: µs */
			if (__builtin_mul_overflow(number, 1000, &throttling->ns))
				return scan_expected(&scan, err, "a number of microseconds");
			has_time = true;
		}
	}
	if (has_periods != has_time)
		return scan_expected(&scan, err,
				     "both nr_throttled and throttled_time or throttled_usec");
	throttling->present = has_periods;
	return 0;
}
