// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - runs the client that it is linked with.
 *
 *	CLIENT [--most=N] [--drawn[=N]] [--seed=N] [--depth=N] [--preemptions=N] [--full] [--again]
 *	       [--steps=N] [--weaken=FILE:LINE] [--replay=CHOICES] [--name=TEXT] [--fails]
 *	       [--mutant=N] [--count]
 *
 * First up to `most` executions depth first, then, if that was not all and with --drawn, N drawn
 * ones. Prints TAP: one test, which holds when no execution fails (with --fails: when one does).
 * ONPROC_MODEL_TIMES multiplies the numbers of executions. See docs/checking.md.
 */
#include "explorer.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static struct {
	unsigned long most, drawn;
	unsigned int steps;
	bool fails;
	const char *name;
} asked = { .steps = 500 };

enum {
	MOST = 1,
	DRAWN,
	SEED,
	DEPTH,
	PREEMPTIONS,
	FULL,
	AGAIN,
	STEPS,
	WEAKEN,
	REPLAY,
	NAME,
	FAILS,
	MUTANT,
	COUNT
};

static const struct option options[] = {
	{ "most", required_argument, NULL, MOST },
	{ "drawn", required_argument, NULL, DRAWN },
	{ "seed", required_argument, NULL, SEED },
	{ "depth", required_argument, NULL, DEPTH },
	{ "preemptions", required_argument, NULL, PREEMPTIONS },
	{ "full", no_argument, NULL, FULL },
	{ "again", no_argument, NULL, AGAIN },
	{ "steps", required_argument, NULL, STEPS },
	{ "weaken", required_argument, NULL, WEAKEN },
	{ "replay", required_argument, NULL, REPLAY },
	{ "name", required_argument, NULL, NAME },
	{ "count", no_argument, NULL, COUNT },
	{ "fails", no_argument, NULL, FAILS },
	{ "mutant", required_argument, NULL, MUTANT },
	{ NULL, 0, NULL, 0 },
};

static int parse(int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		unsigned long number = optarg ? strtoul(optarg, NULL, 10) : 0;

		switch (option) {
		case MOST:
			asked.most = number;
			break;
		case DRAWN:
			asked.drawn = number;
			break;
		case SEED:
			settings.seed = number;
			break;
		case DEPTH:
			settings.depth = (unsigned int)number;
			break;
		case PREEMPTIONS:
			settings.preemptions = (int)number;
			break;
		case FULL:
			settings.full = true;
			break;
		case AGAIN:
			settings.again = true;
			break;
		case STEPS:
			asked.steps = number < EVENTS ? (unsigned int)number : EVENTS;
			break;
		case WEAKEN:
			settings.weaken = optarg;
			break;
		case REPLAY:
			settings.replay = optarg;
			break;
		case NAME:
			asked.name = optarg;
			break;
		case MUTANT:
			settings.mutant = (int)number;
			break;
		case COUNT:
			settings.count = true;
			break;
		case FAILS:
			asked.fails = true;
			break;
		default:
			return -EINVAL;
		}
	}
	return 0;
}

static unsigned long times(void)
{
	const char *text = getenv("ONPROC_MODEL_TIMES");
	unsigned long number = text ? strtoul(text, NULL, 10) : 1;

	return number ? number : 1;
}

static const char *how_far(const struct sums *sums, enum verdict verdict)
{
	if (verdict == FAILED || verdict == BOUND)
		return "up to a failing one";
	if (!sums->all)
		return "bounded";
	if (settings.preemptions >= 0)
		return "all up to the bound of preemptions";
	return sums->bound ? "exhaustive up to the bound of steps" : "exhaustive";
}

/* One way of searching. Returns true when it failed. */
static bool search(bool drawn, unsigned long most)
{
	struct sums sums;
	enum verdict verdict;

	settings.drawn = drawn;
	settings.most = most;
	settings.steps = drawn || settings.replay ? EVENTS : asked.steps;
	verdict = explore_client(&explore_options, client_main, &sums);
	if (settings.replay)
		printf("# the given execution\n");
	else if (drawn)
		printf("# %lu executions drawn with seed %llu: %lu complete, %lu cut\n",
		       sums.executions, (unsigned long long)settings.seed, sums.complete, sums.cut);
	else
		printf("# %lu executions, %s: %lu complete, %lu cut, %lu left after %u steps\n",
		       sums.executions, how_far(&sums, verdict), sums.complete, sums.cut,
		       sums.bound, settings.steps);
	printf("# %.1f steps and choices each\n", (double)sums.steps / (double)sums.executions);
	if (settings.count)
		printf("# %lu complete executions differ\n", report_kinds());
	report_outcomes(stdout);
	if (verdict == FAILED || verdict == BOUND || settings.replay) {
		report_failure(stdout, program_invocation_name);
		return verdict != COMPLETE && verdict != CUT;
	}
	if (!drawn && !sums.all && asked.drawn)
		return search(true, asked.drawn * times());
	return false;
}

int main(int argc, char **argv)
{
	const char *name;
	bool failed;

	if (parse(argc, argv))
		return 129;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (explore_skips()) {
		printf("1..0 # SKIP %s\n", explore_skips());
		return 0;
	}
	name = asked.name ? asked.name : program_invocation_short_name;
	if (asked.most == 0 && asked.drawn)
		failed = search(true, asked.drawn * times());
	else
		failed = search(false, asked.most * times());
	printf("1..1\n%sok 1 - %s\n", failed == asked.fails ? "" : "not ", name);
	return failed != asked.fails;
}
