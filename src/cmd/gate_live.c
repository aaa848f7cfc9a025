// SPDX-License-Identifier: GPL-2.0-or-later
/* gate_live.c - see gate_live.h. */
#include "cmd/gate_live.h"

#include "base/signals.h"
#include "cmd/bench.h"
#include "cmd/comparison_options.h"
#include "cmd/gate.h"
#include "cmd/measure_run.h"
#include "cmd/output.h"
#include "cmd/runs.h"
#include "measure/bench.h"
#include "measure/programs.h"
#include "measure/scratch.h"
#include "stats/looks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* A gate while it is measured. */
struct session_of_gate {
	const struct verb_call *call;
	const struct gate_live *live;
	struct operand_runs base;
	struct plan plan;
	struct run run;
	struct topology *topology;
	struct measurement measurement;
	struct comparison comparison; /* of the last look */
	struct gate gate;
};

static bool is_chosen(const struct verb_call *call, const struct plan_row *row)
{
	for (int i = 0; i < call->operands; i++) {
		if (workload_answers_to(row->workload, call->operand[i]))
			return true;
	}
	return !call->operands;
}

static int check_operands(const struct verb_call *call, const struct plan *plan, struct error *err)
{
	for (int i = 0; i < call->operands; i++) {
		bool found = false;

		for (size_t j = 0; j < plan->n_rows && !found; j++)
			found = workload_answers_to(plan->rows[j].workload, call->operand[i]);
		if (!found)
			return error_set(err, -EINVAL, "%s: the run has no such test",
					 call->operand[i]);
	}
	return 0;
}

/* Leaves the rows that were asked for. */
static void choose_rows(const struct verb_call *call, struct plan *plan)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->n_rows; i++) {
		if (is_chosen(call, &plan->rows[i]))
			plan->rows[kept++] = plan->rows[i];
		else
			free(plan->rows[i].unsupported);
	}
	plan->n_rows = kept;
}

/* The plan of the stored run, to be measured once more and in another order. */
static int make_plan(struct session_of_gate *session, struct error *err)
{
	const struct gate_live *live = session->live;
	const struct run *base = session->base.runs;
	struct plan *plan = &session->plan;
	char *dir = NULL;
	int rc;

	if (session->base.side)
		return error_set(err, -EINVAL, "--against: a side of a run is not measured alone");
	if (base->status == RUN_IMPORTED)
		return error_set(err, -ENOTSUP,
				 "run %s was imported: what another tool measured cannot be "
				 "measured again; measure what to compare with by onproc bench",
				 base->id);
	rc = plan_from_json(base->plan, plan, err);
	if (rc) {
		error_context(err, "run %s", base->id);
		/* what is stored is no usage */
		return err->code = rc == -EINVAL ? -EUCLEAN : rc;
	}
	if (plan->classic || plan->sides || comparison_has_sides(base))
		return error_set(
			err, -ENOTSUP, "run %s is %s: measure what to compare with by %s", base->id,
			!plan->classic ? "a comparison of two sides" : "UnixBench's own plan",
			"onproc bench");
	rc = check_operands(session->call, plan, err);
	if (!rc)
		rc = scratch_find(plan->dir, &dir, err);
	free(dir);
	if (rc)
		return rc;
	choose_rows(session->call, plan);
	plan->precision = 0;
	plan->budget_ns = live->budget_ns;
	plan->seed = live->seed == UINT64_MAX ? bench_drawn_seed() : live->seed;
	plan->slots = LOOKS_FIRST;
	return 0;
}

static int begin(struct session_of_gate *session, struct error *err)
{
	struct measurement *measurement = &session->measurement;
	int rc = store_open(session->call->db, &measurement->store, err);

	if (!rc)
		rc = operand_load(measurement->store, session->live->against, false, &session->base,
				  err);
	if (!rc)
		rc = make_plan(session, err);
	if (!rc)
		rc = programs_find(measurement->program_dir, sizeof(measurement->program_dir), err);
	if (!rc)
		rc = topology_open(NULL, &session->topology, err);
	if (rc)
		return rc;
	measurement->topology = session->topology;
	runs_mention_orphans("gate", measurement->store, false);
	rc = measure_begin(measurement, session->call->command, err);
	if (!rc)
		rc = journal_create(measurement->store, &session->run, &measurement->journal, err);
	return rc;
}

/* Slots of the new run that failed, the last of them with its reason. */
static size_t failed_slots(struct run *run, const struct comparison_test *test, const char **why)
{
	const struct series *series =
		run_find_series_with(run, test->test, test->params, test->copies, NULL);
	size_t failed = 0;

	for (size_t i = 0; series && i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (slot->status != SLOT_FAILED || slot->rerun)
			continue;
		failed++;
		*why = slot->error;
	}
	return failed;
}

/* A test that was given up has not passed, whatever the slots say that did not fail. */
static int refuse_given_up(struct session_of_gate *session, struct error *err)
{
	for (size_t i = 0; i < session->comparison.n_tests; i++) {
		struct comparison_test *test = &session->comparison.tests[i];
		const char *why = NULL;
		size_t failed = failed_slots(&session->run, test, &why);

		if (failed < BENCH_ROW_FAILURES || test->reason)
			continue;
		if (asprintf(&test->reason, "given up after %zu slots that failed, the last: %s",
			     failed, why ? why : "no reason was kept") < 0) {
			test->reason = NULL;
			return error_set(err, -ENOMEM, "no memory for a comparison");
		}
	}
	return 0;
}

/* Compares what there is, at the level of a look. */
static int look_now(struct session_of_gate *session, const struct look *look, struct error *err)
{
	const struct comparison_request request = {
		.margin = session->live->margin,
		.alpha = look->alpha,
		.a_name = session->base.name,
	};
	int rc;

	comparison_free(&session->comparison);
	session->comparison = (struct comparison){ 0 };
	if (run_summarise(&session->run))
		return error_set(err, -ENOMEM, "no memory to summarise the run");
	rc = comparison_of_runs(session->base.runs, &session->run, &request, &session->comparison,
				err);
	if (!rc)
		rc = refuse_given_up(session, err);
	if (!rc)
		gate_judge(&session->comparison, &session->gate);
	return rc;
}

/* Did a row get all slots of this look? Otherwise the time has ended, or nothing works. */
static bool was_reached(const struct run *run, size_t slots)
{
	for (size_t i = 0; i < run->n_series; i++) {
		if (run->series[i].estimate.n >= slots)
			return true;
	}
	return false;
}

/* Looks until the gate is decided. */
static int measure_and_look(struct session_of_gate *session, struct error *err)
{
	double alpha = session->live->alpha > 0 ? session->live->alpha : COMPARISON_ALPHA;
	struct look look;
	int rc = 0;

	for (unsigned int number = 1; !rc; number++) {
		rc = look_get(number, alpha, &look);
		if (rc || look.n > PLAN_PRECISION_SLOTS)
			break;
		session->plan.slots = (uint32_t)look.n;
		rc = measure_more(&session->measurement, err);
		if (!rc)
			rc = look_now(session, &look, err);
		if (!rc && (session->gate.outcome != GATE_UNDECIDED ||
			    !was_reached(&session->run, look.n)))
			break;
	}
	return rc;
}

/* The new run is kept whatever the gate says; the plan in it is what was measured in the end. */
static enum exit_code keep(struct session_of_gate *session)
{
	json_t *plan = plan_to_json(&session->plan);

	if (plan) {
		json_decref(session->run.plan);
		session->run.plan = plan;
	}
	run_summarise(&session->run);
	return measure_keep(&session->measurement);
}

enum exit_code gate_live(const struct verb_call *call, const struct gate_live *live)
{
	struct session_of_gate session = { .call = call, .live = live };
	enum exit_code code, kept;
	struct error err = { 0 };
	int rc;

	session.measurement =
		(struct measurement){ .verb = "gate", .plan = &session.plan, .run = &session.run };
	signals_install();
	run_init(&session.run);
	rc = output_check_stdout(&err);
	if (!rc)
		rc = begin(&session, &err);
	if (rc) {
		code = rc == -EINVAL ? usage_failed("gate", &err) : verb_failed("gate", &err);
		goto out;
	}
	measure_announce(&session.measurement);
	rc = measure_and_look(&session, &err);
	code = rc ? verb_failed("gate", &err) : EXIT_OK;
	if (rc == -ENOTSUP) /* it does not run here, or is another test by now: git bisect skips */
		code = EXIT_INCONCLUSIVE;
	kept = keep(&session);
	if (!rc)
		code = kept ? kept : gate_conclude(&session.comparison);
out:
	comparison_free(&session.comparison);
	journal_close(session.measurement.journal);
	if (session.measurement.store)
		store_close(session.measurement.store);
	if (session.topology)
		topology_close(session.topology);
	operand_free(&session.base);
	plan_free(&session.plan);
	run_free(&session.run);
	return code;
}
