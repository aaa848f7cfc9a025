// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - torture: all operations of all locks at once, by threads that are disturbed.
 *
 * Ends with status 0 when nothing was wrong, 1 when something was. What it prints at the end are
 * measurements, no bars: on a busy machine a wait may be long for many reasons.
 */
#include "torture.h"

#include <stdio.h>
#include <string.h>

#define TEND_NS 1000000

static struct torture torture;

static void run_round(const struct options *options, uint32_t threads, double seconds)
{
	uint64_t end_ns = now_ns() + (uint64_t)(seconds * 1e9), before = 0, operations_done = 0;
	uint32_t n;

	for (n = 0; n < operation_count; n++)
		before += torture.count[n];
	torture.options = options;
	torture.threads = threads;
	torture.stop = 0;
	torture.waiters = 0;
	locks_begin(&torture);
	workers_start(&torture);
	while (now_ns() < end_ns) {
		workers_tend(&torture);
		workers_check_progress(&torture);
		if (options->disturb)
			disturb(&torture);
		sleep_ns(TEND_NS);
	}
	disturb_end(&torture);
	workers_end(&torture);
	locks_end(&torture);
	for (n = 0; n < operation_count; n++)
		operations_done += torture.count[n];
	printf("threads %u: %llu operations\n", threads,
	       (unsigned long long)(operations_done - before));
}

static void report(void)
{
	uint32_t n;

	printf("%-28s %12s %22s\n", "operation", "times", "longest wait (ms)");
	for (n = 0; n < operation_count; n++) {
		if (!torture.count[n])
			continue;
		printf("%-28s %12llu ", operations[n].name, (unsigned long long)torture.count[n]);
		if (torture.longest_ns[n])
			printf("%22.1f\n", (double)torture.longest_ns[n] / 1e6);
		else
			printf("%22s\n", "-");
	}
	printf("longest time for which the watching thread itself was not on a CPU: %.1f ms\n",
	       (double)torture.longest_stall_ns / 1e6);
	printf("threads that ended: %llu, of these cancelled: %llu; signals handled: %llu\n",
	       (unsigned long long)torture.ended, (unsigned long long)torture.cancelled,
	       (unsigned long long)torture.handled);
}

int main(int argc, char **argv)
{
	struct options options;
	uint32_t n;
	int rc = options_parse(&options, argc, argv);

	if (rc)
		return rc - 1;
	printf("seed %llu\n", (unsigned long long)options.seed);
	if (options.list) {
		torture.options = &options;
		torture.threads = options.threads[0];
		locks_begin(&torture);
		operations_list(&torture, options.list);
		return 0;
	}
	fflush(stdout);
	if (options.disturb)
		disturb_prepare(&torture);
	for (n = 0; n < options.rounds; n++)
		run_round(&options, options.threads[n], options.seconds / options.rounds);
	report();
	operations_report_skipped();
	if (options.disturb)
		disturb_report();
	return 0;
}
