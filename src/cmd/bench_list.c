// SPDX-License-Identifier: GPL-2.0-or-later
/* bench_list.c - bench --list and bench --plan: what there is, and what would run. */
#include "base/clock.h"
#include "base/escape.h"
#include "cmd/bench.h"
#include "cmd/output.h"
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 64

static const char *class_name(enum workload_class class)
{
	switch (class) {
	case CLASS_CPU:
		return "cpu";
	case CLASS_IPC:
		return "ipc";
	case CLASS_EXEC:
		return "exec";
	case CLASS_FILE:
		return "file";
	case CLASS_SHELL:
		return "shell";
	case CLASS_SYSCALL:
		return "syscall";
	case CLASS_LOCK:
		return "lock";
	}
	return "other";
}

static json_t *names_of(const char *const *names)
{
	json_t *array = json_array();

	for (; array && *names; names++) {
		if (json_array_append_new(array, json_string(*names))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *params_of(const struct workload *workload)
{
	const struct workload_param *param = workload->params;
	json_t *array = json_array();

	for (; array && param && param->name; param++) {
		json_t *one =
			param->choices
				? json_pack("{s:s, s:s, s:s, s:o}", "name", param->name, "help",
					    param->help, "default", param->choices[param->value],
					    "choices", names_of(param->choices))
				: json_pack("{s:s, s:s, s:s?, s:I, s:I, s:I}", "name", param->name,
					    "help", param->help, "unit", param->unit, "default",
					    (json_int_t)param->value, "min", (json_int_t)param->min,
					    "max", (json_int_t)param->max);

		if (json_array_append_new(array, one)) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *test_to_json(const struct workload *workload, const char *reason)
{
	char name[NAME_BYTES];

	return json_pack("{s:s, s:s, s:s, s:s?, s:s, s:s, s:f, s:b, s:s?, s:s?, s:o}", "id",
			 workload->id, "name", workload_name(workload, name, sizeof(name)), "title",
			 workload->title, "help", workload->help, "unit", workload->unit, "class",
			 class_name(workload->class), "baseline", workload->baseline, "supported",
			 !reason, "reason", reason, "note", workload->note, "params",
			 params_of(workload));
}

static void print_test(const struct workload *workload, const char *reason)
{
	char name[NAME_BYTES];

	printf("%-17s %-29s %-6s %-8s", workload_name(workload, name, sizeof(name)), workload->id,
	       workload->unit, class_name(workload->class));
	printf("%s\n", reason ? "no" : "yes");
	if (reason) {
		fputs("    ", stdout);
		escape_print(reason, stdout);
		fputc('\n', stdout);
	}
}

static int list_one(const struct workload *workload, const struct topology *topology,
		    const char *dir, json_t *tests, struct error *err)
{
	struct plan_row row = { .workload = workload, .copies = 1 };
	const struct workload_param *param = workload->params;
	char *reason = NULL;
	int rc;

	for (int i = 0; param && param[i].name && i < PLAN_PARAMS; i++)
		row.param[i] = param[i].value;
	rc = bench_unsupported(&row, topology, dir, &reason, err);
	if (rc)
		return rc;
	if (!tests)
		print_test(workload, reason);
	else if (json_array_append_new(tests, test_to_json(workload, reason)))
		rc = error_set(err, -ENOMEM, "no memory for the list");
	free(reason);
	return rc;
}

static void print_groups(void)
{
	fputs("\nSuites and groups:\n", stdout);
	for (const struct workload_group *group = workload_groups; group->name; group++)
		printf("%-17s %s\n", group->name, group->help);
}

static int list_each(const struct selection *selection, const struct topology *topology,
		     const char *dir, json_t *tests, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; selection && !rc && i < selection->count; i++)
		rc = list_one(selection->tests[i].workload, topology, dir, tests, err);
	for (size_t i = 0; !selection && !rc && workload_table[i]; i++)
		rc = list_one(workload_table[i], topology, dir, tests, err);
	for (const struct preset *preset = presets; !rc && preset->workload.id; preset++) {
		if (!selection || selection->preset == preset)
			rc = list_one(&preset->workload, topology, dir, tests, err);
	}
	return rc;
}

int bench_list_tests(const struct selection *selection, const struct topology *topology,
		     const char *dir, bool json, struct error *err)
{
	json_t *tests = json ? json_array() : NULL;
	int rc;

	if (json && !tests)
		return error_set(err, -ENOMEM, "no memory for the list");
	if (!json)
		printf("%-17s %-29s %-6s %-8s%s\n", "TEST", "ID", "UNIT", "CLASS", "RUNS HERE");
	rc = list_each(selection, topology, dir, tests, err);
	if (rc) {
		json_decref(tests);
		return rc;
	}
	if (!json) {
		if (!selection)
			print_groups();
		return output_finish(err);
	}
	rc = report_document(json_pack("{s:s, s:i, s:o}", "schema", "onproc.tests",
				       "schema_version", 1, "tests", tests),
			     stdout);
	return rc == -ENOMEM ? error_set(err, rc, "no memory for the list") : output_finish(err);
}

static int show_plan_json(const struct plan *plan, struct error *err)
{
	json_t *object = plan_to_json(plan);
	int rc;

	rc = report_document(json_pack("{s:s, s:i, s:I, s:o}", "schema", "onproc.plan",
				       "schema_version", 1, "estimate_ns",
				       (json_int_t)plan_estimate_ns(plan), "plan", object),
			     stdout);
	return rc == -ENOMEM ? error_set(err, rc, "no memory for the plan") : output_finish(err);
}

static void print_cpus(const struct plan_row *row, const struct plan *plan,
		       const struct topology *topology)
{
	int *cpu;

	if (plan->pin.kind == PIN_NONE)
		return;
	cpu = calloc(row->copies, sizeof(*cpu));
	if (cpu && !topology_place(topology, &plan->pin, row->copies, cpu, NULL)) {
		fputs("      on CPUs", stdout);
		for (uint32_t i = 0; i < row->copies; i++)
			printf(" %d%s", cpu[i],
			       i % 16 == 15 && i + 1 < row->copies ? "\n             " : "");
		fputc('\n', stdout);
	}
	free(cpu);
}

size_t bench_plan_running(const struct plan *plan)
{
	size_t running = 0;

	for (size_t i = 0; i < plan->n_rows; i++)
		running += !plan->rows[i].unsupported;
	return running;
}

static void print_sizes(const struct plan *plan, size_t running)
{
	char slot[24], warmup[24], time[24];

	printf("%zu %s", running, running == 1 ? "row" : "rows");
	if (plan->classic)
		printf(" as UnixBench 6 runs %s", running == 1 ? "it" : "them");
	else
		printf(", %s%" PRIu32 " %s each of %s after %s of warm-up",
		       plan->precision > 0 || plan->budget_ns ? "at most " : "", plan->slots,
		       plan->slots == 1 ? "slot" : "slots",
		       duration_text(plan->slot_ns, slot, sizeof(slot)),
		       duration_text(plan->warmup_ns, warmup, sizeof(warmup)));
	printf("\nabout %s, seed %" PRIu64 ", files in ",
	       duration_text(plan_estimate_ns(plan), time, sizeof(time)), plan->seed);
	escape_print(plan->dir, stdout);
	fputs("\n", stdout);
	if (plan->suite)
		printf("index of %s\n", plan->suite);
}

/*
 * What was set by hand is what differs from the test's own values; of a test with several rows, all
 * that tells them apart.
 */
static void print_params(const struct plan_row *row)
{
	const struct workload_param *param = row->workload->params;
	bool any = false;

	for (int i = 0; param && param[i].name && i < PLAN_PARAMS; i++) {
		if (row->param[i] == param[i].value && !row->workload->counters)
			continue;
		printf("%s%s=", any ? " " : "      ", param[i].name);
		if (param[i].choices)
			fputs(param[i].choices[row->param[i]], stdout);
		else
			printf("%" PRId64, row->param[i]);
		any = true;
	}
	if (any)
		fputc('\n', stdout);
}

static void print_order(const struct plan *plan, const struct topology *topology,
			const size_t *order)
{
	unsigned int place = 0;

	fputs(plan->classic ? "\nOrder:\n" : "\nOrder of the first block:\n", stdout);
	for (size_t i = 0; i < plan->n_rows; i++) {
		const struct plan_row *row = &plan->rows[order[i]];

		if (row->unsupported)
			continue;
		printf("%4u  %-36s %7" PRIu32 " %s\n", ++place, row->workload->id, row->copies,
		       row->copies == 1 ? "copy" : "copies");
		print_params(row);
		print_cpus(row, plan, topology);
	}
}

static void print_unsupported(const struct plan *plan)
{
	bool headed = false;

	for (size_t i = 0; i < plan->n_rows; i++) {
		const struct plan_row *row = &plan->rows[i];

		if (!row->unsupported)
			continue;
		if (!headed)
			fputs("\nCannot run here:\n", stdout);
		headed = true;
		printf("      %-36s %7" PRIu32 " %s\n          ", row->workload->id, row->copies,
		       row->copies == 1 ? "copy" : "copies");
		escape_print(row->unsupported, stdout);
		fputc('\n', stdout);
	}
}

int bench_show_plan(const struct plan *plan, const struct topology *topology, bool json,
		    struct error *err)
{
	size_t running = bench_plan_running(plan);
	size_t *order;

	if (json)
		return show_plan_json(plan, err);
	order = calloc(plan->n_rows, sizeof(*order));
	if (!order)
		return error_set(err, -ENOMEM, "no memory for the plan");
	for (size_t i = 0; i < plan->n_rows; i++)
		order[i] = i;
	/* as UnixBench: one test after the other */
	if (!plan->classic)
		plan_block_order(plan->seed, 0, order, plan->n_rows);
	if (running) {
		print_sizes(plan, running);
		print_order(plan, topology, order);
	} else {
		fputs("nothing would run\n", stdout);
	}
	print_unsupported(plan);
	free(order);
	return output_finish(err);
}
