// SPDX-License-Identifier: GPL-2.0-or-later
/* gate.c - onproc gate: is a stored run worse than another by more than the margin? */
#include "cmd/gate.h"

#include "base/clock.h"
#include "cmd/comparison_options.h"
#include "cmd/gate_live.h"
#include "cmd/output.h"
#include "cmd/verbs.h"
#include "measure/plan.h"
#include "report/comparison_forms.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANGE_COLUMNS 20

struct gate_options {
	struct comparison_options shared;
	const char *against;
	uint64_t budget_ns, seed;
};

static const struct option options[] = {
	COMPARISON_OPTION_ROWS(offsetof(struct gate_options, shared)),
	{ .name = "against",
	  .kind = OPTION_STRING,
	  .argument = "RUN",
	  .help = "measure now what this run measured, and judge that",
	  .complete = "run",
	  .offset = offsetof(struct gate_options, against) },
	{ .name = "time",
	  .kind = OPTION_DURATION,
	  .argument = "TIME",
	  .help = "with --against: end after this time, decided or not",
	  .fallback = "10m",
	  .min = NS_PER_S,
	  .max = 30ull * 24 * 3600 * NS_PER_S,
	  .offset = offsetof(struct gate_options, budget_ns) },
	{ .name = "seed",
	  .kind = OPTION_COUNT,
	  .argument = "N",
	  .help = "with --against: seed of the order of the slots",
	  .fallback = "drawn",
	  .max = PLAN_SEED_MAX,
	  .offset = offsetof(struct gate_options, seed) },
	{ .name = NULL },
};

static const struct gate_options defaults = {
	.budget_ns = 600 * NS_PER_S,
	.seed = UINT64_MAX,
};

enum exit_code gate_exit_code(const struct gate *gate)
{
	switch (gate->outcome) {
	case GATE_REGRESSED:
		return EXIT_REGRESSION;
	case GATE_UNDECIDED:
		return EXIT_INCONCLUSIVE;
	case GATE_PASSED:
		break;
	}
	return EXIT_OK;
}

static void add_change(struct paragraph *line, const struct estimate *value,
		       const struct estimate *interval)
{
	char change[CELL_BYTES], ends[CELL_BYTES];

	cell_change(value, CHANGE_COLUMNS, change);
	cell_interval(interval, 2 * CHANGE_COLUMNS, ends);
	paragraph_add(line, " %s %s", change, ends);
}

static void print_undecided(const struct comparison *comparison, const struct comparison_test *test,
			    struct paragraph *line)
{
	double further = gate_further_units(test);

	if (test->reason) {
		paragraph_add(line, ": ");
		paragraph_add_outside(line, test->reason);
		return;
	}
	add_change(line, &test->log_ratio, &test->holm);
	paragraph_add(line, " by Holm");
	/* compare's own number is of another question: better, worse or the same? */
	if (isfinite(further))
		paragraph_add(line,
			      ", further %s expected: %.*g until it is shown to be worse by more "
			      "than the margin, or not",
			      comparison_unit_words(comparison), further < 1e6 ? 6 : 2, further);
}

static void print_test(const struct comparison *comparison, const struct comparison_test *test,
		       bool with_copies, struct paragraph *line, FILE *out)
{
	switch (gate_of_test(test, comparison->alpha)) {
	case GATE_REGRESSED:
		paragraph_add(line, "regressed: ");
		paragraph_add_row(line, test, with_copies);
		add_change(line, &test->log_ratio, &test->holm);
		paragraph_add(line, " by Holm, p %.3g", test->p_regression);
		break;
	case GATE_UNDECIDED:
		paragraph_add(line, "undecided: ");
		paragraph_add_row(line, test, with_copies);
		print_undecided(comparison, test, line);
		break;
	case GATE_PASSED:
		if (!gate_is_trivial_loss(test))
			return;
		paragraph_add(line, "note: ");
		paragraph_add_row(line, test, with_copies);
		add_change(line, &test->log_ratio, &test->log_ratio);
		paragraph_add(line, " is worse, by less than the margin");
		break;
	}
	paragraph_print(line, out, 4);
}

static void add_outcome(const struct comparison *comparison, const struct gate *gate,
			struct paragraph *line)
{
	size_t tests = gate->regressed + gate->undecided + gate->passed;

	switch (gate->outcome) {
	case GATE_REGRESSED:
		paragraph_add(line, "gate: regressed, %zu of %zu tests", gate->regressed, tests);
		break;
	case GATE_UNDECIDED:
		paragraph_add(line, "gate: undecided, %zu of %zu tests", gate->undecided, tests);
		break;
	case GATE_PASSED:
		paragraph_add(line, "gate: passed, %zu %s", tests, tests == 1 ? "test" : "tests");
		break;
	}
	paragraph_add(line, "; margin ");
	paragraph_add_percent(line, comparison->margin);
	paragraph_add(line, ", ");
	paragraph_add_design(line, comparison);
}

int gate_print(const struct comparison *comparison, const struct gate *gate, FILE *out)
{
	bool with_copies = has_several_copies(comparison);
	struct paragraph line = { 0 };
	int rc;

	for (size_t i = 0; i < comparison->n_tests; i++) {
		if (!comparison->tests[i].is_one_sided)
			print_test(comparison, &comparison->tests[i], with_copies, &line, out);
	}
	add_outcome(comparison, gate, &line);
	paragraph_print(&line, out, 4);
	rc = line.failed ? -ENOMEM : 0;
	paragraph_free(&line);
	return rc;
}

static int load_both(const struct verb_call *call, struct operand_runs operands[2],
		     struct error *err)
{
	struct store *store = NULL;
	int rc = store_open_existing(call->db, &store, err);

	for (int i = 0; !rc && i < call->operands; i++)
		rc = operand_load(store, call->operand[i], false, &operands[i], err);
	store_close(store);
	return rc;
}

enum exit_code gate_conclude(const struct comparison *comparison)
{
	struct error err = { 0 };
	struct gate gate;
	int rc;

	gate_judge(comparison, &gate);
	for (size_t i = 0; i < json_array_size(comparison->warnings); i++)
		verb_note("gate", "%s", json_string_value(json_array_get(comparison->warnings, i)));
	rc = gate_print(comparison, &gate, stdout);
	rc = rc ? error_set(&err, rc, "no memory for the report") : output_finish(&err);
	return rc ? verb_failed("gate", &err) : gate_exit_code(&gate);
}

static enum exit_code gate_stored(const struct verb_call *call)
{
	const struct gate_options *typed = call->values;
	const char **tests = comparison_tests(&typed->shared);
	struct comparison_request request = {
		.margin = typed->shared.margin,
		.alpha = typed->shared.alpha,
		.tests = tests,
	};
	struct operand_runs operands[2] = { 0 };
	struct comparison comparison = { 0 };
	struct error err = { 0 };
	enum exit_code code;
	int rc = tests ? 0 : error_set(&err, -ENOMEM, "no memory for a comparison");

	rc = rc ? rc : load_both(call, operands, &err);
	request.a_side = operands[0].side;
	request.b_side = operands[1].side;
	if (!rc && call->operands == 1)
		rc = comparison_of_sides(operands[0].runs, &request, &comparison, &err);
	else if (!rc)
		rc = comparison_of_runs(operands[0].runs, operands[1].runs, &request, &comparison,
					&err);
	code = rc ? verb_failed("gate", &err) : gate_conclude(&comparison);
	comparison_free(&comparison);
	operand_free(&operands[0]);
	operand_free(&operands[1]);
	free(tests);
	return code;
}

static enum exit_code run_gate(const struct verb_call *call)
{
	const struct gate_options *typed = call->values;
	const struct gate_live live = {
		.against = typed->against,
		.margin = typed->shared.margin,
		.alpha = typed->shared.alpha,
		.budget_ns = typed->budget_ns,
		.seed = typed->seed,
	};
	struct error err = { 0 };

	if (typed->against && typed->shared.tests.count)
		error_set(&err, -EINVAL, "--test: with --against the operands are the tests");
	else if (typed->against)
		return gate_live(call, &live);
	else if (call->operands > 2)
		error_set(&err, -EINVAL, "%s: one operand too many", call->operand[2]);
	else if (!call->operands)
		error_set(&err, -EINVAL,
			  "expected BASE NEW, a run of onproc ab, or --against BASE");
	else if (call->operands == 1 && strchr(call->operand[0], ':'))
		error_set(&err, -EINVAL,
			  "%s: a run alone is judged side B against side A: name it without a side",
			  call->operand[0]);
	else if (!operand_check(call->operand[0], &err) &&
		 !operand_check(call->operand[call->operands - 1], &err))
		return gate_stored(call);
	return usage_failed("gate", &err);
}

const struct verb verb_gate = {
	.name = "gate",
	.operands = "BASE NEW | RUN | [TEST...]",
	.summary = "fail where a run is worse than another",
	.description =
		"Compares two stored runs and judges by the exit status: 1 when the Holm-adjusted "
		"interval of a test lies below -margin, 0 when all tests are shown to be worse by "
		"no more than the margin (a note names those that are worse for sure), 125 while "
		"that is undecided or a test could not be compared, so that git bisect run skips; "
		"128 when nothing can be compared. Tests that only one of both runs has are left "
		"out. BASE and NEW are named as in onproc show, and may be a side of a run of "
		"onproc ab, as RUN:A. A single RUN is one of onproc ab: its side B is judged "
		"against its side A.\n\n"
		"With --against BASE the new run is measured: the tests of BASE, or those named, "
		"with their parameters, or its command. It is looked at after 8, 12, 18, 27 and so "
		"on slots, which share alpha, until it is decided or the time ends.",
	.examples = "onproc gate --against good --time 2m\tmeasure, for git bisect run\n"
		    "onproc gate v6.12 last --margin 2%\tthe newest run against a tag",
	.complete = "run",
	.max_operands = -1,
	.options = options,
	.values_bytes = sizeof(struct gate_options),
	.defaults = &defaults,
	.run = run_gate,
};
