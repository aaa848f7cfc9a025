/* SPDX-License-Identifier: MIT */
/*
 * thread.h - the threads of this process as the native machine knows them: slots, clock, CPUs.
 *
 * A thread gets a slot at its first contended use and gives it back when it ends, also by
 * cancellation (a key's destructor); a slot whose node is still part of some queue waits until that
 * is over. In a forked child the calling thread keeps its slot, all others are free.
 */
#ifndef ONPROC_LIB_THREAD_H
#define ONPROC_LIB_THREAD_H

#include "slot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat_thread;

#define THREAD_LOCAL                                                                               \
	extern __thread __attribute__((tls_model("initial-exec"), visibility("hidden")))

THREAD_LOCAL uint32_t thread_number_plus_one; /* 0: not registered */
THREAD_LOCAL struct stat_thread *thread_stat; /* NULL: does not count */
extern struct slot thread_slots[] __attribute__((visibility("hidden")));

/* Gives the calling thread a slot and tells the sensor. M_NO_SLOT when all are taken. */
uint32_t thread_register(void);

/* A slot whose sleeper the calling thread may use beside its own; its again when it is unlisted. */
uint32_t thread_spare(void);

/* CPUs that this process may use: affinity and CPU quota, read anew once a second at most. */
uint32_t thread_cpus(void);

/* The CPU that the caller is on: by its rseq area where libc has registered one. */
uint32_t thread_cpu(void);

/*
 * A steady clock in ns, by the CPU's counter where that is steady: within 0.1 % of CLOCK_MONOTONIC,
 * which every thread takes up anew once a second. For spans of less than a second, no dates.
 */
uint64_t thread_now_ns(void);
void thread_clock_initialise(void);

/* Calls function for the slot of each thread that has one. Threads may come and go meanwhile. */
void thread_each(void (*function)(uint32_t slot));

#endif
