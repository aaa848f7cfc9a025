// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * execl_libc.c - the chain of images over libc. No stdio: its streams would cost each image a
 * system call.
 */
#include "base/clock.h"
#include "workload/execl_chain.h"

#include <errno.h>
#include <unistd.h>

uint64_t chain_now_ns(void)
{
	return clock_raw_ns();
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
