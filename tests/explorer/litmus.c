// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * litmus.c - proves the explorer on the litmus tests of the literature: every outcome that the
 * model allows is found, no other is.
 *
 * Each test is a few threads on x, y and z, all 0 at first, and registers; an outcome is the
 * registers (and the last values, where they matter) as one number. What is allowed was worked out
 * from the axioms of C11 with the corrections of RC11 and C++20. With one exception: load buffering
 * of relaxed accesses (LB, r0 = r1 = 1) is allowed by C11 and C++20 but not modelled: see memory.c.
 * No lock here relies on the absence of load buffering that its tests could miss: compilers and
 * CPUs that show it need independent accesses, and an owner's accesses depend on its lock.
 *
 * Each test runs with the reduction, without it, and drawn; the outcomes must be the same (drawn:
 * none that is not allowed).
 */
#include "explorer.h"

#include <string.h>

static uint32_t x, y, z;
static uint64_t outcome;

static void digit(uint64_t value, unsigned int at)
{
	unsigned int i;

	for (i = 0; i < at; i++)
		value *= 10;
	outcome += value;
}

static const struct check_site here = { __FILE__, 0, "litmus", "x" };

#define RLX		      memory_order_relaxed
#define ACQ		      memory_order_acquire
#define REL		      memory_order_release
#define ARL		      memory_order_acq_rel
#define SC		      memory_order_seq_cst
#define LD(p, order)	      check_load32(&(p), memory_order_##order, &here)
#define ST(p, value, order)   check_store32(&(p), (value), memory_order_##order, &here)
#define ADD1(p, order)	      check_add32(&(p), 1, memory_order_##order, &here)
#define SWAP(p, value, order) check_exchange32(&(p), (value), memory_order_##order, &here)
#define FN(order)	      check_fence(memory_order_##order, &here)
#define R(at, value)	      digit((value), (at))

#define THREAD(name, ...)                                                                          \
	static void *name(void *unused)                                                            \
	{                                                                                          \
		(void)unused;                                                                      \
		__VA_ARGS__;                                                                       \
		return NULL;                                                                       \
	}

/* Message passing: r0 = y, r1 = x. */
THREAD(mp_w, ST(x, 1, relaxed); ST(y, 1, relaxed))
THREAD(mp_w_rel, ST(x, 1, relaxed); ST(y, 1, release))
THREAD(mp_w_fence, ST(x, 1, relaxed); FN(release); ST(y, 1, relaxed))
THREAD(mp_w_swap, ST(x, 1, relaxed); SWAP(y, 1, release))
THREAD(mp_r, R(0, LD(y, relaxed)); R(1, LD(x, relaxed)))
THREAD(mp_r_acq, R(0, LD(y, acquire)); R(1, LD(x, relaxed)))
THREAD(mp_r_fence, R(0, LD(y, relaxed)); FN(acquire); R(1, LD(x, relaxed)))
/* A release sequence through another thread's read-modify-write, and broken by a plain store. */
THREAD(mp_add, ADD1(y, relaxed))
THREAD(mp_store2, ST(y, 2, relaxed))
/* Store buffering: r0 = y by the first, r1 = x by the second. */
THREAD(sb0, ST(x, 1, relaxed); R(0, LD(y, relaxed)))
THREAD(sb1, ST(y, 1, relaxed); R(1, LD(x, relaxed)))
THREAD(sb0_sc, ST(x, 1, seq_cst); R(0, LD(y, seq_cst)))
THREAD(sb1_sc, ST(y, 1, seq_cst); R(1, LD(x, seq_cst)))
THREAD(sb0_fence, ST(x, 1, relaxed); FN(seq_cst); R(0, LD(y, relaxed)))
THREAD(sb1_fence, ST(y, 1, relaxed); FN(seq_cst); R(1, LD(x, relaxed)))
THREAD(sb0_ra, ST(x, 1, release); FN(acq_rel); R(0, LD(y, acquire)))
THREAD(sb1_ra, ST(y, 1, release); FN(acq_rel); R(1, LD(x, acquire)))
/* One side by fence, the other by accesses: C++20 orders them in one order. */
THREAD(sb0_swap, SWAP(x, 1, seq_cst); R(0, LD(y, seq_cst)))
/* Load buffering. */
THREAD(lb0, R(0, LD(x, relaxed)); ST(y, 1, relaxed))
THREAD(lb1, R(1, LD(y, relaxed)); ST(x, 1, relaxed))
THREAD(lb0_acq, R(0, LD(x, acquire)); ST(y, 1, release))
THREAD(lb1_acq, R(1, LD(y, acquire)); ST(x, 1, release))
/* Independent reads of independent writes: r0 r1 = x y, r2 r3 = y x. */
THREAD(iriw_x, ST(x, 1, relaxed))
THREAD(iriw_y, ST(y, 1, relaxed))
THREAD(iriw_x_sc, ST(x, 1, seq_cst))
THREAD(iriw_y_sc, ST(y, 1, seq_cst))
THREAD(iriw_x_rel, ST(x, 1, release))
THREAD(iriw_y_rel, ST(y, 1, release))
THREAD(iriw_xy, R(0, LD(x, relaxed)); R(1, LD(y, relaxed)))
THREAD(iriw_yx, R(2, LD(y, relaxed)); R(3, LD(x, relaxed)))
THREAD(iriw_xy_acq, R(0, LD(x, acquire)); R(1, LD(y, acquire)))
THREAD(iriw_yx_acq, R(2, LD(y, acquire)); R(3, LD(x, acquire)))
THREAD(iriw_xy_sc, R(0, LD(x, seq_cst)); R(1, LD(y, seq_cst)))
THREAD(iriw_yx_sc, R(2, LD(y, seq_cst)); R(3, LD(x, seq_cst)))
THREAD(iriw_xy_fence, R(0, LD(x, relaxed)); FN(seq_cst); R(1, LD(y, relaxed)))
THREAD(iriw_yx_fence, R(2, LD(y, relaxed)); FN(seq_cst); R(3, LD(x, relaxed)))
/* Coherence. */
THREAD(co_w, ST(x, 1, relaxed); ST(x, 2, relaxed))
THREAD(co_w1, ST(x, 1, relaxed))
THREAD(co_w2, ST(x, 2, relaxed))
THREAD(co_rr, R(0, LD(x, relaxed)); R(1, LD(x, relaxed)))
THREAD(co_rr2, R(2, LD(x, relaxed)); R(3, LD(x, relaxed)))
THREAD(co_wr, ST(x, 1, relaxed); R(0, LD(x, relaxed)))
THREAD(co_rw, R(0, LD(x, relaxed)); ST(x, 1, relaxed))
/* 2+2W: the last values. */
THREAD(two0, ST(x, 1, relaxed); ST(y, 2, relaxed))
THREAD(two1, ST(y, 1, relaxed); ST(x, 2, relaxed))
THREAD(two0_rel, ST(x, 1, release); ST(y, 2, release))
THREAD(two1_rel, ST(y, 1, release); ST(x, 2, release))
THREAD(two0_sc, ST(x, 1, seq_cst); ST(y, 2, seq_cst))
THREAD(two1_sc, ST(y, 1, seq_cst); ST(x, 2, seq_cst))
THREAD(two0_fence, ST(x, 1, relaxed); FN(seq_cst); ST(y, 2, relaxed))
THREAD(two1_fence, ST(y, 1, relaxed); FN(seq_cst); ST(x, 2, relaxed))
/* Write-to-read causality: r0 = x, r1 = y, r2 = x. */
THREAD(wrc_w, ST(x, 1, relaxed))
THREAD(wrc_m, R(0, LD(x, relaxed)); ST(y, 1, relaxed))
THREAD(wrc_m_rel, R(0, LD(x, relaxed)); ST(y, 1, release))
THREAD(wrc_r, R(1, LD(y, relaxed)); R(2, LD(x, relaxed)))
THREAD(wrc_r_acq, R(1, LD(y, acquire)); R(2, LD(x, relaxed)))
/* ISA2: r0 = y, r1 = z, r2 = x. */
THREAD(isa_w, ST(x, 1, relaxed); ST(y, 1, release))
THREAD(isa_m, R(0, LD(y, acquire)); ST(z, 1, release))
THREAD(isa_m_rlx, R(0, LD(y, relaxed)); ST(z, 1, release))
THREAD(isa_r, R(1, LD(z, acquire)); R(2, LD(x, relaxed)))
/* Read-to-write causality: r0 = x, r1 = y; then y = 1, r2 = x. */
THREAD(rwc_w, ST(x, 1, relaxed))
THREAD(rwc_r, R(0, LD(x, relaxed)); FN(seq_cst); R(1, LD(y, relaxed)))
THREAD(rwc_r_acq, R(0, LD(x, acquire)); R(1, LD(y, acquire)))
THREAD(rwc_s, ST(y, 1, relaxed); FN(seq_cst); R(2, LD(x, relaxed)))
THREAD(rwc_s_rlx, ST(y, 1, relaxed); R(2, LD(x, relaxed)))
/* Read-modify-writes of one location: both see each other in one order. */
THREAD(rmw0, R(0, ADD1(x, relaxed)))
THREAD(rmw1, R(1, ADD1(x, relaxed)))

static const struct litmus {
	const char *name;
	void *(*threads[4])(void *);
	bool last_values; /* digits 2 and 3: the last x and y */
	const char *allowed;
} tests[] = {
	/* The digits from the right: r0, r1, … */
	{ "MP", { mp_w, mp_r }, false, "0 1 10 11" },
	{ "MP+rel+acq", { mp_w_rel, mp_r_acq }, false, "0 10 11" },
	{ "MP+rel+rlx", { mp_w_rel, mp_r }, false, "0 1 10 11" },
	{ "MP+rlx+acq", { mp_w, mp_r_acq }, false, "0 1 10 11" },
	{ "MP+fence.rel+fence.acq", { mp_w_fence, mp_r_fence }, false, "0 10 11" },
	{ "MP+fence.rel+acq", { mp_w_fence, mp_r_acq }, false, "0 10 11" },
	{ "MP+rel+fence.acq", { mp_w_rel, mp_r_fence }, false, "0 10 11" },
	{ "MP+fence.rel+rlx", { mp_w_fence, mp_r }, false, "0 1 10 11" },
	{ "MP+xchg.rel+acq", { mp_w_swap, mp_r_acq }, false, "0 10 11" },
	/* A foreign relaxed add carries the release on: y = 2 says x = 1; y = 1 may be the add's.
	 */
	{ "MP+rel+add.rlx+acq", { mp_w_rel, mp_add, mp_r_acq }, false, "0 1 10 11 12" },
	/* A foreign store does not: y = 2 says nothing. */
	{ "MP+rel+store.rlx+acq", { mp_w_rel, mp_store2, mp_r_acq }, false, "0 2 10 11 12" },
	{ "SB", { sb0, sb1 }, false, "0 1 10 11" },
	{ "SB+rel+acq", { sb0_ra, sb1_ra }, false, "0 1 10 11" },
	{ "SB+sc", { sb0_sc, sb1_sc }, false, "1 10 11" },
	{ "SB+fence.sc", { sb0_fence, sb1_fence }, false, "1 10 11" },
	{ "SB+fence.sc+rlx", { sb0_fence, sb1 }, false, "0 1 10 11" },
	{ "SB+fence.sc+sc", { sb0_fence, sb1_sc }, false, "1 10 11" },
	{ "SB+xchg.sc+sc", { sb0_swap, sb1_sc }, false, "1 10 11" },
	/* C11 allows 11; here it is not modelled. */
	{ "LB", { lb0, lb1 }, false, "0 1 10" },
	{ "LB+acq+rel", { lb0_acq, lb1_acq }, false, "0 1 10" },
	/* All but: 1 0 1 0 is the weak one (r0 = 1, r1 = 0, r2 = 1, r3 = 0: 101). */
	{ "IRIW",
	  { iriw_x, iriw_y, iriw_xy, iriw_yx },
	  false,
	  "0 1 10 11 100 101 110 111 1000 1001 1010 1011 1100 1101 1110 1111" },
	{ "IRIW+rel+acq",
	  { iriw_x_rel, iriw_y_rel, iriw_xy_acq, iriw_yx_acq },
	  false,
	  "0 1 10 11 100 101 110 111 1000 1001 1010 1011 1100 1101 1110 1111" },
	{ "IRIW+sc",
	  { iriw_x_sc, iriw_y_sc, iriw_xy_sc, iriw_yx_sc },
	  false,
	  "0 1 10 11 100 110 111 1000 1001 1010 1011 1100 1101 1110 1111" },
	{ "IRIW+fence.sc",
	  { iriw_x, iriw_y, iriw_xy_fence, iriw_yx_fence },
	  false,
	  "0 1 10 11 100 110 111 1000 1001 1010 1011 1100 1101 1110 1111" },
	/* r0 then r1: never back. */
	{ "CoRR", { co_w, co_rr }, false, "0 10 20 11 21 22" },
	{ "CoWR", { co_wr, co_w2 }, false, "1 2" },
	{ "CoRW", { co_rw, co_w2 }, false, "0 2" },
	{ "CoWW", { co_w }, true, "200" },
	/* Two readers may not see two writes in opposite orders: 1 2 and 2 1 cannot be. */
	{ "CoRR2",
	  { co_w1, co_w2, co_rr, co_rr2 },
	  false,
	  "0 10 11 20 22 12 21 "
	  "1000 1010 1011 1020 1022 1012 1021 1100 1110 1111 1120 1122 1112 1121 "
	  "2000 2010 2011 2020 2022 2012 2021 2200 2210 2211 2220 2222 2212 2221 "
	  "1200 1210 1211 1220 1222 2100 2110 2111 2120 2122 1212 2121" },
	/* The last x (digit 2) and y (digit 3): 1 and 1 is the weak one. */
	{ "2+2W", { two0, two1 }, true, "1100 1200 2100 2200" },
	{ "2+2W+rel", { two0_rel, two1_rel }, true, "1100 1200 2100 2200" },
	{ "2+2W+sc", { two0_sc, two1_sc }, true, "1200 2100 2200" },
	{ "2+2W+fence.sc", { two0_fence, two1_fence }, true, "1200 2100 2200" },
	{ "WRC", { wrc_w, wrc_m, wrc_r }, false, "0 1 10 11 100 101 110 111" },
	{ "WRC+rel+acq", { wrc_w, wrc_m_rel, wrc_r_acq }, false, "0 1 10 100 101 110 111" },
	{ "ISA2", { isa_w, isa_m, isa_r }, false, "0 1 10 100 101 110 111" },
	{ "ISA2+rlx", { isa_w, isa_m_rlx, isa_r }, false, "0 1 10 11 100 101 110 111" },
	/* r0 = 1, r1 = 0, r2 = 0 (1) is the weak one. */
	{ "RWC", { rwc_w, rwc_r_acq, rwc_s_rlx }, false, "0 1 10 11 100 101 110 111" },
	{ "RWC+fence.sc", { rwc_w, rwc_r, rwc_s }, false, "0 10 11 100 101 110 111" },
	{ "RMW", { rmw0, rmw1 }, true, "210 201" },
};

static const struct litmus *test;
static char seen[100][24];
static unsigned int seen_count;

static int litmus_main(void)
{
	unsigned long threads[4];
	unsigned int i;

	outcome = 0;
	for (i = 0; i < 4 && test->threads[i]; i++)
		explore_create(&threads[i], test->threads[i], NULL);
	while (i--)
		explore_join(threads[i], NULL);
	if (test->last_values) {
		digit(explore_peek(&x, 4), 2);
		digit(explore_peek(&y, 4), 3);
	}
	return 0;
}

static bool is_listed(const char *list, const char *number)
{
	size_t length = strlen(number);
	const char *at = list;

	while ((at = strstr(at, number)) != NULL) {
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
		at += length;
	}
	return false;
}

static void note_outcome(void)
{
	char number[24];
	unsigned int i;

	snprintf(number, sizeof(number), "%llu", (unsigned long long)outcome);
	for (i = 0; i < seen_count && strcmp(seen[i], number) != 0; i++)
		;
	if (i == seen_count && seen_count < 100)
		snprintf(seen[seen_count++], sizeof(*seen), "%s", number);
}

static bool judge(bool must_find_all, const char *how)
{
	char allowed[512], *next;
	bool good = true;
	unsigned int i;

	for (i = 0; i < seen_count; i++) {
		if (!is_listed(test->allowed, seen[i])) {
			printf("# %s (%s): outcome %s is not allowed\n", test->name, how, seen[i]);
			good = false;
		}
	}
	snprintf(allowed, sizeof(allowed), "%s", test->allowed);
	for (next = strtok(allowed, " "); must_find_all && next; next = strtok(NULL, " ")) {
		for (i = 0; i < seen_count && strcmp(seen[i], next) != 0; i++)
			;
		if (i == seen_count) {
			printf("# %s (%s): outcome %s is not found\n", test->name, how, next);
			good = false;
		}
	}
	return good;
}

static bool explore(const char *how, bool full, bool drawn, unsigned long most)
{
	static const struct explore_options none;
	unsigned long executions = 0;
	enum verdict verdict;

	settings.full = full;
	settings.drawn = drawn;
	seen_count = 0;
	search_reset(settings.seed);
	do {
		verdict = execution_run(&none, litmus_main);
		executions++;
		if (verdict == COMPLETE)
			note_outcome();
		else if (verdict != CUT)
			return false;
	} while (search_next() && (!most || executions < most));
	printf("# %s (%s): %lu executions\n", test->name, how, executions);
	return judge(!drawn && !most, how);
}

int main(void)
{
	size_t count = sizeof(tests) / sizeof(*tests), i;
	unsigned int failed = 0;

	if (explore_skips()) {
		printf("1..0 # SKIP %s\n", explore_skips());
		return 0;
	}
	printf("1..%zu\n", count);
	for (i = 0; i < count; i++) {
		bool good;

		test = &tests[i];
		good = explore("reduced", false, false, 0);
		good &= explore("all interleavings", true, false, 5000);
		good &= explore("drawn", false, true, 2000);
		printf("%sok %zu - litmus_%s_has_the_outcomes_that_are_allowed\n",
		       good ? "" : "not ", i + 1, test->name);
		failed += !good;
	}
	return failed > 0;
}
