// SPDX-License-Identifier: GPL-2.0-or-later
/* comparison_report.c - the forms of a comparison by name; see comparison.h. */
#include "report/comparison.h"
#include "report/comparison_forms.h"
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int form_json(const struct comparison *comparison, FILE *out)
{
	return report_document(comparison_to_json(comparison), out);
}

static int form_csv(const struct comparison *comparison, FILE *out)
{
	int rc = comparison_csv_header(out);

	return rc ? rc : comparison_csv_rows(comparison, out);
}

static const struct {
	const char *name;
	comparison_form write;
} forms[] = {
	{ "terminal", comparison_terminal },
	{ "patch", comparison_patch },
	{ "mmtests", comparison_mmtests },
	{ "lkp", comparison_lkp },
	{ "amd", comparison_amd },
	{ "markdown", comparison_markdown },
	{ "csv", form_csv },
	{ "json", form_json },
};

const char *const comparison_form_names[] = { "terminal", "patch", "mmtests", "lkp", "amd",
					      "markdown", "csv",   "json",    NULL };

comparison_form comparison_form_find(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!strcmp(forms[i].name, name))
			return forms[i].write;
	}
	return NULL;
}

static int report_json(const struct comparison *comparisons, size_t count, FILE *out)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < count; i++) {
		if (json_array_append_new(array, comparison_to_json(&comparisons[i]))) {
			json_decref(array);
			array = NULL;
		}
	}
	return report_document(array, out);
}

int comparison_report(const char *form, const struct comparison *comparisons, size_t count,
		      FILE *out)
{
	comparison_form write = comparison_form_find(form);
	int rc = 0;

	if (!write)
		return -EINVAL;
	if (write == form_json && count != 1)
		return report_json(comparisons, count, out);
	for (size_t i = 0; !rc && i < count; i++) {
		if (i && write == form_csv) {
			rc = comparison_csv_rows(&comparisons[i], out);
			continue;
		}
		if (i)
			fputc('\n', out);
		rc = write(&comparisons[i], out);
	}
	return rc;
}
