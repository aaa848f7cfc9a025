// SPDX-License-Identifier: GPL-2.0-or-later
/* help_verb.c - onproc help, and what the build and completion ask of it. */
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/selection.h"
#include "cmd/verbs.h"
#include "workload/lock_kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct help_options {
	bool man, completion;
	const char *complete;
};

static const char *const completed[] = { "test", "suite", "run",  "orphan",
					 "pin",	 "lock",  "verb", NULL };

static const struct option options[] = {
	{ .name = "man",
	  .kind = OPTION_FLAG,
	  .help = "the man page as scdoc source",
	  .offset = offsetof(struct help_options, man),
	  .hidden = true },
	{ .name = "completion",
	  .kind = OPTION_FLAG,
	  .help = "the bash completion",
	  .offset = offsetof(struct help_options, completion),
	  .hidden = true },
	{ .name = "complete",
	  .kind = OPTION_CHOICE,
	  .argument = "WHAT",
	  .help = "words that completion offers",
	  .choices = completed,
	  .offset = offsetof(struct help_options, complete),
	  .hidden = true },
	{ .name = NULL },
};

static bool print_name(const char *name, void *context)
{
	(void)context;
	puts(name);
	return true;
}

static void print_runs(const char *db, bool orphans)
{
	struct run_head *heads = NULL;
	char(*ids)[RUN_ID_BYTES] = NULL;
	struct store *store = NULL;
	size_t count = 0;

	if (store_open_existing(db, &store, NULL))
		return;
	if (orphans && !journal_orphans(store, &ids, &count, NULL)) {
		for (size_t i = 0; i < count; i++)
			puts(ids[i]);
	} else if (!orphans && !store_list(store, &heads, &count, NULL)) {
		puts("last");
		for (size_t i = 0; i < count; i++)
			puts(heads[i].id);
		run_heads_free(heads, count);
	}
	free(ids);
	store_close(store);
}

static void complete(const char *what, const char *db)
{
	if (!strcmp(what, "test")) {
		selection_names(print_name, NULL);
	} else if (!strcmp(what, "suite")) {
		for (const struct workload_group *group = workload_groups; group->name; group++) {
			if (group->is_suite)
				puts(group->name);
		}
	} else if (!strcmp(what, "pin")) {
		puts("none\nspread\ncompact");
	} else if (!strcmp(what, "lock")) {
		for (const struct lock_name *kind = lock_names; kind->name; kind++)
			puts(kind->name);
	} else if (!strcmp(what, "verb")) {
		for (size_t i = 0; verbs[i]; i++)
			puts(verbs[i]->name);
	} else {
		print_runs(db, !strcmp(what, "orphan"));
	}
}

enum exit_code verb_unknown(const char *name)
{
	struct error err = { 0 };
	const char *names[32] = { NULL };
	const char *nearest;

	for (size_t i = 0; i < 31 && verbs[i]; i++)
		names[i] = verbs[i]->name;
	nearest = near_name(name, names);
	if (nearest)
		error_set(&err, -EINVAL, "%s: unknown verb; did you mean %s?", name, nearest);
	else
		error_set(&err, -EINVAL, "%s: unknown verb", name);
	return usage_failed(NULL, &err);
}

static enum exit_code help(const struct verb_call *call)
{
	const struct help_options *typed = call->values;
	const struct verb *verb = NULL;
	struct error err = { 0 };

	if (call->operands) {
		verb = verb_find(call->operand[0]);
		if (!verb)
			return verb_unknown(call->operand[0]);
	}
	if (typed->man)
		options_man(verb, stdout);
	else if (typed->completion)
		options_completion(stdout);
	else if (typed->complete)
		complete(typed->complete, call->db);
	else if (verb)
		options_help(verb, stdout);
	else
		options_help_verbs(stdout);
	return output_finish(&err) ? verb_failed("help", &err) : EXIT_OK;
}

const struct verb verb_help = {
	.name = "help",
	.operands = "[VERB]",
	.summary = "show the verbs, or the options of one",
	.description = "Prints what onproc VERB --help prints, or without VERB the list of verbs.",
	.complete = "verb",
	.max_operands = 1,
	.options = options,
	.values_bytes = sizeof(struct help_options),
	.run = help,
};
