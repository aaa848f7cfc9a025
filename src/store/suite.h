/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suite.h - which tests make up the suite whose index a run can have.
 *
 * A run's plan names them: {"suite":"unixbench6","suite_tests":["unixbench6/dhry2reg@1",…]}. For a
 * plan without the list, and for an import without a plan, the suites that are published are known
 * here.
 */
#ifndef ONPROC_STORE_SUITE_H
#define ONPROC_STORE_SUITE_H

#include "store/record.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define SUITES_MAX 2 /* of one run */

struct suite {
	const char *name; /* points into the plan, or static */
	const char *const
		*known;	      /* ids without version, NULL-terminated; NULL: the plan lists them */
	const json_t *listed; /* array of ids; NULL: known */
	uint32_t tests;	      /* how many tests it is made of */
};

/*
 * The suites to score: the plan's own, when it names one; else those that a test of this run
 * belongs to by its name. Returns how many.
 */
size_t suites_of(const struct run *run, struct suite suites[SUITES_MAX]);

/* "pipe", "unixbench6/pipe" and "unixbench6/pipe@1" are what unixbench6/pipe@1 is called. */
bool test_is_called(const char *id, const char *name);

/* Whether the test of this id is one of the suite's. Versions are compared where both have one. */
bool suite_has(const struct suite *suite, const char *id);

#endif
