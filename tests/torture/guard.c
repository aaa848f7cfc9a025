// SPDX-License-Identifier: GPL-2.0-or-later
/* guard.c - what must be true inside a lock, looked at with plain loads and stores. */
#include "torture.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sleep_ns(uint64_t ns)
{
	struct timespec span = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
	int kept = errno;

	/* By number: nanosleep() is a cancellation point. */
	syscall(SYS_nanosleep, &span, NULL);
	errno = kept;
}

/* A section: mostly short, now and then longer than a time slice. */
void hold(struct random *random)
{
	uint32_t dice = random_below(random, 8192);
	volatile uint32_t turns = random_below(random, 400);

	if (dice == 0)
		sleep_ns(1000000 + random_below(random, 6000000));
	else if (dice < 20)
		sleep_ns(50000);
	else if (dice < 100)
		sched_yield(); /* another thread meets the lock held */
	while (turns)
		turns = turns - 1;
}

void guard_enter(struct worker *worker, struct lock *lock, struct random *random)
{
	struct guard *guard = &lock->guard;
	uint64_t before = guard->first;

	if (guard->second != before)
		fail(worker->torture, worker, lock,
		     "mutual exclusion: entered while another was inside");
	guard->first = before + 1;
	hold(random);
	if (guard->first != before + 1 || guard->second != before)
		fail(worker->torture, worker, lock, "mutual exclusion: another entered meanwhile");
	guard->second = before + 1;
	worker->sections[lock->index]++;
}

/* Writes all words of a lock that excludes readers too. */
void guard_words_write(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t next = lock->words[0] + 1;
	uint32_t n;

	guard_words_are_whole(worker, lock, lock->words);
	for (n = 0; n < WORDS; n++) {
		if (n == WORDS / 2)
			hold(random);
		lock->words[n] = next;
	}
	worker->words[lock->index]++;
}

void guard_words_are_whole(struct worker *worker, const struct lock *lock, const uint64_t *words)
{
	uint32_t n;

	for (n = 1; n < WORDS; n++) {
		if (words[n] != words[0])
			fail(worker->torture, worker, lock,
			     "half-written data: word 0 is %llu, word %u is %llu",
			     (unsigned long long)words[0], n, (unsigned long long)words[n]);
	}
}

void guard_expect(struct worker *worker, const struct lock *lock, const char *what, int came,
		  int wanted)
{
	if (came != wanted)
		fail(worker->torture, worker, lock, "%s: %d instead of %d", what, came, wanted);
}

/* From long ago to some milliseconds away; now and then long enough not to matter. */
struct timespec deadline_of(struct random *random, clockid_t clock)
{
	static const uint32_t most_us[] = { 0, 20, 200, 1000, 3000, 20000, 200000 };
	uint64_t us = most_us[random_below(random, sizeof(most_us) / sizeof(most_us[0]))];
	struct timespec at = { 1, 0 };

	if (!us)
		return at;
	us = random_below(random, (uint32_t)us);
	clock_gettime(clock, &at);
	at.tv_nsec += (long)us * 1000;
	at.tv_sec += at.tv_nsec / 1000000000;
	at.tv_nsec %= 1000000000;
	return at;
}
