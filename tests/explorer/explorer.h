/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explorer.h - what the parts of the interleaving explorer share.
 *
 *  coroutine.c  the stacks that the client's threads run on
 *  memory.c     the weak memory: modification orders, views, fences
 *  races.c      plain data and data races
 *  threads.c    one execution: who may step, performing a step, how it ends
 *  futex.c      sleeping and waking
 *  machine.c    the operations of lib/machine/check.h, called by the code under test
 *  search.c     which executions are run: depth first with partial-order reduction, or drawn
 *  order.c      which steps must also be tried in the other order
 *  report.c     traces, replay strings, sums
 *  main.c       options
 */
#ifndef ONPROC_TESTS_EXPLORER_H
#define ONPROC_TESTS_EXPLORER_H

#include "machine/machine.h"

#include "explore.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#define THREADS	  6
#define LOCATIONS 160
#define MESSAGES  120  /* per location */
#define EVENTS	  3000 /* of one execution */
#define CHOICES	  8000
#define SLOTS	  32

/*
 * What a thread has seen: of each location a message, before which it may not read (`seen`, the
 * number of the message); of each thread how far its steps happen before (`clock`).
 */
struct view {
	uint8_t seen[LOCATIONS];
	uint16_t clock[THREADS];
	uint64_t now_ns;
};

/* A write. */
struct message {
	uint64_t value;
	struct view view; /* what who acquires it sees */
	int event;	  /* the step that made it; -1: the value at the start */
	bool taken;	  /* by a read-modify-write, which follows it at once */
};

struct location {
	const void *address;
	unsigned int bytes;
	const struct check_site *site; /* of the first touch */
	unsigned int count;
	int last_step;		    /* on it; -1: none */
	uint8_t floor;		    /* no sleep may begin on an older message: see futex.c */
	uint8_t by_place[MESSAGES]; /* the modification order: message at each place */
	uint8_t place[MESSAGES];    /* and the place of each message */
	struct message *messages[MESSAGES];
};

enum kind {
	LOAD,
	STORE,
	EXCHANGE,
	COMPARE,
	ADD,
	AND,
	OR,
	FENCE,
	PARK,	/* looks at the word and goes to sleep */
	ASLEEP, /* sleeps: its step is the end of the sleep */
	UNPARK,
	POLL, /* polls, and has read nothing new */
	STEP, /* nothing but a place where another thread may go on */
	CREATE,
	JOIN,
	END,
	/* Not steps but choices on the way, kept for the trace. */
	NOTE_YIELD,
	NOTE_PREEMPTED,
	NOTE_CLOCK,
	NOTE_FREEZE,
	NOTE_PLAIN,
};

/* What a thread is about to do. */
struct operation {
	enum kind kind;
	const struct check_site *site;
	struct location *location;
	int order, order_of_failure;
	uint64_t value, expected;
	bool has_deadline;
	uint64_t deadline_ns;
	/* The result. */
	uint64_t result;
	bool done; /* of COMPARE: exchanged */
};

/* A step that was made, or a note. */
struct event {
	struct operation operation;
	struct check_site site;
	unsigned int thread;
	unsigned int number; /* among the steps of its thread, from 1; 0: a note */
	int node;	     /* where the search chose this thread */
	int source;	     /* the step whose write was read; -1: none */
	int before;	     /* the step before on the same location; -1: none */
	int before_sc;	     /* the sequentially consistent step before; -1: none */
	bool reads, writes, sc;
	const char *text;	 /* of a note */
	uint16_t order[THREADS]; /* steps that cannot be moved behind this one */
};

#define POLLED 24

struct thread {
	enum { UNUSED, ALIVE, ENDED } state;
	struct operation pending;
	struct view current;  /* where it may read, and what happens before */
	struct view acquired; /* becomes current by an acquire fence */
	struct view released; /* goes with relaxed writes: current at the last release fence */
	void *(*function)(void *);
	void *argument, *result;
	unsigned int steps;
	uint16_t order[THREADS];
	bool frozen, woken, owns;
	bool sees_newest; /* nobody else could go on: all that they wrote has arrived */
	unsigned int spurious_left, jumps_left, timeouts_left;
	uint64_t now_ns;
	/* Of the present turn of a loop that polls: */
	unsigned int polled;
	struct {
		struct location *location;
		uint8_t message;
	} poll[POLLED];
	/* What the turn before had read, and where this one must read something newer. */
	unsigned int before;
	struct location *before_location[POLLED];
	uint8_t before_message[POLLED];
	struct location *fresh;
	uint8_t fresh_than;
	bool asked;	  /* m_should_yield() was false since the last block */
	bool may_give_up; /* blocked in a turn that asked: its budget will end */
	unsigned int idle_asks;
};

enum pick {
	PICK_READ,
	PICK_PLACE,
	PICK_YIELD,
	PICK_PREEMPTED,
	PICK_CLOCK,
	PICK_WAKE,
	PICK_SLEEPER,
	PICK_FREEZE,
	PICK_VICTIM,
};

enum verdict {
	RUNNING,
	COMPLETE,
	CUT,   /* equal to another execution, which is run */
	BOUND, /* the bound of steps was reached */
	FAILED,
};

struct world {
	struct thread threads[THREADS];
	unsigned int thread_count, running;
	struct location locations[LOCATIONS];
	unsigned int location_count;
	struct view sc; /* what sequentially consistent fences and accesses have seen */
	struct event events[EVENTS];
	unsigned int event_count;
	int last_step, last_sc;
	enum verdict verdict;
	const struct explore_options *options;
	bool at_last; /* only used-up deadlines are left */
	bool inside;  /* a thread's coroutine runs, not the explorer */
	char failure[400];
	unsigned int alone;  /* steps in a row of a thread beside which nobody can go on */
	unsigned int victim; /* who may freeze; 0: nobody */
	struct slot slots[SLOTS];
};

extern struct world world;

/* How the search goes; main.c. */
struct settings {
	bool drawn;	    /* schedules are drawn, not searched */
	bool again;	    /* a poll that met nothing new goes on when there is something */
	bool count;	    /* says how many complete executions differ */
	bool full;	    /* no reduction: each thread at each step */
	int preemptions;    /* at most so many; -1: any number */
	unsigned long most; /* executions; 0: any number */
	unsigned int steps; /* of one execution, at most */
	unsigned int depth; /* of drawn schedules: priority changes + 1 */
	uint64_t seed;
	const char *replay;
	const char *weaken; /* FILE:LINE: its order becomes relaxed */
	int mutant;	    /* of tests/model/mutants.txt; 0: none */
};

extern struct settings settings;

/* The bits of so many alternatives, at most 64. */
static inline uint64_t all_of(unsigned int count)
{
	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* coroutine.c: number 0 is the explorer itself. */
void coroutine_prepare(unsigned int number, void (*entry)(void));
void coroutine_switch(unsigned int from, unsigned int to);

/* memory.c */
void memory_reset(void);
struct location *memory_location(const void *address, unsigned int bytes,
				 const struct check_site *site);
void view_join(struct view *view, const struct view *other);
bool memory_is_newer(const struct location *location, uint8_t message, uint8_t than);
/* Messages that the operation may read, the newest first. Fills numbers, returns how many. */
unsigned int memory_candidates(const struct thread *thread, const struct operation *operation,
			       uint8_t *numbers);
void memory_read(struct thread *thread, struct location *location, uint8_t number, int order);
/* Writes after message `after`; a read-modify-write passes the message that it read. */
void memory_write(struct thread *thread, struct location *location, uint64_t value, int order,
		  uint8_t after, bool modifies);
unsigned int memory_places(const struct thread *thread, const struct location *location, int order,
			   uint8_t *numbers);
void memory_fence(struct thread *thread, int order);
uint64_t memory_latest(const void *address, unsigned int bytes);
bool order_acquires(int order);
bool order_releases(int order);

/* races.c */
void races_reset(void);

/* threads.c */
enum verdict execution_run(const struct explore_options *options, int (*client)(void));
void thread_announce(struct operation *operation);
/* The end of a turn of a loop that polls: nothing happens until there is something new to read. */
void thread_block(const struct check_site *site);
void execution_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void execution_cut(enum verdict verdict) __attribute__((noreturn));
void thread_note(enum kind kind, const struct check_site *site, const char *text, uint64_t value);
bool poll_has_news(const struct thread *thread);
struct thread *thread_running(void);

/* futex.c */
void futex_park(struct thread *thread, uint8_t number);
void futex_end_sleep(struct thread *thread);
void futex_unpark(struct thread *thread);
bool futex_may_end(const struct thread *thread);
bool futex_may_end_by_luck(const struct thread *thread);
/* By a deadline that has been used up: only when nobody else can go on. */
bool futex_may_end_at_last(const struct thread *thread);

/* search.c */
void search_reset(uint64_t seed);
void search_begin(void);
/* Chooses among the enabled (a bit mask); -1: all were explored from here. */
int search_thread(uint32_t enabled, uint32_t by_luck, unsigned int last);
/* Chooses one of count; `allowed` holds the bits of those that are worth it. */
unsigned int search_pick(enum pick pick, unsigned int count, uint64_t allowed);
/* The message floor for the running step: only younger ones are news. */
int search_floor(unsigned int thread);
/* To the next execution; false: all were explored. */
bool search_next(void);
/* From this node one of the initials must be tried; if none is, add this thread. */
void search_add(int node, unsigned int thread, uint32_t initials);
uint32_t search_enabled(int node);
/* The node of the running step. */
int search_node(void);
unsigned int search_choices(uint8_t *choices);

/* order.c */
void order_step(struct event *event);
/* Must a pending operation be looked at anew after that step? News to read are not meant. */
bool order_dependent(const struct operation *operation, const struct event *event);

/* report.c */
void report_failure(FILE *out, const char *program);
void report_reset(void);
void report_execution(void);
unsigned long report_kinds(void);
void report_outcomes(FILE *out);
unsigned long report_count_of(const char *outcome);

/* run.c */
/* Why nothing is explored in this build; NULL: it is. */
const char *explore_skips(void);

struct sums {
	unsigned long executions, complete, cut, bound, failed, steps;
	bool all; /* the search came to its end */
};
/* Explores one client until it fails, all is done or the bound of executions is reached. */
enum verdict explore_client(const struct explore_options *options, int (*client)(void),
			    struct sums *sums);

#endif
