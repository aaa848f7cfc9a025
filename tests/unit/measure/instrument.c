// SPDX-License-Identifier: GPL-2.0-or-later
/* instrument.c - commands as instruments: their words, their metrics, their document. */
#include "measure/command.h"
#include "measure/command_adapter.h"
#include "measure/command_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words joined by "|", which none of them has. */
static void expect_words(const char *text, const char *expected)
{
	char joined[256] = "", **words;
	struct error err = { 0 };

	if (command_words(text, &words, &err))
		fail_msg("%s: %s", text, err.text);
	for (size_t i = 0; words[i]; i++) {
		size_t used = strlen(joined);

		snprintf(joined + used, sizeof(joined) - used, "%s|", words[i]);
	}
	free(words);
	assert_string_equal(joined, expected);
}

static void words_are_parted_at_blanks(void **state)
{
	(void)state;
	expect_words("a", "a|");
	expect_words("  fio \t job.fio\n--x=1 ", "fio|job.fio|--x=1|");
}

static void quotes_and_backslashes_take_meaning_away(void **state)
{
	(void)state;
	expect_words("'a b' \"c d\"", "a b|c d|");
	expect_words("a'b'\"c\"d", "abcd|");
	expect_words("\"\\\"\\\\\\n\"", "\"\\\\n|");
	expect_words("'\\' a\\ b", "\\|a b|");
	expect_words("'' \"\"", "||");
	expect_words("$HOME *.c >x ;", "$HOME|*.c|>x|;|");
}

static void words_that_do_not_end_are_refused(void **state)
{
	static const char *const texts[] = { "", "  \t\n", "'a", "\"a", "a\\", "a \"b\\", NULL };

	(void)state;
	for (size_t i = 0; texts[i]; i++) {
		struct error err = { 0 };
		char **words;

		assert_int_equal(command_words(texts[i], &words, &err), -EINVAL);
		assert_non_null(strstr(err.text, "expected"));
		assert_null(words);
	}
}

static void expect_metric(const char *text, enum metric_kind kind, const char *pattern,
			  const char *rate_unit)
{
	struct error err = { 0 };
	struct metric metric;

	if (metric_parse(text, &metric, &err))
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(metric.kind, kind);
	if (pattern)
		assert_string_equal(metric.pattern, pattern);
	else
		assert_null(metric.pattern);
	assert_string_equal(metric.rate_unit, rate_unit);
	metric_free(&metric);
}

static void a_metric_is_pattern_unit_and_direction(void **state)
{
	(void)state;
	expect_metric(NULL, METRIC_TIME, NULL, "1/s");
	expect_metric("time", METRIC_TIME, NULL, "1/s");
	expect_metric("json:a.b", METRIC_JSON, "a.b", "units");
	expect_metric("json:jobs[0].write.bw_bytes B/s", METRIC_JSON, "jobs[0].write.bw_bytes",
		      "B/s");
	expect_metric("json:t ms lower", METRIC_JSON, "t", "1/ms");
	expect_metric("json:t lower", METRIC_JSON, "t", "1/units");
	expect_metric("regex:Total time: *([0-9.]+) s lower", METRIC_REGEX,
		      "Total time: *([0-9.]+)", "1/s");
	/* The last word has a meaning in an expression, so it is no unit. */
	expect_metric("regex:Time: ([0-9.]+)", METRIC_REGEX, "Time: ([0-9.]+)", "units");
	expect_metric("regex:([0-9]+) MB/s MB/s", METRIC_REGEX, "([0-9]+) MB/s", "MB/s");
}

static void metrics_that_cannot_be_read_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"json:",
		"regex:",
		"xml:a",
		"json:a..b",
		"json:[x]",
		"json:a[0",
		"json:a[\"b]",
		"regex:no group",
		"regex:(unclosed",
		"json:a+",
		"json:+a",
		"json:a b c",
		"json:a abcdefghijklmnopqrstuvwxyzabcdefghijkl",
		"json:a[99999999999999999999]",
		NULL,
	};

	(void)state;
	for (size_t i = 0; texts[i]; i++) {
		struct error err = { 0 };
		struct metric metric;

		if (metric_parse(texts[i], &metric, &err) != -EINVAL)
			fail_msg("%s was taken", texts[i]);
		assert_true(strlen(err.text) > 0);
		metric_free(&metric);
	}
}

/* The value that a metric finds; NAN and the text of the error where it finds none. */
static double value_of(const char *text, const char *printed, struct error *err)
{
	char *output = strdup(printed);
	struct metric metric;
	double value = NAN;
	int rc;

	*err = (struct error){ 0 };
	assert_int_equal(metric_parse(text, &metric, err), 0);
	rc = metric_read(&metric, output, strlen(printed), &value, err);
	assert_true(rc == 0 || rc == -ENOMSG);
	metric_free(&metric);
	free(output);
	return rc ? NAN : value;
}

static void expect_found(const char *text, const char *printed, double expected)
{
	struct error err;
	double value = value_of(text, printed, &err);

	if (isnan(value))
		fail_msg("%s: %s", text, err.text);
	assert_true(fabs(value - expected) < 1e-12 * fabs(expected));
}

static void values_are_found(void **state)
{
	static const char document[] = "a warning\n{\"a\":{\"b\":[1,2.5,{\"c d\":4}]},\"n\":7}\n";

	(void)state;
	expect_found("json:n", document, 7);
	expect_found("json:a.b[1]", document, 2.5);
	expect_found("json:a.b[2][\"c d\"]", document, 4);
	expect_found("json:a.b[0]+a.b[1]+n", document, 10.5);
	expect_found("json:[*].x", "[{\"x\":1},{\"x\":2}]", 3);
	expect_found("regex:^Time: *([0-9.]+) s lower", "x Time: 9\nTime: 0.25\nTime: 3\n", 0.25);
	expect_found("regex:(-?[0-9.e+-]+) ops ops", "1.5e+3 ops", 1500);
}

static void expect_no_value(const char *text, const char *printed, const char *why)
{
	struct error err;
	double value = value_of(text, printed, &err);

	if (!isnan(value))
		fail_msg("%s in \"%s\": %g", text, printed, value);
	if (!strstr(err.text, why))
		fail_msg("expected \"%s\" in: %s", why, err.text);
}

static void what_is_no_value_is_told(void **state)
{
	(void)state;
	expect_no_value("json:a", "", "no JSON document");
	expect_no_value("json:a", "{\"a\":", "no whole JSON document");
	expect_no_value("json:a", "{\"a\":NaN}", "no whole JSON document");
	expect_no_value("json:a.b", "{\"a\":1}", "a.b: no such member");
	expect_no_value("json:a[3]", "{\"a\":[1]}", "no such element");
	expect_no_value("json:a[*]", "{\"a\":[]}", "not empty");
	expect_no_value("json:a", "{\"a\":\"1\"}", "expected a number");
	expect_no_value("json:a", "{\"a\":0}", "above 0, found 0");
	expect_no_value("regex:x=(.*)", "y=1", "matches");
	expect_no_value("regex:x=(.*)", "x=nan", "above 0, found nan");
	expect_no_value("regex:x=(.*)", "x=inf", "above 0, found inf");
	expect_no_value("regex:x=(.*)", "x=-3", "above 0, found -3");
	expect_no_value("regex:x=(.*)", "x=1,5", "expected a number, found \"1,5\"");
	expect_no_value("regex:x=(.*)", "x=", "expected a number, found \"\"");
	expect_no_value("regex:(a)|b", "b", "matches");
}

/* Over the first the C library takes minutes, over the second all memory: only a child of ours
 * does.
 */
static void an_expression_is_kept_within_limits(void **state)
{
	enum { ZEROS = 400000 };
	struct error err = { 0 };
	struct metric metric;
	char *zeros = malloc(ZEROS + 1);

	(void)state;
	assert_non_null(zeros);
	memset(zeros, '0', ZEROS);
	zeros[ZEROS] = '\0';
	expect_no_value("regex:(0*0*0*0*0*0*0*0*)b", zeros, "matching took more than 5 s");
	assert_int_equal(metric_parse("regex:((((a{1,200}){1,200}){1,200}){1,200})", &metric, &err),
			 -EINVAL);
	metric_free(&metric);
	free(zeros);
}

static void a_zero_in_the_output_ends_nothing(void **state)
{
	char output[] = "junk\0x=5\0";
	struct error err = { 0 };
	struct metric metric;
	double value;

	(void)state;
	assert_int_equal(metric_parse("regex:x=([0-9]+)", &metric, &err), 0);
	assert_int_equal(metric_read(&metric, output, sizeof(output) - 1, &value, &err), 0);
	assert_true(value == 5);
	metric_free(&metric);
}

static void lower_is_inverted(void **state)
{
	struct error err = { 0 };
	struct metric metric;

	(void)state;
	assert_int_equal(metric_parse("json:t s lower", &metric, &err), 0);
	assert_true(metric_rate(&metric, 0.5) == 2);
	metric_free(&metric);
}

static void adapters_are_found_by_the_words_of_a_command(void **state)
{
	static const struct {
		const char *command, *adapter;
	} cases[] = {
		{ "fio job.fio --output-format=json", "fio" },
		{ "/usr/bin/fio x", "fio" },
		{ "X=1 LC_ALL=C hackbench -g 4", "hackbench" },
		{ "perf bench sched messaging -g 4", "perf-messaging" },
		{ "perf bench sched pipe", "perf-pipe" },
		{ "sysbench cpu run", "sysbench" },
		{ "sysbench memory run", "sysbench-memory" },
		{ "stress-ng --cpu 1 --metrics -t 1", "stress-ng" },
		{ "perf stat true", NULL },
		{ "make fio", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct adapter *adapter = adapter_for(cases[i].command);

		if (!cases[i].adapter)
			assert_null(adapter);
		else if (!adapter || strcmp(adapter->name, cases[i].adapter) != 0)
			fail_msg("%s: %s", cases[i].command, adapter ? adapter->name : "none");
	}
}

/* Lines as each program prints them, cut to what matters. */
static void adapters_read_what_their_programs_print(void **state)
{
	static const struct {
		const char *adapter, *printed;
		double value;
	} cases[] = {
		{ "fio",
		  "{\"jobs\":[{\"read\":{\"bw_bytes\":1},\"write\":{\"bw_bytes\":10}},"
		  "{\"read\":{\"bw_bytes\":2},\"write\":{\"bw_bytes\":20}}]}",
		  33 },
		{ "perf-messaging", "     Total time: 0.125 [sec]\n", 0.125 },
		{ "perf-pipe", "       5.25 usecs/op\n     190476 ops/sec\n", 190476 },
		{ "hackbench", "Running in process mode\nTime: 0.5\n", 0.5 },
		{ "sysbench", "CPU speed:\n    events per second:  1234.50\n", 1234.5 },
		{ "sysbench-memory", "Total operations: 500 (  2500.25 per second)\n", 2500.25 },
		{ "sysbench-threads", "    total time:                          1.2500s\n", 1.25 },
		{ "stress-ng",
		  "stress-ng: metrc: [7] cpu      2170      1.00      0.99      0.00      2169.60  "
		  "    2180.5\n",
		  2169.60 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_found(adapter_find(cases[i].adapter)->metric, cases[i].printed,
			     cases[i].value);
}

static void every_adapter_has_a_name_and_a_metric_that_can_be_read(void **state)
{
	size_t i = 0;

	(void)state;
	for (; adapters[i].name; i++) {
		struct error err = { 0 };
		struct metric metric;

		assert_string_equal(adapters[i].name, adapter_names[i]);
		if (metric_parse(adapters[i].metric, &metric, &err))
			fail_msg("%s: %s", adapters[i].name, err.text);
		metric_free(&metric);
	}
	assert_null(adapter_names[i]);
}

static struct instrument *instrument_of(const char *text, const char *metric)
{
	struct instrument *instrument = calloc(1, sizeof(*instrument));
	struct error err = { 0 };

	instrument->text[0] = strdup(text);
	instrument->metric_text = metric ? strdup(metric) : NULL;
	if (instrument_complete(instrument, &err))
		fail_msg("%s: %s", text, err.text);
	return instrument;
}

static void the_hash_is_of_command_metric_and_shell(void **state)
{
	struct instrument *a = instrument_of("true", NULL), *same = instrument_of("true", "time");
	struct instrument *command = instrument_of("true ", NULL);
	struct instrument *metric = instrument_of("true", "json:x");

	(void)state;
	assert_string_equal(a->hash, same->hash);
	assert_string_not_equal(a->hash, command->hash);
	assert_string_not_equal(a->hash, metric->hash);
	assert_memory_equal(a->id, "cmd/", 4);
	assert_memory_equal(a->id + 4, a->hash, 8);
	assert_string_equal(a->id + 12, "@1");
	instrument_free(a);
	instrument_free(same);
	instrument_free(command);
	instrument_free(metric);
}

static void an_instrument_comes_back_from_its_document(void **state)
{
	struct instrument *instrument = instrument_of("sleep 1", "time"), *again;
	struct error err = { 0 };
	json_t *document, *second;

	(void)state;
	instrument->prepare = strdup("sync");
	instrument->warmup_runs = 3;
	instrument->timeout_ns = 5;
	instrument->ignore_failure = true;
	document = instrument_to_json(instrument);
	assert_non_null(document);
	if (instrument_from_json(document, &again, &err))
		fail_msg("%s", err.text);
	assert_string_equal(again->hash, instrument->hash);
	second = instrument_to_json(again);
	assert_true(json_equal(document, second));
	json_decref(document);
	json_decref(second);
	instrument_free(instrument);
	instrument_free(again);
}

static void damaged_documents_are_refused_with_their_member(void **state)
{
	static const struct {
		const char *member, *value;
	} cases[] = {
		{ "text", "null" },	     { "text", "5" },	      { "text", "\"\"" },
		{ "text", "\"a\\u0000b\"" }, { "shell", "1" },	      { "warmup_runs", "-1" },
		{ "timeout_ns", "0" },	     { "metric", "\"xml\"" }, { "name", "\"a b\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct instrument *instrument = instrument_of("true", NULL), *read;
		json_t *document = instrument_to_json(instrument);
		struct error err = { 0 };

		json_object_set_new(
			document, cases[i].member,
			json_loads(cases[i].value, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL));
		if (instrument_from_json(document, &read, &err) != -EINVAL)
			fail_msg("%s: %s was taken", cases[i].member, cases[i].value);
		assert_memory_equal(err.text, "plan.command", 12);
		assert_null(read);
		json_decref(document);
		instrument_free(instrument);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_parted_at_blanks),
		cmocka_unit_test(quotes_and_backslashes_take_meaning_away),
		cmocka_unit_test(words_that_do_not_end_are_refused),
		cmocka_unit_test(a_metric_is_pattern_unit_and_direction),
		cmocka_unit_test(metrics_that_cannot_be_read_are_refused),
		cmocka_unit_test(values_are_found),
		cmocka_unit_test(what_is_no_value_is_told),
		cmocka_unit_test(an_expression_is_kept_within_limits),
		cmocka_unit_test(a_zero_in_the_output_ends_nothing),
		cmocka_unit_test(lower_is_inverted),
		cmocka_unit_test(adapters_are_found_by_the_words_of_a_command),
		cmocka_unit_test(adapters_read_what_their_programs_print),
		cmocka_unit_test(every_adapter_has_a_name_and_a_metric_that_can_be_read),
		cmocka_unit_test(the_hash_is_of_command_metric_and_shell),
		cmocka_unit_test(an_instrument_comes_back_from_its_document),
		cmocka_unit_test(damaged_documents_are_refused_with_their_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
