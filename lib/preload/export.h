/* SPDX-License-Identifier: MIT */
/* export.h - how the functions of pthread are defined here. */
#ifndef ONPROC_PRELOAD_EXPORT_H
#define ONPROC_PRELOAD_EXPORT_H

#include <stdbool.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* The name that older programs and libraries call a function by. */
#define EXPORT_ALIAS(name, function) __asm__(".globl " #name "\n.set " #name ", " #function)

/* Where a function of ours was called from. */
#define CALLER __builtin_return_address(0)

#define RARELY(condition) __builtin_expect(!!(condition), 0)

static inline bool is_clock(clockid_t clock)
{
	return clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME;
}

static inline bool is_time(const struct timespec *at)
{
	return at->tv_nsec >= 0 && at->tv_nsec < 1000000000;
}

#endif
