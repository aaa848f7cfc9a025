// SPDX-License-Identifier: GPL-2.0-or-later
/* list.c - onproc list: the runs of the database, newest first. */
#include "base/escape.h"
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define HOST_COLUMNS   9
#define NUMBER_COLUMNS 8 /* as in the index column of show */
#define SCORE_COLUMNS  7 /* right-aligned; a longer one shifts its line */
#define SCORE_AT       (22 + 1 + 10 + 1 + HOST_COLUMNS + 1 + 11 + 1)

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
	if (report_document(run_heads_to_json(heads, count), stdout) == -ENOMEM)
		return error_set(err, -ENOMEM, "no memory for the list");
	return output_finish(err);
}

/* The digits that `show` prints: those that the interval supports, of imports one decimal. */
static void format_score(const struct run_head *head, const struct score *score, char *text,
			 size_t bytes)
{
	double half_width = (score->hi - score->lo) / 2;

	if (head->status == RUN_IMPORTED)
		half_width = 1;
	format_number(score->value, half_width, NUMBER_COLUMNS, text, bytes);
}

/* "1234.5 at 1, partial" from the column of the scores on, a line each; ends the line. */
static void print_scores(const struct run_head *head)
{
	bool is_first = true;

	for (size_t i = 0; i < head->n_scores; i++) {
		const struct score *score = &head->scores[i];
		char number[NUMBER_COLUMNS + 1];

		if (!isfinite(score->value))
			continue;
		format_score(head, score, number, sizeof(number));
		printf("%*s%*s at %" PRIu32 "%s\n", is_first ? 1 : SCORE_AT, "", SCORE_COLUMNS,
		       number, score->copies, score->tests < score->tests_full ? ", partial" : "");
		is_first = false;
	}
	if (is_first)
		printf(" %*s, %" PRIu32 " %s\n", SCORE_COLUMNS, "none", head->tests,
		       head->tests == 1 ? "test" : "tests");
}

static void print_tags(const struct run_head *head)
{
	for (size_t i = 0; i < json_array_size(head->tags); i++)
		printf("%s%s", i ? ", " : "  tagged ",
		       json_string_value(json_array_get(head->tags, i)));
	if (json_array_size(head->tags))
		fputc('\n', stdout);
}

static void print_head(const struct run_head *head)
{
	char host[HOST_COLUMNS + 1], date[24] = "-";
	time_t created = (time_t)head->created_s;
	struct tm utc;

	/* 0: an import that does not say */
	if (head->created_s && gmtime_r(&created, &utc))
		strftime(date, sizeof(date), "%Y-%m-%d", &utc);
	escape_text(head->host ? head->host : "-", host, sizeof(host));
	printf("%-22s %-10s ", head->id, date);
	fputs(host, stdout);
	printf("%*s", HOST_COLUMNS - (int)escape_columns(host), "");
	printf(" %-11s", run_status_names[head->status]);
	print_scores(head);
	print_tags(head);
}

static int list_table(const struct run_head *heads, size_t count, struct error *err)
{
	printf("%-22s %-10s %-*s %-11s %*s\n", "RUN", "DATE (UTC)", HOST_COLUMNS, "HOST", "STATUS",
	       SCORE_COLUMNS, "SCORES");
	for (size_t i = 0; i < count; i++)
		print_head(&heads[i]);
	return output_finish(err);
}

/* Nothing was measured yet: an empty list. But a database that was named should be there. */
static bool none_is_fine(const char *named)
{
	char *usual = named ? NULL : store_default_path();
	bool fine = usual;

	free(usual);
	return fine;
}

static enum exit_code list(const struct verb_call *call)
{
	const struct list_options *typed = call->values;
	struct run_head *heads = NULL;
	struct store *store = NULL;
	struct error err = { 0 };
	size_t count = 0;
	int rc;

	rc = store_open_existing(call->db, &store, &err);
	if (rc && !(rc == -ENOENT && none_is_fine(call->db)))
		return verb_failed("list", &err);
	rc = store ? store_list(store, &heads, &count, &err) : 0;
	if (!rc && store)
		runs_mention_orphans("list", store, true);
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
	.description = "Prints the runs of the database, newest first: id, date, host, status, "
		       "and the index score at each copy count, or the number of tests where "
		       "there is no score; on a line of their own the names that onproc tag "
		       "gave. Runs that were cut "
		       "off and can be resumed are named on standard error.",
	.options = options,
	.values_bytes = sizeof(struct list_options),
	.run = list,
};
