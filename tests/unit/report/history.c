// SPDX-License-Identifier: GPL-2.0-or-later
/* history.c - a history as text against the expected one, and the line that draws it. */
#include "report/history.h"

#include "fixture.h"
#include "report/sparkline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void draws(const double *values, size_t n, size_t columns, bool unicode, const char *line)
{
	double scratch[64];
	char text[64 * SPARKLINE_BYTES + 1];

	sparkline(values, n, columns, unicode, scratch, text);
	assert_string_equal(text, line);
}

static void a_sparkline_goes_from_lowest_to_highest(void **state)
{
	static const double values[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, equal[] = { 5, 5, 5 };

	(void)state;
	draws(values, 8, 60, true, "▁▂▃▄▅▆▇█");
	draws(values, 8, 60, false, "_.,-=+*#");
	draws(values, 8, 4, false, "_,+#");
	draws(equal, 3, 60, false, "===");
	draws(equal, 0, 60, false, "");
}

/* Twelve runs of one level and twelve of another, by another kernel. */
static void make(struct history *history)
{
	struct error err = { 0 };

	for (int i = 0; i < 24; i++) {
		struct run run;
		struct series *series = fixture_series(&run, "unixbench6/pipe@1",
						       (i < 12 ? 1000 : 970) + i % 5, NAN, NAN);

		snprintf(run.id, sizeof(run.id), "20261130-1422%02d-1a2b3c", i);
		run.created_s += 86400 * (uint64_t)i;
		run.environment =
			json_pack("{s:s,s:s,s:s}", "host", "build1", "kernel_release",
				  i < 12 ? "6.12.0" : "6.13.0", "cpu_model", "EPYC\033 9654");
		if (history_add(history, &run, series))
			fail_msg("no memory");
		run_free(&run);
	}
	if (history_judge(history, 0.01, 0.05, &err))
		fail_msg("%s", err.text);
}

static void history_of_a_change(void **state)
{
	struct history history = { 0 };
	char *text = NULL;
	size_t bytes;
	FILE *out;

	(void)state;
	make(&history);
	for (int form = 0; form < 3; form++) {
		static const char *const names[] = { "history.txt", "history.unicode.txt",
						     "history.csv" };

		out = open_memstream(&text, &bytes);
		assert_non_null(out);
		if (form < 2)
			assert_int_equal(report_history(&history, form == 1, out), 0);
		else
			assert_int_equal(report_history_csv(&history, out), 0);
		assert_int_equal(fclose(out), 0);
		if (form < 2)
			fixture_fits(text);
		fixture_golden(names[form], text);
		free(text);
	}
	history_free(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sparkline_goes_from_lowest_to_highest),
		cmocka_unit_test(history_of_a_change),
	};

	return cmocka_run_group_tests_name("report/history", tests, NULL, NULL);
}
