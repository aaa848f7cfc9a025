/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixture.h - runs to report on, and what a report of them says. Failures end the test. */
#ifndef ONPROC_TESTS_UNIT_REPORT_FIXTURE_H
#define ONPROC_TESTS_UNIT_REPORT_FIXTURE_H

#include "store/record.h"

#include <stdio.h>

/* tests/data/runs/NAME.json. */
void fixture_load(const char *name, struct run *run);

/* A run of one copy with one series of one test and no slots; members are to be changed at will. */
struct series *fixture_series(struct run *run, const char *test, double value, double lo,
			      double hi);

/* What report() writes; to be freed. Its result must be 0. */
char *fixture_report(const struct run *run, int (*report)(const struct run *run, FILE *out));

/*
 * Compares with tests/data/report/NAME. With UPDATE_GOLDEN in the environment the file is written
 * instead, to be looked at before it is committed.
 */
void fixture_golden(const char *name, const char *report);

/* The report has the line, whole; or lacks the text anywhere. */
void fixture_has_line(const char *report, const char *line);
void fixture_has(const char *report, const char *text);
void fixture_lacks(const char *report, const char *text);

/* Every line of printable UTF-8 and at most 80 columns. */
void fixture_fits(const char *report);

#endif
