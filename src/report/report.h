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

/*
 * The report shape of UnixBench 6, one section per copy count, on its first line "shape, measured
 * by" and the tool. Only tests of UnixBench appear, those without a result with their reason above
 * the first section. A run of the suite unixbench5 has the shape of 5.1.3. -ENODATA: no test of
 * UnixBench has a result.
 */
int report_unixbench(const struct run *run, FILE *out);

/*
 * RFC 4180, one row per slot:
 * run,test,copies,unit,side,block,ordinal,status,start_ns,length_ns,rate,counts,rerun,error,label;
 * counts are one field, numbers separated by spaces. A series without slots has one row, status
 * "none", or "imported" with its rate.
 */
int report_csv(const struct run *run, FILE *out);

/* A document, indented, with a last newline. Takes the reference; -ENOMEM for NULL. */
int report_document(json_t *document, FILE *out);

/*
 * A number with the digits that its interval supports: up to the second digit of half_width
 * ("1510.6", "51834000"), scientific where that does not fit ("1.235e+10"). half_width NAN: no
 * interval, three digits; 0: exact, all digits. At most width columns; "###" when no form fits, "-"
 * for what is no number.
 */
void format_number(double value, double half_width, int width, char *text, size_t bytes);

#endif
