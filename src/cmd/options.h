/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - one table per verb drives parsing, --help, the man page and shell completion.
 */
#ifndef ONPROC_CMD_OPTIONS_H
#define ONPROC_CMD_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum exit_code { /* of every verb */
	EXIT_OK = 0,
	EXIT_REGRESSION = 1,       /* only `gate` */
	EXIT_INCONCLUSIVE = 125,   /* or not measurable: git bisect run skips */
	EXIT_ENVIRONMENT = 128,    /* internal or environment error */
	EXIT_USAGE = 129,
	EXIT_INTERRUPTED = 130,    /* results kept */
};

enum option_kind {
	OPTION_FLAG,     /* bool * */
	OPTION_STRING,   /* const char ** : points into argv */
	OPTION_STRINGS,  /* struct option_list * : may be repeated */
	OPTION_COUNT,    /* uint64_t *, within min … max */
	OPTION_DURATION, /* uint64_t * in ns: "500ms", "1s", "5m", "2h"; a plain number is seconds */
	OPTION_PERCENT,  /* double * as a share: "1%", "0.5%" or "0.01" */
	OPTION_CHOICE,   /* const char **, one of `choices` */
};

struct option_list {
	const char **values;
	size_t count;
};

struct option {
	const char *name;      /* long name without dashes: "slot-time"; NULL ends the table */
	char letter;           /* short form, 0: none */
	enum option_kind kind;
	const char *argument;  /* name of the value in help: "N", "TIME"; NULL for flags */
	const char *help;      /* one sentence without a full stop */
	const char *fallback;  /* default as shown in help, NULL: none */
	const char *complete;  /* what completion offers: "file", "dir", "run", "test", or NULL */
	const char *const *choices;
	uint64_t min, max;     /* OPTION_COUNT and OPTION_DURATION */
	void *value;
};

struct verb {
	const char *name;
	const char *operands;  /* "[TEST…]", "RUN", "FILE…" */
	const char *summary;   /* one line */
	const char *description; /* paragraphs for --help and the man page, separated by an empty line */
	const char *examples;  /* lines "command\texplanation", or NULL */
	const char *complete;  /* what completion offers for operands */
	int min_operands, max_operands; /* -1: any number */
	/* Fills `table` (room options) with the verb's table bound to its own variables. */
	const struct option *(*options)(void);
	/* Runs; returns an exit code. The only place that prints and dies. */
	enum exit_code (*run)(int operands, char **operand);
};

extern const struct verb *const verbs[]; /* NULL-terminated */

/*
 * Parses argv after the verb (options and operands in any order, "--" ends options, "--name=value" and
 * "--name value", "-c4", "-c 4", bundled flags). Operands move to the front of argv. Returns their number, or -EINVAL
 * with the text, naming a near option for an unknown one ("--slot: unknown option; did you mean --slots?").
 */
int options_parse(const struct verb *verb, int argc, char **argv, struct error *err);
void options_help(const struct verb *verb, FILE *out);
void options_man(const struct verb *verb, FILE *out); /* scdoc source of onproc-VERB(1) */
void options_completion(FILE *out);                   /* bash completion for all verbs */

/* Nearest of `names` by edit distance, NULL when none is near. */
const char *near_name(const char *word, const char *const *names);

/* Prints "onproc VERB: text" to stderr, escaped, and returns the exit code that belongs to err->code. */
enum exit_code verb_failed(const char *verb, const struct error *err);

#endif
