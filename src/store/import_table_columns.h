/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_table_columns.h - a table of UnixBench results once its lines are read: each of its
 * columns becomes a run.
 */
#ifndef ONPROC_STORE_IMPORT_TABLE_COLUMNS_H
#define ONPROC_STORE_IMPORT_TABLE_COLUMNS_H

#include "store/import_table_line.h"
#include "store/import_unixbench_report.h"

#include <stdbool.h>
#include <stddef.h>

#define TABLE_NAME_BYTES 96

enum column_kind {
	KIND_UNKNOWN,
	KIND_RESULT,
	KIND_INDEX,
	KIND_SCORE, /* the word for either */
	KIND_BASELINE,
	KIND_ASIDE, /* change, ratio, deviation */
};

struct table_column {
	char name[TABLE_NAME_BYTES];
	enum column_kind kind;
	bool is_guess; /* nothing says the kind */
};

enum table_row_kind {
	ROW_TEST,
	ROW_COPIES,
	ROW_SCORE,
	ROW_UNKNOWN, /* of a test that is not known, without a result: to be told of */
};

struct table_row {
	enum table_row_kind kind;
	char label[UNIXBENCH_LABEL_BYTES];
	uint32_t copies;
	size_t line;
	bool is_partial;
	struct table_cell {
		struct printed number;
		bool has;
		char unit[8];
	} cell[TABLE_COLUMNS];
};

struct table {
	struct table_column column[TABLE_COLUMNS]; /* the first is that of the labels */
	size_t columns;				   /* of the rows; 0: no row yet */
	struct table_row *row;
	size_t n_rows, room_rows;
	bool by_copies;
	size_t line;		     /* where it begins; 0: not yet */
	char text[TABLE_NAME_BYTES]; /* the last one before it */
	char test[TABLE_NAME_BYTES]; /* label of the test of a table by copies; "" unknown */
};

/* Takes the words over a column: what they make of it, and what is left is its name. */
void table_name_column(struct table_column *column, const char *heading);

/* A row, zeroed; NULL: no memory. */
struct table_row *table_add_row(struct table *table, enum table_row_kind kind, size_t line);

/* Each column with results or indexes becomes a run of the report; the table is empty then. */
void table_to_runs(struct table *table, struct report *report);

#endif
