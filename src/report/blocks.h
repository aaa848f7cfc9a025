/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks.h - the blocks of the terminal report below its table.
 *
 * Each prints itself with its heading and an empty line before it, or nothing at all when there is
 * nothing to say. `line` is scratch, empty before and after.
 */
#ifndef ONPROC_REPORT_BLOCKS_H
#define ONPROC_REPORT_BLOCKS_H

#include "report/paragraph.h"
#include "store/record.h"

#include <stdio.h>

/* Which run, when, where, by what plan; a run that is not complete says so. No empty line before.
 */
void report_header(const struct run *run, struct paragraph *line, FILE *out);

/* Series of the run in the order of its plan, and those outside it at the end; to be freed. NULL:
 * no memory. */
const struct series **report_order(const struct run *run);

/*
 * The table of one copy count. `series` has n_series members in the order to print them, of all
 * copy counts; ratios are to the same test at first_copies.
 */
void report_section(const struct run *run, const struct series *const *series, uint32_t copies,
		    uint32_t first_copies, struct paragraph *line, FILE *out);

/* Laws over the copy counts of a test, with their error. */
void report_laws(const struct run *run, struct paragraph *line, FILE *out);

/* Levels that the intervals reach, and where they stand for what they do not show. */
void report_levels(const struct run *run, struct paragraph *line, FILE *out);

/* Names of the tests in full. */
void report_titles(const struct run *run, const struct series *const *series,
		   struct paragraph *line, FILE *out);

/* What may make a number wrong or wide, with its evidence; then what the run itself warned of. */
void report_warnings(const struct run *run, struct paragraph *line, FILE *out);

/* Known limits of tests that are kept for comparability. */
void report_notes(const struct run *run, struct paragraph *line, FILE *out);

/* Machine, kernel, build: one line each; unreadable members with their reason. */
void report_environment(const struct run *run, struct paragraph *line, FILE *out);

#define TEST_NAME_BYTES 256

/*
 * "pipe" of "unixbench6/pipe@1"; an id of another form, or too long, as it is. Returns name or id.
 */
const char *test_name(const char *id, char name[TEST_NAME_BYTES]);
void paragraph_add_test_id(struct paragraph *line, const char *id);

/* The test of a series, with its side where it has one: "pipe A". */
void paragraph_add_test(struct paragraph *line, const struct series *series);

/* "1 copy", "2 copies" */
void paragraph_add_copies(struct paragraph *line, uint32_t copies);

/* Number of CPUs of a kernel's list, "0-3,8": 5. 0 for NULL and for what is no such list. */
uint32_t count_cpus(const char *list);

/* A list of words: "a", "a and b", "a, b and c": the separator before word i of n. */
const char *list_separator(size_t i, size_t n);

#endif
