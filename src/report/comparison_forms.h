/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comparison_forms.h - the forms of a comparison, and the words and cells that they share. */
#ifndef ONPROC_REPORT_COMPARISON_FORMS_H
#define ONPROC_REPORT_COMPARISON_FORMS_H

#include "compare/comparison.h"
#include "report/paragraph.h"

#include <stdbool.h>
#include <stdio.h>

int comparison_terminal(const struct comparison *comparison, FILE *out); /* 80 columns */
int comparison_patch(const struct comparison *comparison, FILE *out);	 /* 72 columns */
int comparison_mmtests(const struct comparison *comparison, FILE *out);
int comparison_lkp(const struct comparison *comparison, FILE *out);
int comparison_amd(const struct comparison *comparison, FILE *out);
int comparison_markdown(const struct comparison *comparison, FILE *out);
int comparison_csv_header(FILE *out);
int comparison_csv_rows(const struct comparison *comparison, FILE *out);

#define CELL_BYTES 64

/* A rate with the digits that the spread of its n values supports; of a single one, all. */
void cell_value(double value, double spread, uint32_t n, int width, char cell[CELL_BYTES]);

/* An index, one decimal. */
void cell_index(double value, int width, char cell[CELL_BYTES]);

/* "+1.40%": the change, signed, with the digits that the interval supports. "-" for NAN.
 */
void cell_change(const struct estimate *log_ratio, int width, char cell[CELL_BYTES]);

/* "[+0.9,+1.9]" in percent, or "no interval". */
void cell_interval(const struct estimate *log_ratio, int width, char cell[CELL_BYTES]);

/* "0.021", "<.001", "-" */
void cell_p(double p, char cell[CELL_BYTES]);

/* "better", "better" + trivial, "inconclusive", "not compared" */
void cell_verdict(const struct estimate *log_ratio, const struct decision *decision,
		  const char *trivial, char cell[CELL_BYTES]);

/* Is it more than one copy count? Then names need theirs. A test that only one side has counts too:
 * it is named below the table. */
bool has_several_copies(const struct comparison *comparison);

/* "pipe", with what tells it from other rows of its test; escaped. */
void paragraph_add_compared(struct paragraph *line, const struct comparison_test *test);

/* The same, with_copies: "pipe-4". */
void paragraph_add_row(struct paragraph *line, const struct comparison_test *test,
		       bool with_copies);

/* "index/12", "index/11 of 12" where it is partial, with_copies: "index/12-4". */
void paragraph_add_index(struct paragraph *line, const struct comparison_index *index,
			 bool with_copies);

/* "12 blocks ABBA", "not interleaved: drift not controlled", "12 boots" */
void paragraph_add_design(struct paragraph *line, const struct comparison *comparison);

/* "blocks", "slots a side", "boots a side": what more of may decide. */
const char *comparison_unit_words(const struct comparison *comparison);

/* "95%" of alpha 0.05, "1%" of a margin of 0.01. */
void paragraph_add_percent(struct paragraph *line, double share);

/* "A vanilla"; of a side without a name of its own "A". */
void paragraph_add_side(struct paragraph *line, const char *letter,
			const struct comparison_side *side);

/* "set by `…`, with NAME=VALUE, running `…`" of a side of onproc ab, behind `before`. False: the
 * record says nothing of it, and nothing was added. */
bool paragraph_add_what(struct paragraph *line, const struct comparison_side *side,
			const char *before);

/* Both sides are of one run, which is to be named once. */
bool comparison_is_of_one_run(const struct comparison *comparison);

/* A line for each side of one run, with what it is: calls print for each. */
void each_side(const struct comparison *comparison, struct paragraph *line,
	       void (*print)(struct paragraph *line, void *context), void *context);

/* How the environments differ: "- path: value" and "+ path: value", all programs in one line. */
void each_difference(const struct comparison *comparison, struct paragraph *line,
		     void (*print)(struct paragraph *line, void *context), void *context);

/* The reasons why rows were not compared or have no interval, each once with the names of its rows:
 * calls print for each, with the text in the line. */
void each_reason(const struct comparison *comparison, struct paragraph *line,
		 void (*print)(struct paragraph *line, void *context), void *context);

/* Tests and warnings of a difference as a text: JSON of a value from outside, a string as it is. */
void paragraph_add_json(struct paragraph *line, const json_t *value);

#endif
