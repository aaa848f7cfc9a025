// SPDX-License-Identifier: GPL-2.0-or-later
/* history.c - onproc history: one test over all stored runs, and where its level changed. */
#include "compare/history.h"

#include "cmd/comparison_options.h"
#include "cmd/output.h"
#include "cmd/verbs.h"
#include "report/history.h"
#include "report/report.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COPIES_MOST 1000000

struct history_options {
	const char *env, *format, *output;
	uint64_t copies;
	double margin, alpha;
};

static const char *const forms[] = { "terminal", "json", "csv", NULL };

static const struct option options[] = {
	{ .name = "env",
	  .kind = OPTION_STRING,
	  .argument = "FINGERPRINT",
	  .help = "only the series whose fingerprint starts so",
	  .offset = offsetof(struct history_options, env) },
	{ .name = "copies",
	  .letter = 'c',
	  .kind = OPTION_COUNT,
	  .argument = "N",
	  .help = "only runs of so many copies",
	  .fallback = "all",
	  .min = 1,
	  .max = COPIES_MOST,
	  .offset = offsetof(struct history_options, copies) },
	{ .name = "format",
	  .kind = OPTION_CHOICE,
	  .argument = "FORM",
	  .help = "form of the report",
	  .fallback = "terminal",
	  .choices = forms,
	  .offset = offsetof(struct history_options, format) },
	{ .name = "margin",
	  .kind = OPTION_PERCENT,
	  .argument = "SHARE",
	  .help = "change from which it is more than drift",
	  .fallback = "1%",
	  .offset = offsetof(struct history_options, margin) },
	ALPHA_ROW(offsetof(struct history_options, alpha), "5%"),
	OUTPUT_FILE_ROW(offsetof(struct history_options, output)),
	{ .name = NULL },
};

static const struct history_options defaults = {
	.format = "terminal",
	.margin = COMPARISON_MARGIN,
	.alpha = COMPARISON_ALPHA,
};

struct gathering {
	const char *env; /* NULL: all */
	struct history *history;
};

static int add_run(struct run *run, void *context)
{
	const struct gathering *gathering = context;
	int rc = 0;

	for (size_t i = 0; !rc && i < run->n_series; i++) {
		char fingerprint[FINGERPRINT_BYTES];

		history_fingerprint(run, &run->series[i], fingerprint);
		if (!gathering->env ||
		    !strncasecmp(fingerprint, gathering->env, strlen(gathering->env)))
			rc = history_add(gathering->history, run, &run->series[i]);
	}
	return rc;
}

static int gather(const struct verb_call *call, struct history *history, struct error *err)
{
	const struct history_options *typed = call->values;
	struct gathering gathering = { typed->env, history };
	struct store *store = NULL;
	size_t ids = 0;
	int rc = store_open_existing(call->db, &store, err);

	if (rc)
		return rc;
	rc = store_each_of_test(store, call->operand[0], (uint32_t)typed->copies, add_run,
				&gathering, &ids, err);
	if (rc == -ENOMEM)
		error_set(err, rc, "no memory for a history");
	else if (!rc && !ids)
		rc = error_set(err, -ENOENT, "%s: no run in %s has such a test", call->operand[0],
			       store_path(store));
	else if (!rc && !history->n_series)
		rc = error_set(
			err, -ENOENT, "%s: no run in %s has a result of this test with a date%s",
			call->operand[0], store_path(store),
			typed->env || typed->copies ? ", this fingerprint and copy count" : "");
	store_close(store);
	return rc;
}

static bool is_unicode_terminal(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *locale = getenv(names[i]);

		if (locale && *locale)
			return strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8");
	}
	return false;
}

static int write_terminal(const void *history, FILE *out)
{
	return report_history(history, is_unicode_terminal(), out);
}

static int write_json(const void *history, FILE *out)
{
	return report_document(history_to_json(history), out);
}

static int write_csv(const void *history, FILE *out)
{
	return report_history_csv(history, out);
}

static enum exit_code show_history(const struct verb_call *call)
{
	const struct history_options *typed = call->values;
	struct history history = { 0 };
	struct output output = { write_terminal, &history, "the history" };
	struct error err = { 0 };
	int rc = gather(call, &history, &err);

	if (!strcmp(typed->format, "json"))
		output.write = write_json;
	else if (!strcmp(typed->format, "csv"))
		output.write = write_csv;
	rc = rc ? rc : history_judge(&history, typed->margin, typed->alpha, &err);
	rc = rc ? rc : output_write(typed->output ? typed->output : "-", &output, &err);
	history_free(&history);
	return rc ? verb_failed("history", &err) : EXIT_OK;
}

const struct verb verb_history = {
	.name = "history",
	.operands = "TEST",
	.summary = "show a test over all stored runs",
	.description =
		"Prints the results of a test over time with the points where their level changed. "
		"There is a series for each copy count and environment fingerprint, which is of "
		"host, CPU model, microcode, memory, hypervisor and the test's id and content "
		"hash: where these differ, results are not of one series. What differs between "
		"the runs on both sides of a change is listed: kernel, its build, command line "
		"and configuration, flags, tool. A change is suspect until three runs have the new "
		"level, then confirmed; one smaller than the margin is drift.\n\n"
		"TEST is the name of a test, or its id with or without the version. Runs without "
		"a date are left out.",
	.examples = "onproc history pipe\tall series of pipe\n"
		    "onproc history context1 -c 4 --format csv\tfor other tools",
	.complete = "test",
	.min_operands = 1,
	.max_operands = 1,
	.options = options,
	.values_bytes = sizeof(struct history_options),
	.defaults = &defaults,
	.run = show_history,
};
