// SPDX-License-Identifier: GPL-2.0-or-later
/* list.c - onproc list: the runs of the database, newest first. */
#include "base/escape.h"
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define LIST_COLUMNS 80
#define HOST_COLUMNS 10

struct list_options {
	bool json;
};

static const struct option options[] = {
	{ .name = "json",
	  .kind = OPTION_FLAG,
	  .help = "print a JSON document instead of the table",
	  .offset = offsetof(struct list_options, json) },
	{ .name = NULL },
};

static int list_json(const struct run_head *heads, size_t count, struct error *err)
{
	if (output_json(run_heads_to_json(heads, count), stdout) == -ENOMEM)
		return error_set(err, -ENOMEM, "no memory for the list");
	return output_finish(err);
}

/* "1234.5 at 1, 2345.6 at 2": from column `at` on, further lines below the first score. */
static void print_scores(const struct run_head *head, int at)
{
	int column = at;

	for (size_t i = 0; i < head->n_scores; i++) {
		const struct score *score = &head->scores[i];
		char text[64];

		if (!isfinite(score->value))
			continue;
		snprintf(text, sizeof(text), " %.1f at %" PRIu32, score->value, score->copies);
		if (column + (int)strlen(text) > LIST_COLUMNS)
			column = printf("\n%*s", 23, "") - 1;
		column += printf("%s", text);
	}
	fputc('\n', stdout);
}

static void print_head(const struct run_head *head)
{
	char host[HOST_COLUMNS + 1], date[24] = "";
	time_t created = (time_t)head->created_s;
	struct tm utc;
	int column;

	if (gmtime_r(&created, &utc))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &utc);
	escape_text(head->host ? head->host : "-", host, sizeof(host));
	column = printf("%-22s %-16s ", head->id, date);
	fputs(host, stdout);
	column += HOST_COLUMNS;
	printf("%*s", HOST_COLUMNS - (int)escape_columns(host), "");
	column += printf(" %5" PRIu32 " %-11s", head->tests, run_status_names[head->status]);
	print_scores(head, column);
}

static int list_table(const struct run_head *heads, size_t count, struct error *err)
{
	printf("%-22s %-16s %-*s %5s %-11s %s\n", "RUN", "DATE (UTC)", HOST_COLUMNS, "HOST",
	       "TESTS", "STATUS", "SCORES");
	for (size_t i = 0; i < count; i++)
		print_head(&heads[i]);
	return output_finish(err);
}

static enum exit_code list(const struct verb_call *call)
{
	const struct list_options *typed = call->values;
	struct run_head *heads = NULL;
	struct store *store = NULL;
	struct error err = { 0 };
	size_t count = 0;
	int rc;

	rc = store_open(call->db, &store, &err);
	if (rc)
		return verb_failed("list", &err);
	rc = store_list(store, &heads, &count, &err);
	if (!rc)
		runs_mention_orphans("list", store);
	if (!rc && typed->json)
		rc = list_json(heads, count, &err);
	else if (!rc)
		rc = list_table(heads, count, &err);
	run_heads_free(heads, count);
	store_close(store);
	return rc ? verb_failed("list", &err) : EXIT_OK;
}

const struct verb verb_list = {
	.name = "list",
	.summary = "list the runs that are stored",
	.description = "Prints the runs of the database, newest first: id, date, host, number of "
		       "tests, status, and the index score at each copy count. Runs that were cut "
		       "off and can be resumed are named on standard error.",
	.options = options,
	.values_bytes = sizeof(struct list_options),
	.run = list,
};
