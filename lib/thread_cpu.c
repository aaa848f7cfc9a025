// SPDX-License-Identifier: MIT
/*
 * thread_cpu.c - the CPU that the calling thread is on, from the rseq area that libc registers.
 *
 * The kernel writes it there at every return to user space; the call that asks takes ten times as
 * long, and is left to libcs before 2.35.
 */
#include "thread.h"

#include <linux/rseq.h>
#include <sched.h>

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

uint32_t thread_cpu(void)
{
	if (&__rseq_size && __rseq_size) {
		const struct rseq *rseq =
			(void *)((char *)__builtin_thread_pointer() + __rseq_offset);

		return __atomic_load_n(&rseq->cpu_id, __ATOMIC_RELAXED);
	}
	return (uint32_t)sched_getcpu();
}
