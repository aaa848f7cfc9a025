/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_labels.h - the tests of UnixBench by the labels of its reports, and by what people call
 * them.
 */
#ifndef ONPROC_STORE_IMPORT_LABELS_H
#define ONPROC_STORE_IMPORT_LABELS_H

#include "store/import_run.h"

#include <stdbool.h>
#include <stddef.h>

#define UNIXBENCH_INDEX_TESTS 12 /* versions 5 and 6 */
#define UNIXBENCH_LABEL_BYTES 160

enum unixbench_version {
	UNIXBENCH_UNKNOWN,
	UNIXBENCH_3 = 3,
	UNIXBENCH_4,
	UNIXBENCH_5,
	UNIXBENCH_6,
};

struct unixbench_test {
	const char *label, *name; /* "Pipe Throughput", "pipe" */
	const char *unit;
	double baseline;	  /* 0: outside the index */
	bool is_own_in_5;	  /* version 5 measured something else: id "unixbench5/NAME5@1" */
	const char *short_labels; /* normalised, separated by blanks; NULL: none */
};

/* By the label of a report; NULL: unknown. */
const struct unixbench_test *unixbench_test_of(const char *label);

/* By label, name, or what people shorten it to ("Execl", "File copy 1024"); NULL: unknown. */
const struct unixbench_test *unixbench_test_named(const char *text);

/* The longest label, name or short form that the text begins with; bytes: of it. NULL: none. */
const struct unixbench_test *unixbench_test_at(const char *text, size_t *bytes);

/* The test id of a label in a report of this version. */
void unixbench_test_id(enum unixbench_version version, const char *label, char id[IMPORT_ID_BYTES]);

#endif
