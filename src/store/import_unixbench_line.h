/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_unixbench_line.h - a line of a text report of UnixBench, known by its shape. */
#ifndef ONPROC_STORE_IMPORT_UNIXBENCH_LINE_H
#define ONPROC_STORE_IMPORT_UNIXBENCH_LINE_H

#include "store/import_labels.h"
#include "store/import_lines.h"
#include "store/import_number.h"

enum line_shape {
	LINE_OTHER,
	LINE_BANNER,   /* text: the version; unit: what else measured in this shape */
	LINE_TIMES,    /* text: the date; unit, time: the clock at begin and end */
	LINE_COPIES,   /* copies, cpus */
	LINE_SCORE,    /* label, value, unit, time, samples */
	LINE_NO_SCORE, /* label */
	LINE_TABLE,    /* label: its category, "" in the versions before 5; is_partial */
	LINE_ROW,      /* label, baseline, value, index */
	LINE_RULE,     /* "========" */
	LINE_INDEX,    /* value; is_partial, is_sum */
};

struct unixbench_line {
	enum line_shape shape;
	char label[UNIXBENCH_LABEL_BYTES];
	char text[LINE_BYTES], unit[LINE_BYTES], time[32];
	struct printed value, baseline, index;
	bool has_value, has_baseline, has_index;
	bool is_partial, is_sum, is_console, has_cpus;
	uint32_t copies, cpus, samples;
};

/* false: none of the shapes; rows are looked for only inside of a table. */
bool unixbench_line_read(const char *text, bool in_table, struct unixbench_line *line);

#endif
