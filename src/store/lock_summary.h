/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_summary.h - what the slots of a lock test say beside its rate, as members of its series.
 *
 * Every slot has an object `lock` in its evidence, written by the program that measured. A series
 * has the medians over the slots that count, and the largest wait of any of them:
 *   sensor, jain, wait_ns {p50, p99, p999, max}, write_wait_ns (with readers), waits,
 *   waits_over_50us, unfinished_waits, switches_per_1000 {voluntary, involuntary}, yields_per_1000,
 *   cpu_ns_per_op, foreign,
 *   best_peer {kind, ratio, lo, hi, level, n}: of the fastest kind that is not onproc's own at the
 *   same point; ratio of this series' rate to that one's, from slots of the same block
 */
#ifndef ONPROC_STORE_LOCK_SUMMARY_H
#define ONPROC_STORE_LOCK_SUMMARY_H

#include "store/record.h"

/* Member of a slot's evidence. */
#define LOCK_EVIDENCE "lock"

/* Names of the members of a series. */
#define LOCK_MEMBERS                                                                               \
	"sensor", "jain", "wait_ns", "write_wait_ns", "waits", "waits_over_50us",                  \
		"unfinished_waits", "switches_per_1000", "yields_per_1000", "cpu_ns_per_op",       \
		"foreign", "best_peer", "best_peer_reason"

#define LOCK_TEST      "onproc/lock@" /* ids of the lock tests begin so */
#define LOCK_PAIR_TEST "onproc/lock-pair@"

/* Is it of one of the lock tests, measured or not? */
bool lock_is_series(const struct series *series);
bool lock_is_pair(const struct series *series);

/*
 * Are both of one point: the same test and side, and the same parameters but for the kind and its
 * sensor?
 */
bool lock_same_point(const struct series *a, const struct series *b);

/* "glibc-mutex"; "" where it is not known. */
const char *lock_kind_of(const struct series *series);

/*
 * What tells a series from the others of its test, in words: "glibc-mutex, 4 threads, 1000/1000
 * ns". To be freed; NULL: it is of another test, or no memory.
 */
char *lock_label(const struct series *series);

/* Does it belong to libonproc: none of the peers that its locks are compared with? */
bool lock_is_own(const struct series *series);

/* Makes series->lock of every series that has such slots, anew. 0 or -ENOMEM. */
int run_sum_locks(struct run *run);

/*
 * A number of series->lock or of a slot's `lock`, by a path of one or two members ("jain",
 * "wait_ns.p99"). NAN: not known.
 */
double lock_number(const json_t *lock, const char *path);

#endif
