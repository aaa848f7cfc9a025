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
		 EXIT_REGRESSION = 1,	    /* only `gate` */
		 EXIT_INCONCLUSIVE = 125,   /* or not measurable: git bisect run skips */
		 EXIT_NOT_EXECUTABLE = 126, /* only `run`, as a shell has it */
		 EXIT_NOT_FOUND = 127,	    /* the same */
		 EXIT_ENVIRONMENT = 128,    /* internal or environment error */
		 EXIT_USAGE = 129,
		 EXIT_INTERRUPTED = 130, /* results kept */
};

enum option_kind {
	OPTION_FLAG,	 /* bool */
	OPTION_STRING,	 /* const char *: points into argv */
	OPTION_STRINGS,	 /* struct option_list: may be repeated */
	OPTION_COUNT,	 /* uint64_t within min … max */
	OPTION_DURATION, /* uint64_t in ns, within min … max: "500ms", "1s", "5m"; a number is
			    seconds */
	OPTION_PERCENT,	 /* double as a share: "1%", "0.5%" or "0.01" */
	OPTION_CHOICE,	 /* const char *, one of `choices` */
};

struct option_list {
	const char **values;
	size_t count;
};

struct option {
	const char *name; /* long name without dashes: "slot-time"; NULL ends the table */
	int letter;	  /* short form, 0: none */
	enum option_kind kind;
	const char *argument; /* name of the value in help: "N", "TIME"; NULL for flags */
	const char *help;     /* a phrase without a full stop */
	const char *fallback; /* default as shown in help, NULL: none */
	const char *complete; /* what completion offers: "file", "dir", "run", "test", or NULL */
	const char *const *choices;
	uint64_t min, max; /* OPTION_COUNT and OPTION_DURATION */
	size_t offset;	   /* of the value in the verb's struct of values */
	bool hidden;	   /* for the build, not for users: in no help, man page or completion */
};

/* A command line, parsed. */
struct verb_call {
	const char *db; /* --db: NULL for the default */
	bool help;	/* --help */
	void *values;	/* the verb's struct of values */
	int operands;
	char **operand;
	char *command; /* as typed, quoted for a shell; for the record */
};

struct verb {
	const char *name;
	const char *operands;		/* "[TEST...]", "RUN", "FILE..."; NULL: none */
	const char *summary;		/* a phrase without a full stop */
	const char *description;	/* paragraphs, separated by an empty line */
	const char *examples;		/* lines "command\texplanation", or NULL */
	const char *complete;		/* what completion offers for operands, as in an option */
	int min_operands, max_operands; /* max -1: any number */
	bool becomes_another;	      /* another program, for which signals are left as they came */
	const struct option *options; /* besides those of every verb; NULL: none */
	size_t values_bytes;	      /* size of the struct of values, 0: none */
	const void *defaults;	      /* such a struct, NULL: all zero */
	/* Runs; returns an exit code. The only place that prints. */
	enum exit_code (*run)(const struct verb_call *call);
};

extern const struct verb *const verbs[]; /* NULL-terminated, in the order of help */

const struct verb *verb_find(const char *name);

/* Options of every verb: --db and --help; offsets are into struct verb_call. */
extern const struct option common_options[];

/*
 * Visible and hidden options of a verb, its own first, then the common ones: calls `each` until it
 * returns false. `common` tells which of the two structs the offset is of.
 */
void options_each(const struct verb *verb,
		  bool (*each)(const struct option *option, bool common, void *context),
		  void *context);

/*
 * Parses argv after the verb: options and operands in any order, "--" ends options, "--name=value"
 * and
 * "--name value", "-c4", "-c 4", bundled flags. Operands move to the front of argv, where
 * call->operand points. call->values is made here. 0, -ENOMEM, or -EINVAL with the text, naming a
 * near option for an unknown one
 * ("--slot: unknown option; did you mean --slots?"). options_free() in any case.
 */
int options_parse(const struct verb *verb, int argc, char **argv, struct verb_call *call,
		  struct error *err);
void options_free(const struct verb *verb, struct verb_call *call);

/* One value from text, within min … max; "-EINVAL" and what was expected. Text does not name the
 * option. */
int value_count(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct error *err);
int value_duration(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *value_ns,
		   struct error *err);
int value_percent(const char *text, double *share, struct error *err);

/* "250ms", "1s", "6m 30s", "2h 5m": for reading, into text of at least 24 bytes. Returns text. */
const char *duration_text(uint64_t ns, char *text, size_t bytes);

void options_help(const struct verb *verb, FILE *out);
void options_help_verbs(FILE *out); /* of onproc itself */
void options_man(const struct verb *verb,
		 FILE *out);	    /* scdoc source of onproc-VERB(1); NULL: onproc(1) */
void options_completion(FILE *out); /* for bash, all verbs */

/* Nearest of `names` by edit distance with transpositions, case ignored; NULL when none is near. */
const char *near_name(const char *word, const char *const *names);

/*
 * Prints "onproc VERB: text" to stderr, escaped, and returns the exit code: interrupted for
 * -EINTR, else environment. usage_failed() is for what was typed: it points at --help and returns
 * usage.
 */
enum exit_code verb_failed(const char *verb, const struct error *err);
enum exit_code usage_failed(const char *verb, const struct error *err);

/* Prints "onproc VERB: text" to stderr, escaped. */
void verb_note(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
