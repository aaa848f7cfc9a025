/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_unixbench_report.h - runs of UnixBench from what any of its files says: results, rows of
 * index tables, printed scores. Each form of file has its reader; what they find is put together
 * and held against itself here.
 *
 * A run is one report: its sections differ in their numbers of copies, and a repeated number begins
 * another run on the same machine. Rates are taken as they are printed; indexes and scores are
 * computed from them and UnixBench's baselines. A printed number that contradicts the computed one
 * is warned of only where it lies outside of what the printed digits allow.
 */
#ifndef ONPROC_STORE_IMPORT_UNIXBENCH_REPORT_H
#define ONPROC_STORE_IMPORT_UNIXBENCH_REPORT_H

#include "store/import_labels.h"
#include "store/import_number.h"
#include "store/import_run.h"

/* Of a series: how far the printed digits leave its rate open, as a share of it. */
struct report_row {
	double relative;
	double index; /* as UnixBench 3 computes it: result / baseline; NAN: none */
	bool has_row; /* in an index table */
};

struct printed_score {
	size_t line;
	uint32_t copies;
	struct printed number;
	bool is_partial, is_sum;
};

/* Zeroed with the first three set, then the functions below. */
struct report {
	struct imported *imported;
	const char *format;
	enum unixbench_version version;
	char version_text[24];

	bool is_open, has_section, copies_are_known;
	uint32_t copies;
	size_t first_series; /* of the section */
	struct report_row *row;
	size_t room_rows;
	struct printed_score *score;
	size_t n_scores;
	uint64_t section_start_s; /* of the section to come; 0: unknown */
	double section_s;	  /* its length; NAN: unknown */
};

/* "6.0.0" or "4.1-wht.2" into version and version_text; false: no version that is known. */
bool unixbench_version(struct report *report, const char *text);

/* Ends the run before and begins one. tool NULL: UnixBench and its version. NULL: no memory. */
struct run *unixbench_begin(struct report *report, size_t line, const char *tool);

/* The run at hand; begun, when there is none. NULL: no memory. */
struct run *unixbench_run(struct report *report, size_t line);

/* A section of so many copies; 0: the file does not say. */
void unixbench_section(struct report *report, size_t line, uint32_t copies);

/* A series of the section by its label; NULL: none. */
struct series *unixbench_find(struct report *report, const char *label);

/*
 * The result of a test in this section. unit NULL: that of the test. note NULL: none. The same
 * result again is no news, another one is warned of. NULL: not taken.
 */
struct series *unixbench_result(struct report *report, size_t line, const char *label,
				const struct printed *value, const char *unit, const char *note);

/* A test without result, and why. */
void unixbench_no_result(struct report *report, size_t line, const char *label, const char *reason);

/* As unixbench_result() from an index: rate = index × baseline / 10. */
struct series *unixbench_index(struct report *report, size_t line, const char *label,
			       const struct printed *index);

/* A row of an index table; each of the three may be NULL ("---"). */
void unixbench_row(struct report *report, size_t line, const char *label,
		   const struct printed *baseline, const struct printed *result,
		   const struct printed *index);

/* A printed index score of the section. */
void unixbench_score(struct report *report, size_t line, const struct printed *number,
		     bool is_partial, bool is_sum);

/* Ends the run: its scores are computed and held against the printed ones. */
void unixbench_end(struct report *report);

/* As unixbench_end(), and lets go of what the report holds. */
void unixbench_free(struct report *report);

#endif
