// SPDX-License-Identifier: GPL-2.0-or-later
/* ab.c - onproc ab: two sides of this machine, switched in blocks, until each test is decided. */
#include "base/clock.h"
#include "cmd/bench.h"
#include "cmd/measure_run.h"
#include "cmd/plan_options.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"
#include "measure/ab_sides.h"
#include "measure/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BUDGET_NS (1800 * NS_PER_S)

struct ab_options {
	struct bench_options plan;
	const char *a, *b, *a_cmd, *b_cmd, *check, *restore;
	struct option_list a_env, b_env;
	uint64_t blocks;
	double margin;
};

#define OWN(member) .offset = offsetof(struct ab_options, member)
#define AT(member)  .offset = offsetof(struct ab_options, plan.member)

static const struct option options[] = {
	{ "a", 0, OPTION_STRING, "NAME: SETUP", "side A, and the command that sets it", OWN(a) },
	{ "b", 0, OPTION_STRING, "NAME: SETUP", "side B, and the command that sets it", OWN(b) },
	{ "a-env", 0, OPTION_STRINGS, "NAME=VALUE",
	  "environment variable of side A; may be repeated", OWN(a_env) },
	{ "b-env", 0, OPTION_STRINGS, "NAME=VALUE",
	  "environment variable of side B; may be repeated", OWN(b_env) },
	{ "a-cmd", 0, OPTION_STRING, "CMD", "measure runs of this command on side A", OWN(a_cmd) },
	{ "b-cmd", 0, OPTION_STRING, "CMD", "and of this one on side B", OWN(b_cmd) },
	{ "check", 0, OPTION_STRING, "CMD",
	  "must print the same for a side every time, and not the same for both", OWN(check) },
	{ "restore", 0, OPTION_STRING, "CMD", "puts the machine back at the end",
	  "the setup of side A", OWN(restore) },
	{ "copies", 'c', OPTION_STRINGS, "LIST", "copies at once, as in onproc bench", "1",
	  AT(copies) },
	{ "blocks", 0, OPTION_COUNT, "N",
	  "blocks of each test, looked at once, from 6 on with an interval; otherwise looks after "
	  "8, "
	  "12, 18 and so on decide",
	  .min = 1, .max = AB_BLOCKS_MAX, OWN(blocks) },
	{ "margin", 0, OPTION_PERCENT, "SHARE", "what is too little to matter", "1%", OWN(margin) },
	{ "precision", 0, OPTION_PERCENT, "SHARE",
	  "a test also ends when its interval is within this share", AT(precision) },
	{ "time", 0, OPTION_DURATION, "TIME", "end after this time with what is there by then",
	  "30m, or none with --blocks", .min = NS_PER_S, .max = 30ull * 24 * 3600 * NS_PER_S,
	  AT(budget_ns) },
	{ "quick", 0, OPTION_FLAG, NULL, "slots of 500ms after 150ms", AT(quick) },
	SLOT_TIME_OPTION,
	WARMUP_OPTION,
	SEED_OPTION,
	PIN_OPTION,
	DIR_OPTION,
	{ "suite", 0, OPTION_STRING, "SUITE", "what runs without TEST", "unixbench6",
	  .complete = "suite", AT(suite) },
	{ "json", 0, OPTION_FLAG, NULL, "print a JSON document instead of the table", AT(json) },
	OUTPUT_OPTION,
	TEST_OPTIONS,
	COMMAND_OPTIONS,
	{ NULL },
};

static const struct ab_options defaults = {
	.plan = { .default_copies = "1", BENCH_OPTIONS_DEFAULTS },
	.blocks = NOT_GIVEN,
	.margin = AB_MARGIN,
};

static int no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for the sides");
}

static int check_together(const struct ab_options *typed, struct error *err)
{
	if (!typed->a != !typed->b)
		return error_set(err, -EINVAL, "--a and --b: give both of them");
	if (!typed->a_cmd != !typed->b_cmd)
		return error_set(err, -EINVAL, "--a-cmd and --b-cmd: give both of them");
	if (typed->a_cmd && typed->plan.cmd)
		return error_set(err, -EINVAL,
				 "--cmd is one command for both sides: give it, or --a-cmd and "
				 "--b-cmd");
	return 0;
}

static int make_side(const char *text, const char *option, const struct option_list *variables,
		     struct side *side, struct error *err)
{
	if (text && side_parse(text, side, err))
		return error_context(err, "--%s", option);
	for (size_t i = 0; i < variables->count; i++) {
		if (!variable_is_assignment(variables->values[i]))
			return error_set(err, -EINVAL, "--%s-env: \"%.200s\": expected NAME=VALUE",
					 option, variables->values[i]);
		if (variable_is_own(variables->values[i]))
			return error_set(err, -EINVAL,
					 "--%s-env: \"%.200s\": onproc sets this variable itself",
					 option, variables->values[i]);
		if (variables_put(&side->variables, variables->values[i]))
			return no_memory(err);
	}
	return 0;
}

/* By a setup or by variables; two commands switch nothing. */
static bool is_switched(const struct sides *sides)
{
	return sides->side[SIDE_A].setup || sides->side[SIDE_A].variables.count ||
	       sides->side[SIDE_B].variables.count;
}

static int make_sides(const struct ab_options *typed, struct plan *plan, struct error *err)
{
	struct sides *sides = plan->sides = calloc(1, sizeof(*sides));
	int rc;

	if (!sides)
		return no_memory(err);
	rc = make_side(typed->a, "a", &typed->a_env, &sides->side[SIDE_A], err);
	if (!rc)
		rc = make_side(typed->b, "b", &typed->b_env, &sides->side[SIDE_B], err);
	if (rc)
		return rc;
	if (!sides->side[SIDE_A].setup != !sides->side[SIDE_B].setup)
		return error_set(err, -EINVAL,
				 "--a and --b: only one side has a SETUP, so nothing would set the "
				 "other again");
	if ((typed->check || typed->restore) && !is_switched(sides))
		return error_set(err, -EINVAL,
				 "--check and --restore are about what is switched: give --a and "
				 "--b with a SETUP, or --a-env or --b-env");
	sides->check = typed->check ? strdup(typed->check) : NULL;
	sides->restore = typed->restore ? strdup(typed->restore) : NULL;
	if ((typed->check && !sides->check) || (typed->restore && !sides->restore))
		return no_memory(err);
	sides->blocks = typed->blocks == NOT_GIVEN ? 0 : (uint32_t)typed->blocks;
	sides->margin = typed->margin;
	sides->alpha = AB_ALPHA;
	if (!sides->blocks && !plan->budget_ns)
		plan->budget_ns = DEFAULT_BUDGET_NS;
	return 0;
}

static enum exit_code ab(const struct verb_call *call)
{
	const struct ab_options *typed = call->values;
	struct bench_options plan_options = typed->plan;
	struct planning made = { 0 };
	enum exit_code code;
	struct error err = { 0 };

	if (typed->a_cmd) {
		plan_options.cmd = typed->a_cmd;
		plan_options.cmd_b = typed->b_cmd;
	}
	if (!check_together(typed, &err) &&
	    !bench_selection(&plan_options, call->operand, call->operands, &made.selection, &err) &&
	    !scratch_find(plan_options.dir, &made.dir, &err) &&
	    !topology_open(NULL, &made.topology, &err) &&
	    !bench_plan(&plan_options, &made.selection, made.topology, made.dir, &made.plan, &err))
		make_sides(typed, &made.plan, &err);
	if (err.code)
		code = err.code == -EINVAL ? usage_failed("ab", &err) : verb_failed("ab", &err);
	else if (runs_refuse_left_side(call->db, NULL, &err))
		code = verb_failed("ab", &err);
	else
		code = measure_plan("ab", call, &made.plan, made.topology, typed->plan.json,
				    typed->plan.output);
	planning_free(&made);
	return code;
}

const struct verb verb_ab = {
	.name = "ab",
	.operands = "[TEST...]",
	.summary = "compare two sides of this machine",
	.description =
		"Measures tests or a command on two sides in turn and says for each whether side B "
		"is better, worse or the same, with an interval of the ratio. The sides are set by "
		"a command (--a, --b), by environment variables (--a-env, --b-env), or are two "
		"commands (--a-cmd, --b-cmd); without any of these they are equal.\n\n"
		"Slots come in blocks of four, ABBA or BAAB as drawn from the seed, so that drift "
		"cancels. After 8, 12, 18, 27 and so on blocks each test is looked at, and ends "
		"when it is "
		"decided; the looks share the error of 5%, so that a run may be resumed. A block "
		"during which something else used the machine is repeated.\n\n"
		"Setups, --check and --restore are commands of /bin/sh, run to their end with "
		"ONPROC_SIDE set. Whatever ends onproc, side A is set again; what kill -9 left is "
		"told by the next onproc, and nothing is compared until onproc resume has restored "
		"it or onproc rm forgotten.",
	.examples = "onproc ab pipe --a 'off: ./set 0' --b 'on: ./set 1' --check ./get\ta knob\n"
		    "onproc ab --a-cmd 'sort -u words' --b-cmd 'sort words | uniq'\ttwo commands\n"
		    "onproc ab pipe syscall --blocks 12\ttwo equal sides",
	.complete = "test",
	.max_operands = -1,
	.options = options,
	.values_bytes = sizeof(struct ab_options),
	.defaults = &defaults,
	.run = ab,
};
