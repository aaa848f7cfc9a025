/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explore.h - what a client in tests/model says to the explorer; see tests/model/client.h, which
 * gives the same names another meaning for outside model checkers.
 */
#ifndef ONPROC_TESTS_EXPLORE_H
#define ONPROC_TESTS_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

struct explore_options {
	bool sensing;		  /* there is a sensor, and it says what it likes */
	unsigned int cpus;	  /* m_cpus(); 0: 2 */
	unsigned int slots;	  /* threads that get a slot; 0: all */
	bool spare;		  /* each thread gets one by m_spare() */
	unsigned int timeouts;	  /* per thread, before they come last; 0: 2 */
	unsigned int spurious;	  /* wake-ups for no reason, and by signals, per thread */
	unsigned int clock_jumps; /* per thread: m_now() is much later than before */
	unsigned int freeze;	  /* threads 1 to this may stop for ever, one per execution */
	/* The thread that owns the lock now, 0 (main) when none: it is not frozen. */
	unsigned int (*owner)(void);
};

extern const struct explore_options explore_options;

int client_main(void);

/* Is this the mistake that is planted in this run? See tests/model/mutate. */
bool explore_is_mutant(int number);

int explore_create(unsigned long *thread, void *(*function)(void *), void *argument);
int explore_join(unsigned long thread, void **result);
void explore_assert(bool holds, const char *text, const char *file, int line);
uint64_t explore_plain_read(const void *p, unsigned int bytes, const char *name, const char *file,
			    int line);
void explore_plain_write(const void *p, unsigned int bytes, uint64_t value, const char *name,
			 const char *file, int line);
/* The newest value of a location, outside the memory model. */
uint64_t explore_peek(const void *p, unsigned int bytes);
bool explore_is_frozen(unsigned int thread);
/* An outcome was reached: counted, and printed at the end. */
void explore_reached(const char *outcome);
/* The lock considers the calling thread as its owner whatever explore_options.owner says. */
void explore_owns(bool owns);

#endif
