/* SPDX-License-Identifier: GPL-2.0-or-later */
/* comparison_options.h - what verbs that compare stored runs share: options, and loading sides. */
#ifndef ONPROC_CMD_COMPARISON_OPTIONS_H
#define ONPROC_CMD_COMPARISON_OPTIONS_H

#include "cmd/options.h"
#include "compare/comparison.h"
#include "store/store.h"

struct comparison_options {
	double margin, alpha; /* 0: not given, see struct comparison_request */
	struct option_list tests;
};

/* Row of a verb's table; `at`: offset of a double. */
#define ALPHA_ROW(at, otherwise)                                                                   \
	{                                                                                          \
		.name = "alpha", .kind = OPTION_PERCENT, .argument = "SHARE",                      \
		.help = "error allowed: intervals have a level of 1 - alpha",                      \
		.fallback = (otherwise), .offset = (at)                                            \
	}

/* Rows for a verb's table; `base` is the offset of a struct comparison_options in its values. */
#define COMPARISON_OPTION_ROWS(base)                                                               \
	{ .name = "margin",                                                                        \
	  .kind = OPTION_PERCENT,                                                                  \
	  .argument = "SHARE",                                                                     \
	  .help = "difference that matters in practice",                                           \
	  .fallback = "1%, or that of onproc ab",                                                  \
	  .offset = (base) + offsetof(struct comparison_options, margin) },                        \
		ALPHA_ROW((base) + offsetof(struct comparison_options, alpha),                     \
			  "5%, or that of onproc ab"),                                             \
	{                                                                                          \
		.name = "test", .kind = OPTION_STRINGS, .argument = "TEST",                        \
		.help = "compare this test only; may be repeated", .complete = "test",             \
		.offset = (base) + offsetof(struct comparison_options, tests)                      \
	}

/* The runs that one operand names. */
struct operand_runs {
	struct run *runs;
	const struct run **list; /* the same, for struct comparison_runs */
	size_t count;
	const char *name; /* the operand where it is a tag: what the side is called; else NULL */
	const char *side; /* "A" or "B" of "RUN:A" and "RUN:B"; NULL: not said */
	char *typed;	  /* the operand without its side */
};

/* -EINVAL where a side is named that no run has: "RUN:C". */
int operand_check(const char *typed, struct error *err);

/*
 * Loads what was typed: a run as in onproc show; with `several` also a list with commas, and all
 * runs of a tag. A side may stand behind it: "RUN:B". To be freed in any case.
 */
int operand_load(struct store *store, const char *typed, bool several, struct operand_runs *loaded,
		 struct error *err);
void operand_free(struct operand_runs *loaded);

/* tests is made here, NULL-terminated, to be freed; NULL: no memory. */
const char **comparison_tests(const struct comparison_options *typed);

#endif
