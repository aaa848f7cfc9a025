// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * execl_libc.c - the chain of images over libc.
 *
 * Numbers go through scanf and printf as in UnixBench's image: looking these functions up and
 * touching their pages of libc is a part of its iteration (58 page faults; with loops of our own it
 * would be 51). No stream is used, for that would add system calls.
 */
#include "base/clock.h"
#include "workload/execl_chain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint64_t chain_now_ns(void)
{
	return clock_raw_ns();
}

char *chain_number_write(uint64_t number, char text[CHAIN_NUMBER_BYTES])
{
	snprintf(text, CHAIN_NUMBER_BYTES, "%" PRIu64, number);
	return text;
}

bool chain_number_read(const char *text, uint64_t *number)
{
	if (!text[0] || text[strspn(text, "0123456789")])
		return false;
	errno = 0;
	sscanf(text, "%" SCNu64, number); /* NOLINT(cert-err34-c): errno says what it does not */
	return !errno;
}

int chain_exec(const char *path, char **word)
{
	execv(path, word);
	return -errno;
}

bool chain_map(struct work *work, uint32_t copy)
{
	return !work_map(work, copy);
}
