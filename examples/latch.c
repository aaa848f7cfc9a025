// SPDX-License-Identifier: GPL-2.0-or-later
/* latch.c - a signal handler reads what the thread that it interrupts may just be writing. */
#include <onproc/seqcount.h>

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static struct onproc_seqcount_latch latch = ONPROC_SEQCOUNT_LATCH_INITIALIZER;
static uint64_t copies[2 * 2]; /* two copies of two words that are the same */
static volatile sig_atomic_t reads, torn;

static void read_it(int signal)
{
	uint64_t copy[2];

	(void)signal;
	/* It would wait for ever for a writer that it has interrupted: a latch never waits. */
	onproc_seqcount_latch_read(&latch, copy, copies, 2);
	torn |= copy[0] != copy[1];
	reads++;
}

int main(void)
{
	const struct itimerval every_ms = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = read_it };
	uint64_t words[2] = { 0, 0 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every_ms, NULL);
	while (reads < 20) {
		words[0]++;
		words[1]++;
		onproc_seqcount_latch_write(&latch, copies, words, 2);
	}
	printf("%s\n", torn ? "torn" : "always whole");
	return torn ? 1 : 0;
}
