// SPDX-License-Identifier: GPL-2.0-or-later
/* width.c - no report is wider than 80 columns or carries a control character, whatever it holds.
 */
#include "base/rng.h"
#include "report/report.h"

#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RUNS	   400
#define SERIES_MAX 8

static double drawn(struct rng *rng, double low, double high)
{
	return low + (high - low) * (double)(rng_next(rng) >> 11) / 9007199254740992.0;
}

static bool chance(struct rng *rng, int of)
{
	return rng_next(rng) % (uint64_t)of == 0;
}

/* Names as an attacker or another tool may write them. */
static const char *const hostile[] = {
	"",
	"plain",
	"\x1b]0;title\x07\x1b[2J",
	"two\nlines\r\n\tand tabs",
	"\xff\xfe not UTF-8 \xc3",
	"b\xc3\xbcro-\xe6\xb8\xac\xe8\xa9\xa6-\xf0\x9f\x90\xa7",
	"right-to-left \xe2\x80\xae override",
	"=cmd|' /C calc'!A0",
	"unixbench6/a-name-that-is-far-too-long-for-its-column@1",
	"one-word-of-more-than-eighty-columns-0123456789-0123456789-0123456789-0123456789-and more",
};

static char *hostile_text(struct rng *rng)
{
	char *text = strdup(hostile[rng_next(rng) % (sizeof(hostile) / sizeof(hostile[0]))]);

	assert_non_null(text);
	return text;
}

static struct estimate drawn_estimate(struct rng *rng)
{
	double value = pow(10, drawn(rng, -9, 18));
	struct estimate estimate = { .n = rng_next(rng) % 300,
				     .value = value,
				     .exact = chance(rng, 2) };

	estimate.lo = value / (1 + pow(10, drawn(rng, -8, 2)));
	estimate.hi = value * (1 + pow(10, drawn(rng, -8, 2)));
	estimate.level = drawn(rng, 0.95, 1);
	if (chance(rng, 4)) {
		estimate.lo = estimate.hi = estimate.level = NAN;
		estimate.reason = chance(rng, 2) ? "n too small (5 < 6)"
						 : "a reason that is far too long for a cell";
	}
	if (chance(rng, 10))
		estimate.value = NAN;
	return estimate;
}

static json_t *drawn_evidence(struct rng *rng)
{
	static const char *const kinds[] = { "foreign", "steal", "throttled", "frequency",
					     "other" };

	return json_pack("{s:[{s:s,s:s,s:I,s:f,s:f,s:f,s:f}]}", "external", "kind",
			 kinds[rng_next(rng) % 5], "comm", "cc1 \\x1b", "pid",
			 (json_int_t)(rng_next(rng) % 5000000), "cpu", pow(10, drawn(rng, -9, 18)),
			 "ns", pow(10, drawn(rng, -9, 18)), "khz", pow(10, drawn(rng, -9, 18)),
			 "was_khz", pow(10, drawn(rng, -9, 18)));
}

static void fill_series(struct rng *rng, struct series *series)
{
	series->test = hostile_text(rng);
	series->title = hostile_text(rng);
	series->unit = hostile_text(rng);
	series->note = chance(rng, 3) ? hostile_text(rng) : NULL;
	series->reason = chance(rng, 6) ? hostile_text(rng) : NULL;
	series->side = chance(rng, 6) ? strdup("A") : NULL;
	series->params = json_pack("{s:i,s:s}", "groups", 400, "transport\n", "a very long word");
	series->copies = (uint32_t)pow(10, drawn(rng, 0, 6));
	series->baseline = chance(rng, 3) ? 0 : pow(10, drawn(rng, -9, 18));
	series->estimate = drawn_estimate(rng);
	series->first_result = drawn_estimate(rng);
	series->index = chance(rng, 4) ? NAN : pow(10, drawn(rng, -9, 18));
	series->not_steady = chance(rng, 3);
	if (chance(rng, 3)) {
		series->modes = calloc(2, sizeof(*series->modes));
		assert_non_null(series->modes);
		series->n_modes = 2;
		for (int i = 0; i < 2; i++) {
			series->modes[i].share = drawn(rng, 0, 1);
			series->modes[i].estimate = drawn_estimate(rng);
			snprintf(series->modes[i].placement, sizeof(series->modes[i].placement),
				 "%s",
				 chance(rng, 2) ? "" : "\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b");
		}
	}
	for (int i = 0; i < 7; i++) {
		struct slot *slot = series_add_slot(series, 1);

		assert_non_null(slot);
		slot->ordinal = (uint32_t)rng_next(rng);
		slot->status = (enum slot_status)(rng_next(rng) % 3);
		slot->length_ns = rng_next(rng) >> (rng_next(rng) % 64);
		slot->rate = slot->status == SLOT_FAILED ? NAN : pow(10, drawn(rng, -9, 18));
		slot->error = slot->status == SLOT_FAILED ? hostile_text(rng) : NULL;
		slot->evidence = chance(rng, 2) ? drawn_evidence(rng) : NULL;
	}
}

static void fill_run(struct rng *rng, struct run *run)
{
	size_t n = rng_next(rng) % (SERIES_MAX + 1);

	run_init(run);
	snprintf(run->id, sizeof(run->id), "20261130-142233-1a2b3c");
	run->status = (enum run_status)(rng_next(rng) % 4);
	run->created_s = rng_next(rng) >> (rng_next(rng) % 64);
	run->elapsed_s = chance(rng, 5) ? NAN : pow(10, drawn(rng, -9, 18));
	run->seed = rng_next(rng);
	run->host = hostile_text(rng);
	run->tool = chance(rng, 5) ? NULL : hostile_text(rng);
	run->warnings = json_pack("[s,s]", "short",
				  "a warning\nthat is long enough to be wrapped at "
				  "the width of a terminal of 80 columns");
	run->plan =
		json_pack("{s:f,s:f,s:f,s:[s,s]}", "slots", pow(10, drawn(rng, -9, 18)), "slot_ns",
			  pow(10, drawn(rng, -9, 18)), "warmup_ns", pow(10, drawn(rng, -9, 18)),
			  "suite_tests", "unixbench6/pipe@1", "unixbench6/execl@1");
	run->environment = json_pack(
		"{s:s,s:n,s:s,s:I,s:[s,s]}", "cpu_model",
		"a model whose name goes on and on and on, as those of some vendors really do",
		"governor", "governor_reason", "EACCES\x1b", "cpus_online", (json_int_t)1000000,
		"mitigations", "a", "b");
	for (size_t i = 0; i < n; i++) {
		struct series *series = run_add_series(run);

		assert_non_null(series);
		fill_series(rng, series);
	}
	run->n_scores = 0;
	run->scores = calloc(n + 1, sizeof(*run->scores));
	assert_non_null(run->scores);
	for (size_t i = 0; i < n; i++) {
		struct estimate estimate = drawn_estimate(rng);

		run->scores[run->n_scores++] = (struct score){
			.copies = run->series[i].copies,
			.suite = hostile_text(rng),
			.value = estimate.value,
			.lo = estimate.lo,
			.hi = estimate.hi,
			.level = estimate.level,
			.reason = estimate.reason,
			.tests = (uint32_t)(rng_next(rng) % 12),
			.tests_full = 12,
			.rests_on_modes = chance(rng, 2),
		};
	}
}

static void the_table_fits_80_columns_at_any_magnitude(void **state)
{
	struct rng rng = { 20261130 };

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct run run;
		char *text;

		fill_run(&rng, &run);
		text = fixture_report(&run, report_table);
		fixture_fits(text);
		free(text);
		run_free(&run);
	}
}

static void no_form_carries_control_characters(void **state)
{
	struct rng rng = { 7 };

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct run run;
		char *text;

		fill_run(&rng, &run);
		text = fixture_report(&run, report_csv);
		for (const char *at = text; *at; at++)
			assert_true((unsigned char)*at >= ' ' || *at == '\n' ||
				    (*at == '\r' && at[1] == '\n'));
		free(text);
		run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_fits_80_columns_at_any_magnitude),
		cmocka_unit_test(no_form_carries_control_characters),
	};

	return cmocka_run_group_tests_name("report/width", tests, NULL, NULL);
}
