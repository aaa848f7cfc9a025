// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * options.c - any bytes as a command line, a word a line: refused in words, or values within the
 * bounds of their table.
 */
#include "cmd/options.h"
#include "base/escape.h"
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 64

struct values {
	bool flag;
	const char *text, *choice;
	struct option_list list;
	uint64_t count, time_ns;
	double share;
};

#define AT(member) .offset = offsetof(struct values, member)

static const char *const choices[] = { "table", "json", NULL };

static const struct option options[] = {
	{ "flag", 'f', OPTION_FLAG, NULL, "a flag", AT(flag) },
	{ "text", 's', OPTION_STRING, "TEXT", "a text", AT(text) },
	{ "list", 'l', OPTION_STRINGS, "ITEM", "items", AT(list) },
	{ "count", 'c', OPTION_COUNT, "N", "a count", .min = 1, .max = 100, AT(count) },
	{ "time", 't', OPTION_DURATION, "TIME", "a time", .min = 10, .max = 1ull << 50,
	  AT(time_ns) },
	{ "share", 'p', OPTION_PERCENT, "SHARE", "a share", AT(share) },
	{ "format", 'o', OPTION_CHOICE, "FORM", "a form", .choices = choices, AT(choice) },
	{ NULL },
};

static const struct values defaults = { .count = 1, .time_ns = 10, .share = 0.5 };

static const struct verb verb = {
	.name = "fuzz",
	.operands = "[WORD...]",
	.max_operands = 8,
	.options = options,
	.values_bytes = sizeof(struct values),
	.defaults = &defaults,
};

const struct verb *const verbs[] = { &verb, NULL };

static void check_call(const struct verb_call *call, int argc)
{
	const struct values *values = call->values;

	if (call->operands < 0 || call->operands > argc || (!call->help && call->operands > 8))
		abort();
	for (int i = 0; i < call->operands; i++)
		if (!call->operand[i])
			abort();
	if (values->count < 1 || values->count > 100 || values->time_ns < 10 ||
	    values->time_ns > 1ull << 50 || !(values->share > 0 && values->share < 1))
		abort();
}

/* What goes to the terminal has no control character, whatever was typed. */
static void check_text(const struct error *err)
{
	char text[4 * sizeof(err->text) + 1];

	if (!err->text[0] || escape_text(err->text, text, sizeof(text)) >= sizeof(text))
		abort();
	for (const char *byte = text; *byte; byte++)
		if ((unsigned char)*byte < 0x20 || *byte == 0x7f)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	char *text = calloc(1, count + 1), *rest = text, *word;
	struct verb_call call = { 0 };
	struct error err = { 0 };
	char *argv[WORDS];
	int argc = 0, rc;

	if (!text)
		return 0;
	memcpy(text, bytes, count);
	while (argc < WORDS && (word = strsep(&rest, "\n")))
		argv[argc++] = word;
	rc = options_parse(&verb, argc, argv, &call, &err);
	if (!rc)
		check_call(&call, argc);
	else if (rc == -EINVAL)
		check_text(&err);
	options_free(&verb, &call);
	free(text);
	return 0;
}
