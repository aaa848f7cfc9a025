// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - command lines against a table of a verb that has one option of each kind. */
#include "cmd/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

struct sample {
	bool flag, other;
	const char *text, *choice;
	struct option_list list;
	uint64_t count, time_ns;
	double share;
};

#define AT(member) .offset = offsetof(struct sample, member)

static const char *const choices[] = { "table", "json", NULL };

static const struct option options[] = {
	{ "flag", 'f', OPTION_FLAG, NULL, "a flag", AT(flag) },
	{ "other", 'o', OPTION_FLAG, NULL, "another", AT(other) },
	{ "text", 's', OPTION_STRING, "TEXT", "a text", AT(text) },
	{ "list", 'l', OPTION_STRINGS, "ITEM", "items", AT(list) },
	{ "count", 'c', OPTION_COUNT, "N", "a count", .min = 1, .max = 100, AT(count) },
	{ "slot-time", 0, OPTION_DURATION, "TIME", "a time", .max = UINT64_MAX, AT(time_ns) },
	{ "share", 0, OPTION_PERCENT, "SHARE", "a share", AT(share) },
	{ "format", 0, OPTION_CHOICE, "FORM", "a form", .choices = choices, AT(choice) },
	{ "secret", 0, OPTION_FLAG, NULL, "for the build", AT(other), .hidden = true },
	{ NULL },
};

static const struct sample defaults = { .count = 7 };

static enum exit_code no_run(const struct verb_call *call)
{
	(void)call;
	return EXIT_OK;
}

static const struct verb verb = {
	.name = "sample",
	.operands = "[THING...]",
	.summary = "try the table",
	.description = "First paragraph with under_score and *star*.\n\n# not a heading",
	.examples = "onproc sample -f\ta flag",
	.max_operands = 2,
	.options = options,
	.values_bytes = sizeof(struct sample),
	.defaults = &defaults,
	.run = no_run,
};

const struct verb *const verbs[] = { &verb, NULL };

struct parsed {
	struct verb_call call;
	struct error err;
	char *argv[16];
	int rc;
};

/* A command line as words ended by NULL. */
static void parse(struct parsed *parsed, ...)
{
	va_list words;
	int argc = 0;
	char *word;

	memset(parsed, 0, sizeof(*parsed));
	va_start(words, parsed);
	while ((word = va_arg(words, char *)))
		parsed->argv[argc++] = word;
	va_end(words);
	parsed->rc = options_parse(&verb, argc, parsed->argv, &parsed->call, &parsed->err);
}

static void refuses(const char *text, const char *first, const char *second)
{
	struct parsed parsed;

	parse(&parsed, first, second, NULL);
	assert_int_equal(parsed.rc, -EINVAL);
	if (!strstr(parsed.err.text, text))
		fail_msg("\"%s\" does not say \"%s\"", parsed.err.text, text);
	options_free(&verb, &parsed.call);
}

static void every_kind_is_read(void **state)
{
	const struct sample *sample;
	struct parsed parsed;

	(void)state;
	parse(&parsed, "-f", "--text=a b", "-l", "1", "--list", "2", "-c4", "--slot-time", "250ms",
	      "--share=1%", "--format", "json", "--db", "/x/y.db", NULL);
	assert_int_equal(parsed.rc, 0);
	sample = parsed.call.values;
	assert_true(sample->flag);
	assert_false(sample->other);
	assert_string_equal(sample->text, "a b");
	assert_int_equal(sample->list.count, 2);
	assert_string_equal(sample->list.values[0], "1");
	assert_string_equal(sample->list.values[1], "2");
	assert_int_equal(sample->count, 4);
	assert_int_equal(sample->time_ns, 250000000);
	assert_true(sample->share == 0.01);
	assert_string_equal(sample->choice, "json");
	assert_string_equal(parsed.call.db, "/x/y.db");
	assert_int_equal(parsed.call.operands, 0);
	options_free(&verb, &parsed.call);
}

static void what_is_not_typed_keeps_its_default(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, NULL);
	assert_int_equal(parsed.rc, 0);
	assert_int_equal(((struct sample *)parsed.call.values)->count, 7);
	assert_null(parsed.call.db);
	options_free(&verb, &parsed.call);
}

static void operands_and_options_mix(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "one", "-f", "two", "-c", "3", NULL);
	assert_int_equal(parsed.rc, 0);
	assert_int_equal(parsed.call.operands, 2);
	assert_string_equal(parsed.call.operand[0], "one");
	assert_string_equal(parsed.call.operand[1], "two");
	options_free(&verb, &parsed.call);
}

static void a_dash_alone_is_an_operand(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "-", "-f", NULL);
	assert_int_equal(parsed.rc, 0);
	assert_int_equal(parsed.call.operands, 1);
	assert_string_equal(parsed.call.operand[0], "-");
	options_free(&verb, &parsed.call);
}

static void two_dashes_end_the_options(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "-f", "--", "-c", "-", NULL);
	assert_int_equal(parsed.rc, 0);
	assert_int_equal(parsed.call.operands, 2);
	assert_string_equal(parsed.call.operand[0], "-c");
	assert_string_equal(parsed.call.operand[1], "-");
	options_free(&verb, &parsed.call);
}

static void flags_share_a_dash_with_a_last_value(void **state)
{
	const struct sample *sample;
	struct parsed parsed;

	(void)state;
	parse(&parsed, "-foc9", NULL);
	assert_int_equal(parsed.rc, 0);
	sample = parsed.call.values;
	assert_true(sample->flag && sample->other);
	assert_int_equal(sample->count, 9);
	options_free(&verb, &parsed.call);
}

static void a_wrong_word_is_named_with_what_was_expected(void **state)
{
	(void)state;
	refuses("--slot: unknown option", "--slot", NULL);
	refuses("did you mean --slot-time?", "--slot-tiem", "1s");
	refuses("--frobnicate: unknown option", "--frobnicate", NULL);
	refuses("-z: unknown option", "-z", NULL);
	refuses("-z: unknown option", "-fz", NULL);
	refuses("--flag: takes no value", "--flag=1", NULL);
	refuses("--count: needs a value (N)", "--count", NULL);
	refuses("--count: needs a value (N)", "-fc", NULL);
	refuses("--count: \"0\": expected a whole number from 1 to 100", "-c", "0");
	refuses("--count: \"99999999999999999999\"", "-c", "99999999999999999999");
	refuses("--count: \"\"", "--count=", NULL);
	refuses("--text: expected TEXT", "--text=", NULL);
	refuses("--format: \"jsn\": expected one of table, json; did you mean json?", "--format",
		"jsn");
	refuses("--slot-time: \"1y\": expected a time", "--slot-time", "1y");
	refuses("--share: \"2\"", "--share", "2");
}

static void a_hidden_option_is_taken_but_never_offered(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "--secret", NULL);
	assert_int_equal(parsed.rc, 0);
	options_free(&verb, &parsed.call);
	parse(&parsed, "--secre", NULL);
	assert_int_equal(parsed.rc, -EINVAL);
	assert_null(strstr(parsed.err.text, "--secret"));
	options_free(&verb, &parsed.call);
}

static void too_many_operands_are_refused_but_not_beside_help(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "1", "2", "3", NULL);
	assert_int_equal(parsed.rc, -EINVAL);
	assert_non_null(strstr(parsed.err.text, "3: one operand too many"));
	options_free(&verb, &parsed.call);
	parse(&parsed, "1", "2", "3", "-h", NULL);
	assert_int_equal(parsed.rc, 0);
	assert_true(parsed.call.help);
	options_free(&verb, &parsed.call);
}

static char *written(void (*write)(const struct verb *verb, FILE *out))
{
	static char text[16384];
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_non_null(out);
	write(&verb, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void help_shows_visible_options_alone(void **state)
{
	const char *text = written(options_help);

	(void)state;
	assert_non_null(strstr(text, "Usage: onproc sample [OPTION...] [THING...]\n"));
	assert_non_null(strstr(text, "  -c, --count N "));
	assert_non_null(strstr(text, "a form: table, json\n"));
	assert_non_null(strstr(text, "--db PATH"));
	assert_null(strstr(text, "secret"));
}

static void a_man_page_takes_text_literally(void **state)
{
	const char *text = written(options_man);

	(void)state;
	assert_non_null(strstr(text, "onproc-sample(1)\n"));
	assert_non_null(strstr(text, "under\\_score and \\*star\\*"));
	assert_non_null(strstr(text, "\n\\# not a heading"));
	assert_non_null(strstr(text, "*-c*, *--count* _N_\n\ta count.\n"));
	assert_null(strstr(text, "secret"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_read),
		cmocka_unit_test(what_is_not_typed_keeps_its_default),
		cmocka_unit_test(operands_and_options_mix),
		cmocka_unit_test(a_dash_alone_is_an_operand),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(flags_share_a_dash_with_a_last_value),
		cmocka_unit_test(a_wrong_word_is_named_with_what_was_expected),
		cmocka_unit_test(a_hidden_option_is_taken_but_never_offered),
		cmocka_unit_test(too_many_operands_are_refused_but_not_beside_help),
		cmocka_unit_test(help_shows_visible_options_alone),
		cmocka_unit_test(a_man_page_takes_text_literally),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
