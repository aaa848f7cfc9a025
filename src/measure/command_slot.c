// SPDX-License-Identifier: GPL-2.0-or-later
/* command_slot.c - see command_slot.h. */
#include "measure/command_slot.h"

#include "base/clock.h"
#include "measure/command.h"
#include "measure/command_execution.h"
#include "measure/scratch.h"
#include "measure/variables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RUNS_MOST 10000 /* of a slot: a command is never shorter than 10 us */

/* What the runs of a slot came to. */
struct sum {
	uint32_t runs;
	uint64_t start_ns, wall_ns, user_ns, system_ns, peak_bytes;
	uint64_t voluntary, involuntary;
	double metric;
};

static int side_number(const struct slot_request *request)
{
	return request->side && !strcmp(request->side, "B");
}

static int variables_make(const struct slot_request *request, const char *scratch,
			  struct variables *variables, struct error *err)
{
	char block[16], copies[16];

	snprintf(block, sizeof(block), "%" PRIu32, request->block);
	snprintf(copies, sizeof(copies), "%" PRIu32, request->copies);
	if (variables_set(variables, "ONPROC_SIDE", request->side ? request->side : "") ||
	    variables_set(variables, "ONPROC_BLOCK", block) ||
	    variables_set(variables, "ONPROC_COPIES", copies) ||
	    variables_set(variables, "ONPROC_DIR", scratch) ||
	    variables_put_all(variables, request->environment))
		return error_errno(err, -ENOMEM, "environment variables of a command");
	return 0;
}

/* An untimed command around the runs. */
static int run_beside(const struct instrument *instrument, const char *text, const char *what,
		      const struct variables *variables, bool uninterrupted, struct error *err)
{
	const struct execution_request request = {
		.text = text,
		.no_shell = instrument->no_shell,
		.uninterrupted = uninterrupted,
		.timeout_ns = instrument->timeout_ns,
		.environment = variables->entry,
	};
	struct execution execution;
	int rc;

	if (!text)
		return 0;
	rc = execution_run(&request, &execution, err);
	if (rc)
		error_context(err, "%s", what);
	else
		rc = execution_check(&execution, what, err);
	execution_free(&execution);
	return rc;
}

/* One run; *value is what its metric says. */
static int run_once(const struct slot_request *request, const struct variables *variables,
		    bool measures, struct execution *execution, double *value, struct error *err)
{
	const struct instrument *instrument = request->instrument;
	bool is_read = measures && instrument->metric.kind != METRIC_TIME;
	const struct execution_request run = {
		.text = instrument_text(instrument, side_number(request)),
		.no_shell = instrument->no_shell,
		.keeps_output = is_read,
		.timeout_ns = instrument->timeout_ns,
		.environment = variables->entry,
	};
	int rc = execution_run(&run, execution, err);

	*value = 0;
	if (rc)
		return rc == -EINTR ? rc : error_context(err, "the command");
	if (!instrument->ignore_failure)
		rc = execution_check(execution, "the command", err);
	if (rc || !measures)
		return rc;
	*value = (double)execution->wall_ns / (double)NS_PER_S;
	if (!is_read)
		return 0;
	if (execution->written > EXECUTION_OUTPUT_MOST)
		return error_set(err, -ENOMSG, "the command printed more than %zu MiB",
				 EXECUTION_OUTPUT_MOST >> 20);
	return metric_read(&instrument->metric, execution->output, execution->written, value, err);
}

static void sum_add(struct sum *sum, const struct execution *execution, double value)
{
	if (!sum->runs++)
		sum->start_ns = execution->start_ns;
	sum->wall_ns += execution->wall_ns;
	sum->user_ns += execution->user_ns;
	sum->system_ns += execution->system_ns;
	sum->voluntary += execution->voluntary;
	sum->involuntary += execution->involuntary;
	if (execution->peak_bytes > sum->peak_bytes)
		sum->peak_bytes = execution->peak_bytes;
	sum->metric += value;
}

static int warm_up(const struct slot_request *request, const struct variables *variables,
		   struct error *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < request->instrument->warmup_runs && !rc; i++) {
		struct execution execution;
		double unused;

		rc = run_once(request, variables, false, &execution, &unused, err);
		execution_free(&execution);
	}
	return rc;
}

static int run_enough(const struct slot_request *request, const struct variables *variables,
		      struct sum *sum, struct error *err)
{
	int rc;

	do {
		struct execution execution;
		double value;

		rc = run_once(request, variables, true, &execution, &value, err);
		if (!rc)
			sum_add(sum, &execution, value);
		execution_free(&execution);
	} while (!rc && sum->wall_ns < COMMAND_LEAST_NS && sum->runs < RUNS_MOST);
	return rc;
}

/* The frequency that evidence_after() reads is that of CPUs which the command has left. */
static int frequency_forget(json_t *evidence)
{
	json_t *external = json_object_get(evidence, "external");

	for (size_t i = json_array_size(external); i-- > 0;) {
		const char *kind =
			json_string_value(json_object_get(json_array_get(external, i), "kind"));

		if (kind && !strcmp(kind, "frequency"))
			json_array_remove(external, i);
	}
	if (json_is_null(json_object_get(evidence, "frequency_khz")))
		return 0;
	return json_object_set_new(evidence, "frequency_khz", json_null()) |
	       json_object_set_new(evidence, "frequency_khz_reason",
				   json_string("the command had ended"));
}

static int evidence_add(json_t *evidence, const struct sum *sum)
{
	const struct {
		const char *name;
		uint64_t value;
	} members[] = {
		{ "voluntary_switches", sum->voluntary },
		{ "involuntary_switches", sum->involuntary },
		{ "runs", sum->runs },
		{ "wall_ns", sum->wall_ns },
		{ "user_ns", sum->user_ns },
		{ "system_ns", sum->system_ns },
		{ "peak_bytes", sum->peak_bytes },
	};
	int failed = frequency_forget(evidence);

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		failed |= evidence_put(evidence, members[i].name,
				       json_integer((json_int_t)members[i].value));
	failed |= evidence_put(evidence, "metric", json_real(sum->metric));
	return failed ? -ENOMEM : 0;
}

/* Between prepare and cleanup. */
static int measure(const struct slot_request *request, const struct variables *variables,
		   struct sum *sum, json_t **evidence, struct error *err)
{
	double rate;
	int rc = warm_up(request, variables, err);

	if (!rc && request->evidence)
		rc = evidence_before(request->evidence, 0, err);
	if (!rc)
		rc = run_enough(request, variables, sum, err);
	if (!rc && request->evidence)
		rc = evidence_after(request->evidence, 0, evidence, err);
	if (rc)
		return rc;
	sum->metric /= sum->runs;
	rate = metric_rate(&request->instrument->metric, sum->metric);
	if (!isfinite(sum->metric) || !isfinite(rate) || rate <= 0)
		return error_set(
			err, -ENOMSG,
			"the metric is %g, whose mean or rate is no number of this machine",
			sum->metric);
	if (*evidence && evidence_add(*evidence, sum))
		rc = error_errno(err, -ENOMEM, "evidence of a slot");
	return rc;
}

int command_slot_run(const struct slot_request *request, struct slot_result *result,
		     struct error *err)
{
	const struct instrument *instrument = request->instrument;
	struct variables variables = { 0 };
	struct scratch scratch = { .fd = -1 };
	struct error cleanup_failure = { 0 };
	struct sum sum = { 0 };
	json_t *evidence = NULL;
	int rc, cleaned;

	memset(result, 0, sizeof(*result));
	rc = scratch_create(request->dir, &scratch, err);
	if (!rc)
		rc = variables_make(request, scratch.path, &variables, err);
	if (rc)
		goto out;
	rc = run_beside(instrument, instrument->prepare, "--prepare", &variables, false, err);
	if (!rc)
		rc = measure(request, &variables, &sum, &evidence, err);
	/* It undoes what prepare did, so it runs in any case, and to its end. */
	cleaned = run_beside(instrument, instrument->cleanup, "--cleanup", &variables, true,
			     &cleanup_failure);
	if (!rc && cleaned) {
		*err = cleanup_failure;
		rc = cleaned;
	}
	if (!rc) {
		result->length_ns = sum.wall_ns;
		result->start_ns = sum.start_ns;
		result->rate = metric_rate(&instrument->metric, sum.metric);
		result->evidence = evidence;
		evidence = NULL;
	}
out:
	json_decref(evidence);
	variables_free(&variables);
	scratch_remove(&scratch);
	return rc;
}
