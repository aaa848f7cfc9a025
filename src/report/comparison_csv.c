// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_csv.c - a comparison by RFC 4180: a row per test, then a row per index, in full
 * precision. Ratios are plain, not in percent.
 */
#include "report/comparison_forms.h"

#include "report/csv_cells.h"

#include <math.h>

int comparison_csv_header(FILE *out)
{
	fputs("a_run,b_run,a_name,b_name,design,kind,test,copies,unit,a,a_n,a_spread,b,b_n,"
	      "b_spread,n,ratio,lo,hi,level,p,q,p_holm,margin,verdict,trivial,further,reason,"
	      "label\r\n",
	      out);
	return 0;
}

static void put_next_number(FILE *out, double number)
{
	fputc(',', out);
	csv_put_number(out, number);
}

static int put_next_text(FILE *out, const char *text)
{
	fputc(',', out);
	return csv_put_text(out, text);
}

static int put_sides(FILE *out, const struct comparison *comparison, const char *kind)
{
	int rc = csv_put_text(out, comparison->a.run);

	rc = rc ? rc : put_next_text(out, comparison->b.run);
	rc = rc ? rc : put_next_text(out, comparison->a.name);
	rc = rc ? rc : put_next_text(out, comparison->b.name);
	fprintf(out, ",%s,%s", comparison_design_names[comparison->design], kind);
	return rc;
}

static void put_ratio(FILE *out, const struct estimate *log_ratio)
{
	put_next_number(out, exp(log_ratio->value));
	put_next_number(out, exp(log_ratio->lo));
	put_next_number(out, exp(log_ratio->hi));
	put_next_number(out, log_ratio->level);
}

static void put_verdict(FILE *out, const struct estimate *log_ratio,
			const struct decision *decision)
{
	char verdict[CELL_BYTES];

	cell_verdict(log_ratio, decision, "", verdict);
	fprintf(out, ",%s,%d", verdict, decision->trivial);
}

static int put_test(FILE *out, const struct comparison *comparison,
		    const struct comparison_test *test)
{
	int rc = put_sides(out, comparison, "test");

	rc = rc ? rc : put_next_text(out, test->test);
	fprintf(out, ",%u", test->copies);
	rc = rc ? rc : put_next_text(out, test->unit);
	put_next_number(out, test->a);
	fprintf(out, ",%u", test->a_n);
	put_next_number(out, test->a_spread);
	put_next_number(out, test->b);
	fprintf(out, ",%u", test->b_n);
	put_next_number(out, test->b_spread);
	fprintf(out, ",%u", test->units);
	put_ratio(out, &test->log_ratio);
	put_next_number(out, test->p);
	put_next_number(out, test->q);
	put_next_number(out, test->p_holm);
	put_next_number(out, expm1(test->margin));
	put_verdict(out, &test->log_ratio, &test->decision);
	put_next_number(out, comparison_further_units(test));
	rc = rc ? rc : put_next_text(out, test->reason);
	rc = rc ? rc : put_next_text(out, test->label);
	fputs("\r\n", out);
	return rc;
}

static int put_index(FILE *out, const struct comparison *comparison,
		     const struct comparison_index *index)
{
	int rc = put_sides(out, comparison, "index");

	rc = rc ? rc : put_next_text(out, index->suite);
	fprintf(out, ",%u,", index->copies);
	put_next_number(out, index->a);
	fputs(",,", out);
	put_next_number(out, index->b);
	fprintf(out, ",,,%u", index->tests);
	put_ratio(out, &index->log_ratio);
	fputs(",,,", out);
	put_next_number(out, comparison->margin);
	put_verdict(out, &index->log_ratio, &index->decision);
	fputc(',', out);
	rc = rc ? rc : put_next_text(out, index->reason);
	fputs(",\r\n", out);
	return rc;
}

int comparison_csv_rows(const struct comparison *comparison, FILE *out)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < comparison->n_tests; i++)
		rc = put_test(out, comparison, &comparison->tests[i]);
	for (size_t i = 0; !rc && i < comparison->n_indexes; i++)
		rc = put_index(out, comparison, &comparison->indexes[i]);
	return rc;
}
