// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * laws.c - how each test grows with its copies: the fitted scaling law, a line per test and range.
 *
 * Columns: name 16, copies 9, lambda 10, sigma 9, kappa 10, peak 17, error 9: 80 together.
 */
#include "report/blocks.h"
#include "report/report.h"

#include <math.h>

#define NAME_COLUMNS   16
#define COPIES_COLUMNS 9
#define LAMBDA_COLUMNS 10
#define SIGMA_COLUMNS  9
#define KAPPA_COLUMNS  10
#define PEAK_COLUMNS   17
#define ERROR_COLUMNS  9
#define NUMBER_BYTES   32

/* Three digits: a fit says no more. */
static void add_number(struct paragraph *line, int columns, double value)
{
	char text[NUMBER_BYTES];

	if (value < 1e-9 && value > -1e-9)
		snprintf(text, sizeof(text), "0");
	else
		format_number(value, NAN, columns - 1, text, sizeof(text));
	paragraph_add(line, "%*s", columns, text);
}

static void add_peak(struct paragraph *line, const struct scaling_law *fit)
{
	char rate[NUMBER_BYTES], text[2 * NUMBER_BYTES];

	if (isfinite(fit->peak_n)) {
		format_number(fit->peak_rate, NAN, 9, rate, sizeof(rate));
		snprintf(text, sizeof(text), "%s at %.3g", rate, fit->peak_n);
	} else {
		snprintf(text, sizeof(text), "none");
	}
	paragraph_add(line, "%*s", PEAK_COLUMNS, text);
}

static void print_law(const struct law *law, struct paragraph *line, FILE *out)
{
	const struct scaling_law *fit = &law->fit;
	char text[NUMBER_BYTES];

	paragraph_add_test_id(line, law->test);
	if (paragraph_columns(line) >= NAME_COLUMNS)
		paragraph_print(line, out, 4);
	paragraph_pad(line, NAME_COLUMNS);
	snprintf(text, sizeof(text), "%u-%u", law->points[0].copies,
		 law->points[law->n_points - 1].copies);
	paragraph_add(line, "%*s", COPIES_COLUMNS, text);
	if (!isfinite(fit->lambda)) {
		paragraph_add(line, "  law does not fit: none comes near the rates");
	} else {
		add_number(line, LAMBDA_COLUMNS, fit->lambda);
		add_number(line, SIGMA_COLUMNS, fit->sigma);
		add_number(line, KAPPA_COLUMNS, fit->kappa);
		add_peak(line, fit);
		snprintf(text, sizeof(text), fit->unproven ? "-" : "%.2g %%",
			 100 * fit->relative_rmse);
		paragraph_add(line, "%*s", ERROR_COLUMNS, text);
	}
	paragraph_print(line, out, 4);
	if (isfinite(fit->lambda) && !fit->fits)
		fprintf(out,
			"  law does not fit: error above %g %%; the rates above are what was "
			"measured\n",
			100 * SCALING_ERROR_MAX);
	if (fit->unproven)
		fputs("  not proven: as many copy counts as the law has parameters\n", out);
}

void report_laws(const struct run *run, struct paragraph *line, FILE *out)
{
	if (!run->n_laws)
		return;
	fputs("\nScaling law: rate of N copies = λN / (1 + σ(N-1) + κN(N-1))\n", out);
	paragraph_add(line, "test");
	paragraph_pad(line, NAME_COLUMNS);
	paragraph_add(line, "%*s%*s%*s%*s%*s%*s", COPIES_COLUMNS, "copies", LAMBDA_COLUMNS + 1, "λ",
		      SIGMA_COLUMNS + 1, "σ", KAPPA_COLUMNS + 1, "κ", PEAK_COLUMNS, "peak at N",
		      ERROR_COLUMNS, "error");
	paragraph_print(line, out, 4);
	for (size_t i = 0; i < run->n_laws; i++)
		print_law(&run->laws[i], line, out);
}
