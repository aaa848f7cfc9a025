/* SPDX-License-Identifier: MIT */
/*
 * self.h - who the calling thread is, for locks that must know whether they are its own.
 *
 * A number that no other thread of the process ever has. A forked child's thread keeps it, so that
 * it owns what its parent's thread owned; the number of a thread that has ended is not used again,
 * so that nobody seems to own what it left locked.
 */
#ifndef ONPROC_PRELOAD_SELF_H
#define ONPROC_PRELOAD_SELF_H

#include <stdint.h>

extern __thread uint64_t self_token_of_thread
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

uint64_t self_token_first(void);

static inline uint64_t self_token(void)
{
	uint64_t token = self_token_of_thread;

	return __builtin_expect(token != 0, 1) ? token : self_token_first();
}

#endif
