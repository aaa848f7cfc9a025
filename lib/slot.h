/* SPDX-License-Identifier: MIT */
/*
 * slot.h - what the library keeps per thread.
 *
 * Slots are static, so that a thread may touch a neighbour's node after the neighbour has left or
 * ended. Nodes are 128 bytes apart, fixed at build: the line of some CPUs is that long, others
 * fetch lines in pairs, and a distance asked for at run time would put a multiplication into every
 * step of a queue.
 */
#ifndef ONPROC_LIB_SLOT_H
#define ONPROC_LIB_SLOT_H

#include <stdint.h>

#define SLOT_LINE_BYTES 128

/* A place in an optimistic spin queue: osq.c. One per thread. */
struct osq_node {
	uint32_t front; /* whom it waits for, or that it owns the queue, or that it has left */
	uint32_t next;	/* who waits for it, or that nobody may link to it any more */
	uint32_t busy;	/* still part of a queue, though its thread may have left: not to be used */
} __attribute__((aligned(SLOT_LINE_BYTES)));

/* A place in the list of a lock's sleepers: sleepers.c. */
struct sleeper {
	uint32_t state;	   /* enum sleeper_state; the word that its thread parks on */
	uint32_t thread;   /* slot of its thread: with m_spare() not its own number */
	uint32_t kind;	   /* what it waits for, in the lock's own code */
	uint16_t older;	   /* number + 1 of the one that came before; 0: none */
	uint16_t newer;	   /* the same of the one that came after, where sorted */
	uint16_t oldest;   /* only at the top: the oldest of those that are sorted, 0: not sorted */
	uint16_t place;	   /* number of its arrival, modulo 65,536 */
	uint64_t due_ns;   /* m_now() from which it may demand the lock */
	uint64_t list;	   /* address of the top of the list that it was pushed to last */
	uint64_t woken_ns; /* m_now() when it was woken last */
	uint32_t cpu;	   /* where its thread fell asleep */
	uint32_t unbounded; /* does its thread sleep until it is woken? enum mutex_unbounded */
} __attribute__((aligned(SLOT_LINE_BYTES)));

/* A place in the list of a condition variable's waiters: cond.c. Its thread parks on sleeper.state.
 */
struct cond_node {
	uint64_t link;	  /* version, state, and who came before */
	uint64_t mutex;	  /* that it waits with; 0: not one of ours */
	uint32_t arrival; /* version of the list when it came */
	uint32_t listed;  /* part of a list, though its thread may have gone: not to be used */
	uint32_t inside;  /* what it adds to `inside` of its condition variable */
};

struct slot {
	struct osq_node osq;
	struct sleeper sleeper;
	struct cond_node cond;
	/* Written by its thread alone: the mutex that it unlocked last with others waiting, and
	 * when. */
	uint64_t unlocked;
	uint64_t unlocked_ns;
	uint32_t unlocks; /* how many of them */
};

#endif
