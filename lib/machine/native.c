// SPDX-License-Identifier: MIT
/*
 * native.c - how a thread of the native machine sleeps: futex, by system call.
 *
 * errno is kept: a lock is taken where its caller has yet to look at it.
 */
#include "machine/machine.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int native_park(uint32_t *word, uint32_t expected, const struct m_deadline *until)
{
	int kept = errno, operation = FUTEX_WAIT_BITSET_PRIVATE, rc = 0;

	/* The kernel refuses times before 1970. */
	if (until && until->at.tv_sec < 0)
		return -ETIMEDOUT;
	if (until && until->clock == CLOCK_REALTIME)
		operation |= FUTEX_CLOCK_REALTIME;
	/* WAIT_BITSET takes an absolute time. */
	if (syscall(SYS_futex, word, operation, expected, until ? &until->at : NULL, NULL,
		    FUTEX_BITSET_MATCH_ANY))
		rc = -errno;
	errno = kept;
	return rc;
}

int native_park_for(uint32_t *word, uint32_t expected, uint64_t ns)
{
	struct timespec span = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
	int kept = errno, rc = 0;

	if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &span, NULL, 0))
		rc = -errno;
	errno = kept;
	return rc;
}

uint64_t native_left(const struct m_deadline *until)
{
	struct timespec now;
	int64_t left_s;

	clock_gettime(until->clock, &now);
	if (until->at.tv_sec < now.tv_sec)
		return 0;
	left_s = (int64_t)until->at.tv_sec - now.tv_sec;
	/* What is far away is looked at again long before. */
	if (left_s > 1000)
		return UINT64_MAX;
	left_s = left_s * 1000000000 + until->at.tv_nsec - now.tv_nsec;
	return left_s > 0 ? (uint64_t)left_s : 0;
}

void native_unpark(uint32_t *word, uint32_t threads)
{
	int kept = errno;

	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
	errno = kept;
}
