// SPDX-License-Identifier: GPL-2.0-or-later
/* bench_plan.c - from the options of bench to a plan. */
#include "base/clock.h"
#include "cmd/bench.h"
#include "cmd/bench_lock.h"
#include "cmd/plan_options.h"
#include "measure/command.h"
#include "measure/command_adapter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

const char *const shell_names[] = { "sh", "none", NULL };

static int no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for the plan");
}

/* All -c of the command line as one list. */
static int all_copies(const struct option_list *typed, const char *otherwise, uint32_t all,
		      uint32_t **counts, size_t *n, struct error *err)
{
	char *whole = NULL;
	size_t bytes = 0;
	FILE *text;
	int rc;

	if (!typed->count)
		return copies_parse(otherwise, all, counts, n, err);
	text = open_memstream(&whole, &bytes);
	if (!text)
		return no_memory(err);
	for (size_t i = 0; i < typed->count; i++)
		fprintf(text, i ? ",%s" : "%s", typed->values[i]);
	if (fclose(text)) {
		free(whole);
		return no_memory(err);
	}
	rc = copies_parse(whole, all, counts, n, err);
	free(whole);
	return rc;
}

/* Index of a parameter in the workload's table; -EINVAL with the near one. */
static int param_index(const struct workload *workload, const char *test, const char *name,
		       struct error *err)
{
	const char *names[PLAN_PARAMS + 1] = { NULL };
	const struct workload_param *param = workload->params;
	const char *nearest;

	for (int i = 0; param && param[i].name && i < PLAN_PARAMS; i++) {
		if (!strcmp(param[i].name, name))
			return i;
		names[i] = param[i].name;
	}
	if (!names[0])
		return error_set(err, -EINVAL, "%s.%s: the test has no parameters", test, name);
	nearest = near_name(name, names);
	if (nearest)
		return error_set(err, -EINVAL, "%s.%s: unknown parameter; did you mean %s?", test,
				 name, nearest);
	return error_set(err, -EINVAL,
			 "%s.%s: unknown parameter; onproc bench --list --json shows all", test,
			 name);
}

static int number(const char *text, int64_t min, int64_t max, int64_t *value)
{
	char *end;
	long long read;

	errno = 0;
	read = strtoll(text, &end, 10);
	if (errno || end == text || *end || read < min || read > max)
		return -EINVAL;
	*value = read;
	return 0;
}

/* Sets a parameter in every row of a test. */
static int set_param(struct plan *plan, const char *test, const char *name, const char *text,
		     struct error *err)
{
	const struct workload *workload = workload_find(test);
	bool chosen = false;
	int64_t value;
	int i;

	if (!workload)
		return error_set(err, -EINVAL, "%s.%s: unknown test", test, name);
	i = param_index(workload, test, name, err);
	if (i < 0)
		return i;
	if (workload->params[i].choices)
		return error_set(err, -EINVAL, "%s.%s: set it with an option of its own", test,
				 name);
	if (number(text, workload->params[i].min, workload->params[i].max, &value))
		return error_set(err, -EINVAL,
				 "%s.%s=%s: expected a whole number from %" PRId64 " to %" PRId64,
				 test, name, text, workload->params[i].min,
				 workload->params[i].max);
	for (size_t row = 0; row < plan->n_rows; row++) {
		if (plan->rows[row].workload == workload) {
			plan->rows[row].param[i] = value;
			chosen = true;
		}
	}
	if (!chosen)
		return error_set(err, -EINVAL, "%s.%s: %s is not among the tests to run", test,
				 name, test);
	return 0;
}

/* TEST.NAME=VALUE */
static int set_typed_param(struct plan *plan, const char *typed, struct error *err)
{
	char *test = strdup(typed);
	char *value = test ? strchr(test, '=') : NULL;
	char *name;
	int rc;

	if (!test)
		return no_memory(err);
	if (value)
		*value++ = '\0';
	name = strrchr(test, '.');
	if (value && name && name != test && name[1]) {
		*name++ = '\0';
		rc = set_param(plan, test, name, value, err);
	} else {
		rc = error_set(err, -EINVAL, "\"%s\": expected TEST.NAME=VALUE", typed);
	}
	free(test);
	return rc ? error_context(err, "--param") : 0;
}

/* The options of `perf bench sched messaging` are parameters of the test messaging. */
static int set_messaging(struct plan *plan, const struct bench_options *options, struct error *err)
{
	const struct {
		const char *option, *param;
		uint64_t value; /* NOT_GIVEN: leave it */
	} shortcuts[] = {
		{ "--groups", "groups", options->groups },
		{ "--loops", "loops", options->loops },
		{ "--pipe", "pipe", options->pipe ? 1 : NOT_GIVEN },
		{ "--thread", "thread", options->thread ? 1 : NOT_GIVEN },
	};

	for (size_t i = 0; i < sizeof(shortcuts) / sizeof(shortcuts[0]); i++) {
		char text[24];

		if (shortcuts[i].value == NOT_GIVEN)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64, shortcuts[i].value);
		if (set_param(plan, "messaging", shortcuts[i].param, text, err))
			return error_context(err, "%s", shortcuts[i].option);
	}
	return 0;
}

static int set_params(struct plan *plan, const struct bench_options *options, struct error *err)
{
	int rc = set_messaging(plan, options, err);

	for (size_t i = 0; !rc && i < options->params.count; i++)
		rc = set_typed_param(plan, options->params.values[i], err);
	return rc;
}

/* A command, its adapter and all about it. */
static int make_instrument(struct plan *plan, const struct bench_options *options,
			   const struct preset *preset, struct error *err)
{
	const struct adapter *adapter = options->adapter ? adapter_find(options->adapter) : NULL;
	const char *metric = options->metric, *text = options->cmd, *name = options->name;
	struct instrument *instrument;
	char preset_name[64];

	if (adapter && !metric)
		metric = adapter->metric;
	if (preset) {
		text = preset->text;
		metric = preset->metric;
		name = workload_name(&preset->workload, preset_name, sizeof(preset_name));
	}
	instrument = plan->instrument = calloc(1, sizeof(*instrument));
	if (!instrument)
		return no_memory(err);
	const struct {
		const char *typed;
		char **text;
	} texts[] = {
		{ text, &instrument->text[0] },
		{ options->cmd_b, &instrument->text[1] },
		{ name, &instrument->name },
		{ metric, &instrument->metric_text },
		{ options->prepare, &instrument->prepare },
		{ options->cleanup, &instrument->cleanup },
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		*texts[i].text = texts[i].typed ? strdup(texts[i].typed) : NULL;
		if (texts[i].typed && !*texts[i].text)
			return no_memory(err);
	}
	instrument->no_shell = options->shell && !strcmp(options->shell, "none");
	instrument->ignore_failure = options->ignore_failure;
	instrument->timeout_ns = options->timeout_ns == NOT_GIVEN ? 0 : options->timeout_ns;
	if (instrument_complete(instrument, err) || instrument_check_programs(instrument, err))
		return error_context(err, "the command");
	if (preset)
		instrument->workload.supported = preset->workload.supported;
	instrument->workload.tools = preset ? preset->workload.tools : NULL;
	return 0;
}

static void make_row(struct plan *plan, const struct workload *workload, uint32_t copies,
		     bool by_name)
{
	const struct workload_param *param = workload->params;
	struct plan_row *row = &plan->rows[plan->n_rows++];

	row->workload = workload;
	row->by_name = by_name;
	row->copies = copies;
	for (int p = 0; param && param[p].name && p < PLAN_PARAMS; p++)
		row->param[p] = param[p].value;
}

/* The rows of a test that has its own: room is made for them. */
static int make_lock_rows(struct plan *plan, const struct bench_options *options,
			  const struct workload *workload, uint32_t cpus, size_t *room,
			  struct error *err)
{
	struct plan_row *grown = NULL;
	struct lock_rows rows;
	int rc = lock_rows_make(options, workload, cpus, &rows, err);

	if (!rc)
		grown = reallocarray(plan->rows, *room + rows.count, sizeof(*grown));
	if (!rc && !grown)
		rc = no_memory(err);
	if (grown) {
		memset(grown + *room, 0, rows.count * sizeof(*grown));
		plan->rows = grown;
		*room += rows.count;
	}
	for (size_t i = 0; !rc && i < rows.count; i++) {
		make_row(plan, workload, 1, rows.rows[i].by_name);
		memcpy(plan->rows[plan->n_rows - 1].param, rows.rows[i].param,
		       sizeof(rows.rows[i].param));
	}
	free(rows.rows);
	return rc;
}

static int make_rows(struct plan *plan, const struct bench_options *options,
		     const struct selection *selection, const struct topology *topology,
		     const uint32_t *counts, size_t n, struct error *err)
{
	size_t tests = selection->count + (plan->instrument ? 1 : 0), room = tests * n;
	int rc = 0;

	if (!tests || !n)
		return error_set(err, -EINVAL, "no tests to run");
	plan->rows = calloc(room, sizeof(*plan->rows));
	if (!plan->rows)
		return no_memory(err);
	for (size_t i = 0; !rc && i < selection->count; i++) {
		if (lock_has_rows(selection->tests[i].workload)) {
			rc = make_lock_rows(plan, options, selection->tests[i].workload,
					    topology_cpus(topology), &room, err);
			continue;
		}
		for (size_t j = 0; j < n; j++)
			make_row(plan, selection->tests[i].workload, counts[j],
				 selection->tests[i].by_name);
	}
	if (rc)
		return rc;
	for (size_t j = 0; plan->instrument && j < n; j++) {
		make_row(plan, &plan->instrument->workload, counts[j], true);
		plan->rows[plan->n_rows - 1].instrument = plan->instrument;
	}
	return 0;
}

/* No placement, no row: "needs two hardware threads of one core: no core has two". */
static int no_pairs(const struct plan_row *row, const struct topology *topology, char **reason,
		    struct error *err)
{
	struct error why = { 0 };
	int(*cpu)[2];
	int rc;

	if (row->workload->pair == PAIR_FREE)
		return 0;
	cpu = calloc(row->copies, sizeof(*cpu));
	if (!cpu)
		return no_memory(err);
	rc = topology_pairs(topology, row->workload->pair, row->copies, cpu, &why);
	free(cpu);
	if (rc == -ENOTSUP) {
		*reason = strdup(why.text);
		return *reason ? 0 : no_memory(err);
	}
	return rc ? error_set(err, rc, "%s", why.text) : 0;
}

int bench_unsupported(const struct plan_row *row, const struct topology *topology, const char *dir,
		      char **reason, struct error *err)
{
	const struct workload_request request = { row->param, row->copies, dir };
	struct reason why = { "" };

	*reason = NULL;
	if (row->workload->supported && row->workload->supported(&request, &why)) {
		*reason = strdup(why.text);
		return *reason ? 0 : no_memory(err);
	}
	return no_pairs(row, topology, reason, err);
}

static int find_unsupported(struct plan *plan, const struct topology *topology, struct error *err)
{
	for (size_t i = 0; i < plan->n_rows; i++) {
		struct plan_row *row = &plan->rows[i];
		int rc = bench_unsupported(row, topology, plan->dir, &row->unsupported, err);

		if (rc)
			return rc;
		if (plan->classic && !row->unsupported && !row->workload->classic_passes) {
			row->unsupported =
				strdup("UnixBench 6 has no such test to repeat (--classic)");
			if (!row->unsupported)
				return no_memory(err);
		}
	}
	return 0;
}

static uint64_t given(uint64_t typed, uint64_t otherwise)
{
	return typed == NOT_GIVEN ? otherwise : typed;
}

uint64_t bench_drawn_seed(void)
{
	uint64_t seed = 0;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = clock_raw_ns();
	return seed & PLAN_SEED_MAX;
}

/* Options of a command need one, and some belong to what was typed as such. */
static int check_command(const struct bench_options *options, const struct selection *selection,
			 struct error *err)
{
	bool has_command = options->cmd || selection->preset;

	if (options->cmd && selection->preset)
		return error_set(err, -EINVAL, "--cmd: a run measures one command at most");
	if (!options->cmd &&
	    (options->metric || options->adapter || options->name || options->shell))
		return error_set(err, -EINVAL,
				 "--metric, --adapter, --name and --shell are about a command of "
				 "--cmd: give one");
	if (!has_command && (options->prepare || options->cleanup || options->ignore_failure ||
			     options->timeout_ns != NOT_GIVEN))
		return error_set(err, -EINVAL,
				 "--prepare, --cleanup, --timeout and --ignore-failure are about a "
				 "command: give one");
	if (has_command && options->pin)
		return error_set(err, -EINVAL, "--pin is for tests: a command places itself");
	return 0;
}

static int check_together(const struct bench_options *options, const struct selection *selection,
			  struct error *err)
{
	const bool sized = options->slots != NOT_GIVEN || options->slot_ns != NOT_GIVEN ||
			   options->warmup || options->precision > 0;

	if (options->classic && (sized || options->quick))
		return error_set(err, -EINVAL,
				 "--classic has UnixBench's own times: only -i changes it");
	if (options->passes != NOT_GIVEN && options->slots != NOT_GIVEN)
		return error_set(err, -EINVAL, "-i and --slots are the same: give one of them");
	if (lock_options_check(options, selection, err))
		return err->code;
	return check_command(options, selection, err);
}

/* A bare number is runs where there is a command, else seconds. */
static int set_warmup(struct plan *plan, const struct bench_options *options, struct error *err)
{
	uint64_t runs;

	plan->warmup_ns = options->quick ? PLAN_QUICK_WARMUP_NS : PLAN_WARMUP_NS;
	if (!options->warmup)
		return 0;
	if (plan->instrument && !value_count(options->warmup, 0, COMMAND_WARMUP_MAX, &runs, NULL)) {
		plan->instrument->warmup_runs = (uint32_t)runs;
		return 0;
	}
	if (value_duration(options->warmup, 0, 3600 * NS_PER_S, &plan->warmup_ns, err))
		return error_context(err, "--warmup");
	return 0;
}

static void set_sizes(struct plan *plan, const struct bench_options *options)
{
	uint64_t slots = options->quick ? PLAN_QUICK_SLOTS : PLAN_SLOTS;

	if (options->precision > 0)
		slots = PLAN_PRECISION_SLOTS;
	if (!options->classic)
		slots = given(options->passes, given(options->slots, slots));
	else
		plan->classic_i = (uint32_t)given(options->passes, 0);
	plan->classic = options->classic;
	plan->slots = (uint32_t)slots;
	plan->slot_ns = given(options->slot_ns, options->quick ? PLAN_QUICK_SLOT_NS : PLAN_SLOT_NS);
	plan->precision = options->precision;
	plan->budget_ns = given(options->budget_ns, 0);
	plan->seed = options->seed == NOT_GIVEN ? bench_drawn_seed() : options->seed;
}

/* A list with a CPU that is not allowed is found out before measuring. */
static int check_pin(const struct plan *plan, const struct topology *topology, struct error *err)
{
	uint32_t copies = 1;
	int *cpu;
	int rc;

	if (plan->pin.kind == PIN_NONE)
		return 0;
	for (size_t i = 0; i < plan->n_rows; i++)
		copies = plan->rows[i].copies > copies ? plan->rows[i].copies : copies;
	cpu = calloc(copies, sizeof(*cpu));
	if (!cpu)
		return no_memory(err);
	rc = topology_place(topology, &plan->pin, copies, cpu, err);
	free(cpu);
	return rc ? error_context(err, "--pin") : 0;
}

int bench_plan(const struct bench_options *options, const struct selection *selection,
	       const struct topology *topology, const char *dir, struct plan *plan,
	       struct error *err)
{
	uint32_t *counts = NULL;
	size_t n = 0;
	int rc;

	*plan = (struct plan){ 0 };
	rc = check_together(options, selection, err);
	if (rc)
		return rc;
	if (options->cmd || selection->preset)
		rc = make_instrument(plan, options, selection->preset, err);
	if (!rc)
		rc = set_warmup(plan, options, err);
	/* How many of its own a command makes is its affair, unless one asks for it. */
	if (!rc)
		rc = all_copies(&options->copies, selection->count ? options->default_copies : "1",
				topology_cpus(topology), &counts, &n, err);
	if (rc)
		return rc;
	set_sizes(plan, options);
	plan->dir = strdup(dir);
	plan->suite = selection->suite ? strdup(selection->suite) : NULL;
	if (!plan->dir || (selection->suite && !plan->suite))
		rc = no_memory(err);
	if (!rc)
		rc = make_rows(plan, options, selection, topology, counts, n, err);
	free(counts);
	if (!rc)
		rc = set_params(plan, options, err);
	if (!rc && options->pin && pin_parse(options->pin, &plan->pin, err))
		rc = error_context(err, "--pin");
	if (!rc)
		rc = check_pin(plan, topology, err);
	if (!rc)
		rc = find_unsupported(plan, topology, err);
	return rc;
}

int bench_selection(const struct bench_options *options, char *const *names, int count,
		    struct selection *selection, struct error *err)
{
	*selection = (struct selection){ 0 };
	if (options->cmd && !count)
		return 0;
	return selection_make(names, count, options->suite, selection, err);
}

void planning_free(struct planning *planning)
{
	plan_free(&planning->plan);
	if (planning->topology)
		topology_close(planning->topology);
	selection_free(&planning->selection);
	free(planning->dir);
}
