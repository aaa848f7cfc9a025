// SPDX-License-Identifier: GPL-2.0-or-later
/* record_json.c - the run's document: complete, exact, strict, and precise about what is wrong. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *fixture_document(void)
{
	struct run run;
	json_t *document;

	fixture_run(&run, "20261130-142233-1a2b3c");
	document = run_to_json(&run, true);
	run_free(&run);
	assert_non_null(document);
	return document;
}

static void a_run_comes_back_from_its_document_unchanged(void **state)
{
	json_t *document = fixture_document();
	struct run run;
	struct error err;
	char *before = json_dumps(document, 0), *after;

	(void)state;
	assert_int_equal(run_from_json(document, &run, &err), 0);
	json_decref(document);
	assert_true(run.seed == UINT64_MAX);
	assert_true(run.series[0].slots[2].rate == 1.0 / 3);
	assert_true(run.series[1].slots[0].rate == 5e15 + 0.5);
	assert_true(isnan(run.series[0].slots[3].rate));
	assert_true(isnan(run.series[1].index));
	assert_true(run.series[1].baseline == 0);
	assert_string_equal(run.series[0].modes[0].estimate.reason, "n too small (3 < 6)");
	assert_string_equal(run.series[0].modes[0].placement, "same-cpu");
	document = run_to_json(&run, true);
	after = json_dumps(document, 0);
	assert_string_equal(before, after);
	json_decref(document);
	run_free(&run);
	free(before);
	free(after);
}

/* Every null of our own members has its reason beside it; null means "none" in these alone. */
static void check_reasons(const json_t *value, const char *name)
{
	static const char *const none[] = { "side", "note", "reason", "error", NULL };
	/* The reason of these is the member `reason` of the same object. */
	static const char *const shared[] = { "value", "lo", "hi", "level", NULL };
	const char *member;
	json_t *element;

	for (size_t i = 0; i < json_array_size(value); i++)
		check_reasons(json_array_get(value, i), name);
	if (!json_is_object(value) || !strcmp(name, "plan") || !strcmp(name, "environment") ||
	    !strcmp(name, "evidence") || !strcmp(name, "params"))
		return;
	json_object_foreach((json_t *)value, member, element)
	{
		bool exempt = false;
		char reason[64];

		check_reasons(element, member);
		for (size_t i = 0; none[i]; i++)
			exempt |= !strcmp(member, none[i]);
		if (!json_is_null(element) || exempt)
			continue;
		snprintf(reason, sizeof(reason), "%s_reason", member);
		for (size_t i = 0; shared[i]; i++)
			if (!strcmp(member, shared[i]))
				snprintf(reason, sizeof(reason), "reason");
		if (!json_is_string(json_object_get(value, reason)))
			fail_msg("%s.%s is null without %s", name, member, reason);
	}
}

static void every_null_has_a_reason_beside_it(void **state)
{
	json_t *document = fixture_document();
	struct run bare;

	(void)state;
	check_reasons(document, "document");
	json_decref(document);
	run_init(&bare);
	snprintf(bare.id, sizeof(bare.id), "bare");
	run_add_series(&bare)->copies = 1;
	document = run_to_json(&bare, true);
	check_reasons(document, "document");
	json_decref(document);
	run_free(&bare);
}

static void a_document_without_slots_says_nothing_of_them(void **state)
{
	struct run run;
	json_t *document, *series;

	(void)state;
	fixture_run(&run, "a");
	document = run_to_json(&run, false);
	series = json_array_get(json_object_get(document, "series"), 0);
	assert_null(json_object_get(series, "slots"));
	assert_non_null(json_object_get(series, "estimate"));
	json_decref(document);
	run_free(&run);
}

static void text_that_is_not_utf8_is_kept_escaped(void **state)
{
	struct run run;
	json_t *document, *object;

	(void)state;
	run_init(&run);
	snprintf(run.id, sizeof(run.id), "a");
	run.command = strdup("a\xff\xc3\xa9\xed\xa0\x80z");
	document = run_to_json(&run, true);
	assert_non_null(document);
	object = json_object_get(document, "run");
	assert_string_equal(json_string_value(json_object_get(object, "command")),
			    "a\\xff\xc3\xa9\\xed\\xa0\\x80z");
	json_decref(document);
	run_free(&run);
}

/*
 * A locale with a decimal comma, made here: the machine need not have it. Skips where the sources
 * of locales are missing.
 */
static void numbers_do_not_follow_the_locale(void **state)
{
	char directory[64], command[256];
	char *c_text, *de_text;
	struct run run;

	(void)state;
	scratch_make(directory);
	snprintf(command, sizeof(command),
		 "localedef -c -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", directory);
	if (system(command) < 0 || setenv("LOCPATH", directory, 1) ||
	    !setlocale(LC_ALL, "de_DE.UTF-8") || strcmp(localeconv()->decimal_point, ",") != 0) {
		print_message(
			"# skipped: no de_DE.UTF-8 and no localedef with sources to make it\n");
		setlocale(LC_ALL, "C");
		scratch_remove(directory);
		skip();
	}
	fixture_run(&run, "a");
	de_text = fixture_text(&run);
	run_free(&run);
	setlocale(LC_ALL, "C");
	fixture_run(&run, "a");
	c_text = fixture_text(&run);
	run_free(&run);
	scratch_remove(directory);
	unsetenv("LOCPATH");
	assert_string_equal(de_text, c_text);
	assert_non_null(strstr(c_text, "1000000.1"));
	free(c_text);
	free(de_text);
}

/* What is set where, and the text that must come of it. */
static const struct bad {
	const char *path;  /* "series.0.slots.0.rate" */
	const char *value; /* JSON; NULL: the member is removed */
	int code;
	const char *text;
} bads[] = {
	{ "schema", "\"onproc.list\"", -EINVAL,
	  "schema: expected \"onproc.run\", found the string \"onproc.list\"" },
	{ "schema_version", "2", -ENOTSUP,
	  "schema_version: onproc.run version 2 is from a newer onproc; this one reads up to "
	  "version 1" },
	{ "schema_version", "0", -EINVAL, "schema_version: expected an integer >= 1, found 0" },
	{ "schema_version", "1.5", -EINVAL, "schema_version: expected an integer >= 1, found 1.5" },
	{ "run", NULL, -EINVAL, "run: expected an object, found nothing" },
	{ "run.id", "\"../../x\"", -EINVAL,
	  "run.id: expected an id of [0-9a-z-], 1 to 31 characters, found the string \"../../x\"" },
	{ "run.id", "\"last\"", -EINVAL,
	  "run.id: expected an id of [0-9a-z-], 1 to 31 characters, found the string \"last\"" },
	{ "run.status", "\"done\"", -EINVAL,
	  "run.status: expected \"running\", \"complete\", \"interrupted\" or \"imported\", found "
	  "the string \"done\"" },
	{ "run.seed", "\"18446744073709551616\"", -EINVAL,
	  "run.seed: expected a string of decimal digits below 2^64, found the string "
	  "\"18446744073709551616\"" },
	{ "run.seed", "\"-1\"", -EINVAL,
	  "run.seed: expected a string of decimal digits below 2^64, found the string \"-1\"" },
	{ "run.seed", "7", -EINVAL,
	  "run.seed: expected a string of decimal digits below 2^64, found 7" },
	{ "run.elapsed_s", "-1", -EINVAL,
	  "run.elapsed_s: expected a number >= 0 or null, found -1" },
	{ "run.warnings", "[1]", -EINVAL,
	  "run.warnings: expected an array of strings, found an array" },
	{ "run.surprise", "1", -EINVAL, "run.surprise: expected no member of this name, found 1" },
	{ "series", "{}", -EINVAL, "series: expected an array, found an object" },
	{ "series.0.copies", "0", -EINVAL,
	  "series[0].copies: expected an integer from 1 to 1000000, found 0" },
	{ "series.0.copies", "4294967297", -EINVAL,
	  "series[0].copies: expected an integer from 1 to 1000000, found 4294967297" },
	{ "series.0.test", "\"\"", -EINVAL,
	  "series[0].test: expected a test id, found the string \"\"" },
	{ "series.0.side", "\"C\"", -EINVAL,
	  "series[0].side: expected \"A\", \"B\" or null, found the string \"C\"" },
	{ "series.0.baseline", "-2", -EINVAL,
	  "series[0].baseline: expected a number > 0 or null, found -2" },
	{ "series.0.params", "[]", -EINVAL,
	  "series[0].params: expected an object, found an array" },
	{ "series.0.estimate", NULL, -EINVAL,
	  "series[0].estimate: expected an object, found nothing" },
	{ "series.0.estimate.level", "1.5", -EINVAL,
	  "series[0].estimate.level: expected a number from 0 to 1 or null, found 1.5" },
	{ "series.0.estimate.lo", "1", -EINVAL,
	  "series[0].estimate.hi: expected a number >= lo, or null with lo, found null" },
	{ "series.0.modes.1.share", "2", -EINVAL,
	  "series[0].modes[1].share: expected a number from 0 to 1, found 2" },
	{ "series.0.modes.0.placement", "\"a name with more than 23 characters\"", -EINVAL,
	  "series[0].modes[0].placement: expected a string of at most 23 characters or null, found "
	  "the string \"a name with more than 23 characters\"" },
	{ "series.0.slots", NULL, -EINVAL, "series[0].slots: expected an array, found nothing" },
	{ "series.1.slots.0.rate", "\"fast\"", -EINVAL,
	  "series[1].slots[0].rate: expected a number > 0 or null, found the string \"fast\"" },
	{ "series.0.slots.0.rate", "0", -EINVAL,
	  "series[0].slots[0].rate: expected a number > 0 or null, found 0" },
	{ "series.0.slots.0.rate", "null", -EINVAL,
	  "series[0].slots[0].rate: expected a number > 0 in a slot that did not fail, found "
	  "null" },
	{ "series.0.slots.3.rate", "5", -EINVAL,
	  "series[0].slots[3].rate: expected null in a failed slot, found 5" },
	{ "series.0.slots.3.error", "null", -EINVAL,
	  "series[0].slots[3].error: expected the reason of a failed slot, found null" },
	{ "series.0.slots.0.block", "4294967296", -EINVAL,
	  "series[0].slots[0].block: expected an integer from 0 to 4294967295, found 4294967296" },
	{ "series.0.slots.0.start_ns", "-1", -EINVAL,
	  "series[0].slots[0].start_ns: expected an integer >= 0, found -1" },
	{ "series.1.slots.0.counts", "[1]", -EINVAL,
	  "series[1].slots[0].counts: expected an array of 2 numbers (copies) or null, found an "
	  "array" },
	{ "series.1.slots.0.counts.1", "-1", -EINVAL,
	  "series[1].slots[0].counts[1]: expected a number >= 0, found -1" },
	{ "scores", NULL, -EINVAL, "scores: expected an array, found nothing" },
	{ "scores.0.suite", "null", -EINVAL,
	  "scores[0].suite: expected the name of a suite, found null" },
	{ "scores.0.hi", "1", -EINVAL,
	  "scores[0].hi: expected a number >= lo, or null with lo, found 1" },
};

static void spoil(json_t *document, const char *path, const char *text)
{
	json_t *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
	char copy[128], *part, *rest = copy;

	snprintf(copy, sizeof(copy), "%s", path);
	while ((part = strsep(&rest, "."))) {
		size_t index = strtoul(part, NULL, 10);

		if (rest)
			document = json_is_array(document) ? json_array_get(document, index)
							   : json_object_get(document, part);
		else if (json_is_array(document))
			json_array_set(document, index, value);
		else if (value)
			json_object_set(document, part, value);
		else
			json_object_del(document, part);
	}
	json_decref(value);
}

static void bad_documents_are_refused_with_the_path_of_the_member(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		json_t *document = fixture_document();
		struct error err = { 0 };
		struct run run;

		spoil(document, bads[i].path, bads[i].value);
		assert_int_equal(run_from_json(document, &run, &err), bads[i].code);
		assert_string_equal(err.text, bads[i].text);
		assert_int_equal(err.code, bads[i].code);
		run_free(&run);
		json_decref(document);
	}
}

static void ids_are_safe_as_file_names(void **state)
{
	struct run run = { .created_s = 1796048553 };

	(void)state;
	run_make_id(&run, 0xff1a2b3c);
	assert_string_equal(run.id, "20261130-142233-1a2b3c"); /* date -u -d @1796048553 */
	assert_true(run_id_is_valid(run.id));
	run.created_s = UINT64_MAX;
	run_make_id(&run, 1);
	assert_true(run_id_is_valid(run.id));
	assert_false(run_id_is_valid(""));
	assert_false(run_id_is_valid("a/b"));
	assert_false(run_id_is_valid(".."));
	assert_false(run_id_is_valid("-a"));
	assert_false(run_id_is_valid("last~1"));
	assert_false(run_id_is_valid("lastly"));
	assert_false(run_id_is_valid("01234567890123456789012345678901"));
}

static void a_series_is_found_by_test_copies_and_side(void **state)
{
	struct run run;

	(void)state;
	fixture_run(&run, "a");
	assert_ptr_equal(run_find_series(&run, "other/test@2", 2, "B"), &run.series[1]);
	assert_null(run_find_series(&run, "other/test@2", 2, NULL));
	assert_null(run_find_series(&run, "other/test@2", 1, "B"));
	assert_ptr_equal(run_find_series(&run, "unixbench6/pipe@1", 1, NULL), &run.series[0]);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_comes_back_from_its_document_unchanged),
		cmocka_unit_test(every_null_has_a_reason_beside_it),
		cmocka_unit_test(a_document_without_slots_says_nothing_of_them),
		cmocka_unit_test(text_that_is_not_utf8_is_kept_escaped),
		cmocka_unit_test(numbers_do_not_follow_the_locale),
		cmocka_unit_test(bad_documents_are_refused_with_the_path_of_the_member),
		cmocka_unit_test(ids_are_safe_as_file_names),
		cmocka_unit_test(a_series_is_found_by_test_copies_and_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
