/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - a run as text: the terminal table, UnixBench 6's report shape, CSV.
 *
 * All take a summarised run (run_summarise()) and write to out; the caller checks ferror(). C
 * locale; everything that came from outside is escaped (escape.h).
 */
#ifndef ONPROC_REPORT_REPORT_H
#define ONPROC_REPORT_REPORT_H

#include "store/record.h"

#include <stdio.h>

/*
 * Per copy count: test, baseline, rate with unit, interval, index; with several copy counts the
 * scaling ratio to the first; index score with its interval; then modes, warnings with evidence,
 * failures with reasons, notes, the environment block. At most 80 columns at any magnitude.
 */
int report_table(const struct run *run, FILE *out);

/* The report shape of UnixBench 6 (names onproc as the tool), one section per copy count. */
int report_unixbench(const struct run *run, FILE *out);

/* One row per slot: run,test,copies,unit,side,block,ordinal,status,start_ns,length_ns,rate,counts…
 * RFC 4180. */
int report_csv(const struct run *run, FILE *out);

/* Number of digits that the interval supports; "12345.6", "1.234e+12"; into text, at most width
 * columns. */
void format_number(double value, double half_width, int width, char *text, size_t bytes);

#endif
