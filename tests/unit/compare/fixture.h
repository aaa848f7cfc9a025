/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixture.h - runs to compare, made of numbers. Failures end the test. */
#ifndef ONPROC_TESTS_UNIT_COMPARE_FIXTURE_H
#define ONPROC_TESTS_UNIT_COMPARE_FIXTURE_H

#include "compare/comparison.h"

#define FIXTURE_HASH "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

extern const struct comparison_request fixture_request; /* 1 %, 0.05, all tests */

/* A complete run without series, with kernel 6.12.0 and a boot id made of the run's. */
void fixture_run(struct run *run, const char *id);

/* A series without slots and without result; side NULL: none. */
struct series *fixture_series(struct run *run, const char *test, uint32_t copies, const char *side);

/* A slot that counts. */
void fixture_slot(struct series *series, uint32_t block, double rate);

/* A series with a slot in each of n blocks. */
struct series *fixture_rates(struct run *run, const char *test, const double *rates, size_t n);

/* Sides A and B of a test in one run: n blocks of two equal slots each. */
void fixture_sides(struct run *run, const char *test, const double *a, const double *b, size_t n);

/* A result that was imported: a value and no slots. */
struct series *fixture_imported(struct run *run, const char *test, double value, double baseline);

/* Must succeed; with the estimates of all series made. */
void fixture_compare(struct run *a, struct run *b, struct comparison *comparison);
void fixture_compare_sides(struct run *run, struct comparison *comparison);

void fixture_environment(struct run *run, const char *name, json_t *value); /* takes it over */

#endif
