// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - a command line against the table of its verb; see options.h. */
#include "cmd/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct option common_options[] = {
	{ .name = "db",
	  .kind = OPTION_STRING,
	  .argument = "PATH",
	  .help = "database of runs",
	  .fallback = "$XDG_DATA_HOME/onproc/onproc.db",
	  .complete = "file",
	  .offset = offsetof(struct verb_call, db) },
	{ .name = "help",
	  .letter = 'h',
	  .kind = OPTION_FLAG,
	  .help = "show this help and exit",
	  .offset = offsetof(struct verb_call, help) },
	{ .name = NULL },
};

void options_each(const struct verb *verb,
		  bool (*each)(const struct option *option, bool common, void *context),
		  void *context)
{
	for (const struct option *option = verb->options; option && option->name; option++) {
		if (!each(option, false, context))
			return;
	}
	for (const struct option *option = common_options; option->name; option++) {
		if (!each(option, true, context))
			return;
	}
}

const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; verbs[i]; i++) {
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	}
	return NULL;
}

struct search {
	const char *name; /* not terminated; NULL: look for the letter */
	size_t length;
	int letter;
	const struct option *found;
	bool common;
};

static bool search_one(const struct option *option, bool common, void *context)
{
	struct search *search = context;
	bool hit;

	if (search->name)
		hit = strlen(option->name) == search->length &&
		      !strncmp(option->name, search->name, search->length);
	else
		hit = option->letter == search->letter;
	if (hit) {
		search->found = option;
		search->common = common;
	}
	return !hit;
}

struct name_list {
	const char **names;
	size_t count;
};

static bool count_name(const struct option *option, bool common, void *context)
{
	(void)option;
	(void)common;
	((struct name_list *)context)->count++;
	return true;
}

static bool add_name(const struct option *option, bool common, void *context)
{
	struct name_list *list = context;

	(void)common;
	if (!option->hidden)
		list->names[list->count++] = option->name;
	return true;
}

static int unknown_option(const struct verb *verb, const char *name, size_t length,
			  struct error *err)
{
	struct name_list list = { 0 };
	const char *nearest = NULL;
	char *word = strndup(name, length);

	options_each(verb, count_name, &list);
	list.names = calloc(list.count + 1, sizeof(*list.names));
	if (word && list.names) {
		list.count = 0;
		options_each(verb, add_name, &list);
		nearest = near_name(word, list.names);
	}
	if (nearest)
		error_set(err, -EINVAL, "--%.*s: unknown option; did you mean --%s?", (int)length,
			  name, nearest);
	else
		error_set(err, -EINVAL, "--%.*s: unknown option", (int)length, name);
	free(list.names);
	free(word);
	return -EINVAL;
}

static int list_add(struct option_list *list, const char *text, struct error *err)
{
	const char **grown = realloc(list->values, (list->count + 1) * sizeof(*grown));

	if (!grown)
		return error_set(err, -ENOMEM, "no memory for the command line");
	list->values = grown;
	list->values[list->count++] = text;
	return 0;
}

static int choose(const struct option *option, const char *text, const char **value,
		  struct error *err)
{
	char offered[256] = "";
	const char *nearest;

	for (const char *const *choice = option->choices; *choice; choice++) {
		size_t used = strlen(offered);

		if (!strcmp(*choice, text)) {
			*value = text;
			return 0;
		}
		snprintf(offered + used, sizeof(offered) - used, "%s%s", used ? ", " : "", *choice);
	}
	nearest = near_name(text, option->choices);
	if (nearest)
		return error_set(err, -EINVAL, "\"%s\": expected one of %s; did you mean %s?", text,
				 offered, nearest);
	return error_set(err, -EINVAL, "\"%s\": expected one of %s", text, offered);
}

/* The value of an option from its text; flags have none. */
static int store_value(const struct option *option, void *value, const char *text,
		       struct error *err)
{
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)value = true;
		return 0;
	case OPTION_STRING:
		if (!*text)
			return error_set(err, -EINVAL, "expected %s, not an empty text",
					 option->argument);
		*(const char **)value = text;
		return 0;
	case OPTION_STRINGS:
		return list_add(value, text, err);
	case OPTION_COUNT:
		return value_count(text, option->min, option->max, value, err);
	case OPTION_DURATION:
		return value_duration(text, option->min, option->max, value, err);
	case OPTION_PERCENT:
		return value_percent(text, value, err);
	case OPTION_CHOICE:
		return choose(option, text, value, err);
	}
	return -EINVAL;
}

struct parser {
	const struct verb *verb;
	struct verb_call *call;
	char **next, **end; /* of argv */
};

static int take(struct parser *parser, const struct search *search, const char *text,
		struct error *err)
{
	const struct option *option = search->found;
	char *values = search->common ? (char *)parser->call : parser->call->values;
	int rc;

	if (option->kind != OPTION_FLAG && !text) {
		if (parser->next == parser->end)
			return error_set(err, -EINVAL, "--%s: needs a value (%s)", option->name,
					 option->argument);
		text = *parser->next++;
	}
	rc = store_value(option, values + option->offset, text, err);
	return rc ? error_context(err, "--%s", option->name) : 0;
}

static int take_long(struct parser *parser, const char *word, struct error *err)
{
	const char *value = strchr(word, '=');
	struct search search = { .name = word,
				 .length = value ? (size_t)(value - word) : strlen(word) };

	options_each(parser->verb, search_one, &search);
	if (!search.found)
		return unknown_option(parser->verb, word, search.length, err);
	if (value && search.found->kind == OPTION_FLAG)
		return error_set(err, -EINVAL, "--%s: takes no value", search.found->name);
	return take(parser, &search, value ? value + 1 : NULL, err);
}

/* "-pg20": flags may share a dash; what follows a letter that needs a value is the value. */
static int take_letters(struct parser *parser, const char *letters, struct error *err)
{
	for (; *letters; letters++) {
		struct search search = { .letter = *letters };
		bool is_flag;
		int rc;

		options_each(parser->verb, search_one, &search);
		if (!search.found)
			return error_set(err, -EINVAL, "-%c: unknown option", *letters);
		is_flag = search.found->kind == OPTION_FLAG;
		rc = take(parser, &search, !is_flag && letters[1] ? letters + 1 : NULL, err);
		if (rc || !is_flag)
			return rc;
	}
	return 0;
}

static int check_operands(const struct verb *verb, const struct verb_call *call, struct error *err)
{
	if (call->help)
		return 0;
	if (call->operands < verb->min_operands)
		return error_set(err, -EINVAL, "expected %s", verb->operands);
	if (verb->max_operands >= 0 && call->operands > verb->max_operands)
		return error_set(err, -EINVAL, "%s: one operand too many",
				 call->operand[verb->max_operands]);
	return 0;
}

int options_parse(const struct verb *verb, int argc, char **argv, struct verb_call *call,
		  struct error *err)
{
	struct parser parser = { verb, call, argv, argv + argc };
	bool options_ended = false;

	call->operand = argv;
	if (verb->values_bytes) {
		call->values = calloc(1, verb->values_bytes);
		if (!call->values)
			return error_set(err, -ENOMEM, "no memory for the command line");
		if (verb->defaults)
			memcpy(call->values, verb->defaults, verb->values_bytes);
	}
	while (parser.next < parser.end) {
		char *word = *parser.next++;
		int rc = 0;

		if (options_ended || word[0] != '-' || !word[1])
			argv[call->operands++] = word;
		else if (!strcmp(word, "--"))
			options_ended = true;
		else if (word[1] == '-')
			rc = take_long(&parser, word + 2, err);
		else
			rc = take_letters(&parser, word + 1, err);
		if (rc)
			return rc;
	}
	return check_operands(verb, call, err);
}

static bool free_list(const struct option *option, bool common, void *context)
{
	struct verb_call *call = context;

	if (option->kind == OPTION_STRINGS && !common) {
		struct option_list *list = (void *)((char *)call->values + option->offset);

		free(list->values);
	}
	return true;
}

void options_free(const struct verb *verb, struct verb_call *call)
{
	if (call->values)
		options_each(verb, free_list, call);
	free(call->values);
	call->values = NULL;
}
