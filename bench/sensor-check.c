// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sensor-check.c - what does asking for the predecessor's CPU cost in the waiting loop of a queue?
 *
 * Three builds of the loop, with no sensor there, so that the answer is always no:
 *   every turn     loads the number of the predecessor's CPU and looks its state up, each turn
 *   flag first     tests one flag, and only where it is set does the same
 *   selected once  the loop without any of it was chosen before it began
 * per turn (one thread, nobody hands over) and per hand-over (two threads on two CPUs; each turn
 * of the first build takes the predecessor's line, which its owner needs for its own hand-over).
 * And the forms that the question can have: inline, a plain call, a call through a pointer, a call
 * whose callee saves every register that a caller may lose.
 *
 * All in one run, in an order drawn anew each round; the ratio is that of the same round. Optional
 * argument: rounds (201).
 */
#include "base/clock.h"
#include "base/rng.h"
#include "stats/estimate.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUILDS = 3, FORMS = 4, MOST_ROUNDS = 1000 };

#define TURNS 20000u
#define HAND_OVERS                                                                                 \
	2000u /* of each thread, per round: shorter than a slice, so that most are whole */
#define CALLS	500000u
#define CPUS	4096u
#define OFF_CPU 2u
#define ALPHA	0.05

enum build { EVERY_TURN, FLAG_FIRST, SELECTED_ONCE };

/* As in the queue: what it waits for, and what the one behind it looks at, are on one line. */
struct node {
	uint32_t go;
	uint32_t cpu;
	uint32_t handed; /* its own hand-overs: the owner writes this line too */
	struct node *previous;
} __attribute__((aligned(128)));

static uint8_t states[CPUS]; /* nobody is known to be off its CPU */
static uint32_t sensing;     /* the flag */

static inline void pause_cpu(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

static inline __attribute__((always_inline)) bool predecessor_is_off(const struct node *node,
								     enum build build)
{
	const struct node *previous;
	uint32_t cpu;

	if (build == SELECTED_ONCE)
		return false;
	if (build == FLAG_FIRST && !__atomic_load_n(&sensing, __ATOMIC_RELAXED))
		return false;
	previous = __atomic_load_n(&node->previous, __ATOMIC_RELAXED);
	cpu = __atomic_load_n(&previous->cpu, __ATOMIC_RELAXED);
	return __atomic_load_n(&states[cpu % CPUS], __ATOMIC_RELAXED) >= OFF_CPU;
}

/* Until it is its turn, or `turns` are over. */
static inline __attribute__((always_inline)) void wait_turns(const struct node *node,
							     uint64_t turns, enum build build)
{
	while (turns-- && !__atomic_load_n(&node->go, __ATOMIC_ACQUIRE)) {
		if (predecessor_is_off(node, build))
			return;
		pause_cpu();
	}
}

#define BUILD(name, build)                                                                         \
	static __attribute__((noinline)) void name(const struct node *node, uint64_t turns)        \
	{                                                                                          \
		wait_turns(node, turns, build);                                                    \
	}
BUILD(wait_every_turn, EVERY_TURN)
BUILD(wait_flag_first, FLAG_FIRST)
BUILD(wait_selected_once, SELECTED_ONCE)

static void (*const waits[BUILDS])(const struct node *, uint64_t) = { wait_every_turn,
								      wait_flag_first,
								      wait_selected_once };
static const char *const build_names[BUILDS] = { "every turn", "flag first", "selected once" };

static struct node nodes[2];

static double turn_ns(int build)
{
	struct node node = { .previous = &nodes[0] };
	uint64_t start = clock_raw_ns();

	waits[build](&node, TURNS);
	return (double)(clock_raw_ns() - start) / TURNS;
}

struct runner {
	int self, cpu, build;
};

/* A queue of two in which the owner goes to its end at once. */
static void *hand_over(void *context)
{
	const struct runner *runner = context;
	struct node *own = &nodes[runner->self], *other = &nodes[!runner->self];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)runner->cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (uint32_t i = 0; i < HAND_OVERS; i++) {
		while (!__atomic_load_n(&own->go, __ATOMIC_ACQUIRE))
			waits[runner->build](own, UINT64_MAX);
		__atomic_store_n(&own->go, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&own->handed, i, __ATOMIC_RELAXED);
		__atomic_store_n(&other->go, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* Two CPUs that this process may use; false: there are not two. */
static bool find_cpus(int cpus[2])
{
	cpu_set_t allowed;
	int found = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return false;
	for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++) {
		if (CPU_ISSET((size_t)cpu, &allowed))
			cpus[found++] = cpu;
	}
	return found == 2;
}

static double hand_over_ns(int build)
{
	struct runner runners[2];
	pthread_t threads[2];
	uint64_t start;
	int cpus[2];

	if (!find_cpus(cpus))
		return 0;
	for (int i = 0; i < 2; i++) {
		runners[i] = (struct runner){ i, cpus[i], build };
		nodes[i] = (struct node){ .go = i == 0,
					  .cpu = (uint32_t)cpus[i],
					  .previous = &nodes[!i] };
	}
	start = clock_raw_ns();
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&threads[i], NULL, hand_over, &runners[i]))
			abort();
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return (double)(clock_raw_ns() - start) / (2.0 * HAND_OVERS);
}

static __attribute__((noinline)) bool plain_is_off(uint32_t slot)
{
	return __atomic_load_n(&states[slot % CPUS], __ATOMIC_RELAXED) >= OFF_CPU;
}

static bool (*volatile pointer_is_off)(uint32_t slot) = plain_is_off;

/* The real work of the one that saves all: asm calls it by this name. */
bool sensor_check_is_off(uint32_t slot);
__attribute__((used)) bool sensor_check_is_off(uint32_t slot)
{
	return __atomic_load_n(&states[slot % CPUS], __ATOMIC_RELAXED) >= OFF_CPU;
}

bool saving_is_off(uint32_t slot);
#if defined(__x86_64__)
__asm__(".pushsection .text\n"
	".type saving_is_off, @function\n"
	"saving_is_off:\n"
	"	push %rcx\n	push %rdx\n	push %rsi\n	push %rdi\n"
	"	push %r8\n	push %r9\n	push %r10\n	push %r11\n"
	"	sub $8, %rsp\n"
	"	call sensor_check_is_off\n"
	"	add $8, %rsp\n"
	"	pop %r11\n	pop %r10\n	pop %r9\n	pop %r8\n"
	"	pop %rdi\n	pop %rsi\n	pop %rdx\n	pop %rcx\n"
	"	ret\n"
	".size saving_is_off, . - saving_is_off\n"
	".popsection\n");
#elif defined(__aarch64__)
__asm__(".pushsection .text\n"
	".type saving_is_off, @function\n"
	"saving_is_off:\n"
	"	stp x29, x30, [sp, #-144]!\n"
	"	stp x1, x2, [sp, #16]\n	stp x3, x4, [sp, #32]\n"
	"	stp x5, x6, [sp, #48]\n	stp x7, x8, [sp, #64]\n"
	"	stp x9, x10, [sp, #80]\n	stp x11, x12, [sp, #96]\n"
	"	stp x13, x14, [sp, #112]\n	stp x15, x16, [sp, #128]\n"
	"	bl sensor_check_is_off\n"
	"	ldp x1, x2, [sp, #16]\n	ldp x3, x4, [sp, #32]\n"
	"	ldp x5, x6, [sp, #48]\n	ldp x7, x8, [sp, #64]\n"
	"	ldp x9, x10, [sp, #80]\n	ldp x11, x12, [sp, #96]\n"
	"	ldp x13, x14, [sp, #112]\n	ldp x15, x16, [sp, #128]\n"
	"	ldp x29, x30, [sp], #144\n"
	"	ret\n"
	".size saving_is_off, . - saving_is_off\n"
	".popsection\n");
#else
#	error "the call that saves all registers is written for x86-64 and arm64"
#endif

static const char *const form_names[FORMS] = { "inline", "plain call", "through a pointer",
					       "saving all registers" };

static inline __attribute__((always_inline)) bool inline_is_off(uint32_t slot)
{
	return __atomic_load_n(&states[slot % CPUS], __ATOMIC_RELAXED) >= OFF_CPU;
}

/* One loop per form: a choice inside would be a part of what is measured. */
#define LOOP(is_off)                                                                               \
	for (uint32_t i = 0; i < CALLS; i++)                                                       \
	sum += is_off(i)

static double call_ns(int form)
{
	uint64_t start = clock_raw_ns();
	uint32_t sum = 0;

	switch (form) {
	case 0:
		LOOP(inline_is_off);
		break;
	case 1:
		LOOP(plain_is_off);
		break;
	case 2:
		LOOP(pointer_is_off);
		break;
	default:
		LOOP(saving_is_off);
	}
	start = clock_raw_ns() - start;
	if (sum)
		abort(); /* nobody is off its CPU; and the sum is used */
	return (double)start / CALLS;
}

struct table {
	const char *title;
	const char *const *names;
	int count, against; /* what the ratio is to */
	double (*measure)(int which);
};

static void measure_round(const struct table *table, struct rng *rng, double *values, int rounds,
			  int round)
{
	size_t order[FORMS];

	for (size_t i = 0; i < (size_t)table->count; i++)
		order[i] = i;
	rng_shuffle(rng, order, (size_t)table->count);
	for (int i = 0; i < table->count; i++)
		values[order[i] * (size_t)rounds + (size_t)round] = table->measure((int)order[i]);
}

static int print_row(const struct table *table, const double *values, int which, int rounds)
{
	const double *own = values + (ptrdiff_t)which * rounds,
		     *base = values + (ptrdiff_t)table->against * rounds;
	struct estimate ns, ratio;
	double ratios[MOST_ROUNDS];

	for (int i = 0; i < rounds; i++)
		ratios[i] = own[i] / base[i];
	if (estimate_rate(own, (size_t)rounds, ALPHA, &ns) ||
	    estimate_rate(ratios, (size_t)rounds, ALPHA, &ratio))
		return 1;
	printf("  %-22s %8.2f [%.2f, %.2f]   %6.3f [%.3f, %.3f]\n", table->names[which], ns.value,
	       ns.lo, ns.hi, ratio.value, ratio.lo, ratio.hi);
	return 0;
}

static int print_table(const struct table *table, struct rng *rng, int rounds)
{
	static double values[FORMS * MOST_ROUNDS];
	int rc = 0;

	for (int round = 0; round < rounds; round++)
		measure_round(table, rng, values, rounds, round);
	printf("%s: ns and 95 %% interval, and the ratio to \"%s\"\n", table->title,
	       table->names[table->against]);
	for (int i = 0; !rc && i < table->count; i++)
		rc = print_row(table, values, i, rounds);
	return rc;
}

int main(int argc, char **argv)
{
	const struct table turns = { "A turn of the waiting loop", build_names, BUILDS,
				     SELECTED_ONCE, turn_ns };
	const struct table hand_overs = { "A hand-over between two CPUs", build_names, BUILDS,
					  SELECTED_ONCE, hand_over_ns };
	const struct table calls = { "The question by itself, loop included", form_names, FORMS, 1,
				     call_ns };
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 201, cpus[2];
	struct rng rng = { clock_raw_ns() };

	if (rounds < 6 || rounds > MOST_ROUNDS) {
		fprintf(stderr, "sensor-check [ROUNDS, 6 to %d]\n", MOST_ROUNDS);
		return 2;
	}
	nodes[0].previous = &nodes[1];
	nodes[1].previous = &nodes[0];
	if (print_table(&turns, &rng, rounds))
		return 1;
	if (!find_cpus(cpus))
		puts("A hand-over between two CPUs: not measured, there is one CPU");
	else if (print_table(&hand_overs, &rng, rounds))
		return 1;
	return print_table(&calls, &rng, rounds);
}
