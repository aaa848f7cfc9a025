// SPDX-License-Identifier: GPL-2.0-or-later
/* compare.c - onproc compare: stored runs, each against the first, or the two sides of one. */
#include "cmd/comparison_options.h"
#include "cmd/output.h"
#include "cmd/verbs.h"
#include "report/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct comparison_options shared;
	const char *format, *unit, *output;
};

static const char *const units[] = { "slot", "boot", NULL };

static const struct option options[] = {
	{ .name = "format",
	  .kind = OPTION_CHOICE,
	  .argument = "FORM",
	  .help = "form of the report",
	  .fallback = "terminal",
	  .choices = comparison_form_names,
	  .offset = offsetof(struct compare_options, format) },
	{ .name = "unit",
	  .kind = OPTION_CHOICE,
	  .argument = "UNIT",
	  .help = "what the interval rests on",
	  .fallback = "slot",
	  .choices = units,
	  .offset = offsetof(struct compare_options, unit) },
	COMPARISON_OPTION_ROWS(offsetof(struct compare_options, shared)),
	OUTPUT_FILE_ROW(offsetof(struct compare_options, output)),
	{ .name = NULL },
};

static const struct compare_options defaults = {
	.format = "terminal",
	.unit = "slot",
};

struct compared {
	struct comparison *comparisons;
	size_t count;
	const char *format;
};

static int write_compared(const void *what, FILE *out)
{
	const struct compared *compared = what;

	return comparison_report(compared->format, compared->comparisons, compared->count, out);
}

static int compare_pair(const struct operand_runs *a, const struct operand_runs *b, bool by_boot,
			struct comparison_request *request, struct comparison *comparison,
			struct error *err)
{
	const struct comparison_runs side_a = { a->list, a->count }, side_b = { b->list, b->count };

	request->a_name = a->name;
	request->b_name = b->name;
	request->a_side = a->side;
	request->b_side = b->side;
	if (by_boot)
		return comparison_of_boots(&side_a, &side_b, request, comparison, err);
	return comparison_of_runs(a->runs, b->runs, request, comparison, err);
}

static int compare_all(const struct operand_runs *operands, size_t count, bool by_boot,
		       struct comparison_request *request, struct compared *compared,
		       struct error *err)
{
	int rc = 0;

	compared->comparisons = calloc(count, sizeof(*compared->comparisons));
	if (!compared->comparisons)
		return error_set(err, -ENOMEM, "no memory for a comparison");
	if (count == 1) {
		rc = comparison_of_sides(operands[0].runs, request, &compared->comparisons[0], err);
		compared->count = !rc;
		return rc;
	}
	for (size_t i = 1; !rc && i < count; i++) {
		rc = compare_pair(&operands[0], &operands[i], by_boot, request,
				  &compared->comparisons[compared->count], err);
		compared->count += !rc;
	}
	return rc;
}

static int load_all(const struct verb_call *call, bool several, struct operand_runs *operands,
		    struct error *err)
{
	struct store *store = NULL;
	int rc = store_open_existing(call->db, &store, err);

	for (int i = 0; !rc && i < call->operands; i++)
		rc = operand_load(store, call->operand[i], several, &operands[i], err);
	store_close(store);
	return rc;
}

/* A side is named where there are two runs; one alone is compared side with side. */
static int check_sides(const struct verb_call *call, struct error *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < call->operands; i++)
		rc = operand_check(call->operand[i], err);
	if (!rc && call->operands == 1 && strchr(call->operand[0], ':'))
		rc = error_set(err, -EINVAL,
			       "%s: a run alone is compared side with side: name it without a side",
			       call->operand[0]);
	return rc;
}

static enum exit_code compare(const struct verb_call *call)
{
	const struct compare_options *typed = call->values;
	size_t count = (size_t)call->operands;
	struct operand_runs *operands = calloc(count, sizeof(*operands));
	const char **tests = comparison_tests(&typed->shared);
	struct comparison_request request = {
		.margin = typed->shared.margin,
		.alpha = typed->shared.alpha,
		.tests = tests,
	};
	struct compared compared = { .format = typed->format };
	const struct output output = { write_compared, &compared, "the comparison" };
	bool by_boot = !strcmp(typed->unit, "boot");
	struct error err = { 0 };
	int rc = 0, wrong = 0;

	if (!operands || !tests) {
		rc = error_set(&err, -ENOMEM, "no memory for a comparison");
		goto out;
	}
	wrong = check_sides(call, &err);
	if (wrong)
		goto out;
	if (by_boot && count < 2)
		rc = error_set(&err, -EINVAL, "--unit boot: give the runs of two sides");
	rc = rc ? rc : load_all(call, by_boot, operands, &err);
	rc = rc ? rc : compare_all(operands, count, by_boot, &request, &compared, &err);
	rc = rc ? rc : output_write(typed->output ? typed->output : "-", &output, &err);
out:
	for (size_t i = 0; i < compared.count; i++)
		comparison_free(&compared.comparisons[i]);
	for (size_t i = 0; operands && i < count; i++)
		operand_free(&operands[i]);
	free(compared.comparisons);
	free(operands);
	free(tests);
	if (wrong)
		return usage_failed("compare", &err);
	return rc ? verb_failed("compare", &err) : EXIT_OK;
}

const struct verb verb_compare = {
	.name = "compare",
	.operands = "RUN...",
	.summary = "compare stored runs",
	.description =
		"Prints for each test the ratio of the second run to the first with its interval "
		"and a verdict: better, worse, same (shown to differ by less than the margin) or "
		"inconclusive. More runs are each compared with the first; a single run of onproc "
		"ab is compared side with side. Rates are compared, so higher is better.\n\n"
		"Sides that were interleaved are paired by blocks. Two runs were not: what drifted "
		"between them is part of the ratio. Tests whose id, content hash, parameters or "
		"unit differ are not compared, and where nothing can be compared the exit status "
		"is 128. Differences of the environment are listed.\n\n"
		"With --unit boot each operand is a list of runs with commas, or a tag, which "
		"then stands for all runs that have it; the interval rests on boots, and the "
		"boots that are needed are estimated.\n\n"
		"RUN is named as in onproc show. Of a run of onproc ab one side is compared with "
		"another run: RUN:A or RUN:B, without either side A of the first operand and "
		"side B of the others; the report says which. A run is not compared with itself.",
	.examples = "onproc compare before after\ttwo runs by their tags\n"
		    "onproc compare last~1 last --format patch\tfor the text of a patch\n"
		    "onproc compare last --test pipe\tthe two sides of a run of onproc ab\n"
		    "onproc compare before last:A\ta run with one side of another\n"
		    "onproc compare --unit boot vanilla patched\tseveral boots of each kernel",
	.complete = "run",
	.min_operands = 1,
	.max_operands = -1,
	.options = options,
	.values_bytes = sizeof(struct compare_options),
	.defaults = &defaults,
	.run = compare,
};
