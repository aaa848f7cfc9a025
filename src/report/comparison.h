/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison.h - a comparison as text, one file per form. All write to out; the caller checks
 * ferror(). C locale; what came from outside is escaped (escape.h).
 */
#ifndef ONPROC_REPORT_COMPARISON_H
#define ONPROC_REPORT_COMPARISON_H

#include "compare/comparison.h"

#include <stdio.h>

typedef int (*comparison_form)(const struct comparison *comparison, FILE *out);

/* "terminal", "patch", "mmtests", "lkp", "amd", "markdown", "csv", "json"; NULL-terminated. */
extern const char *const comparison_form_names[];
comparison_form comparison_form_find(const char *name); /* NULL: no such form */

/*
 * Several comparisons with one side A as one document: one after the other, as CSV under one
 * header, as JSON in an array (one alone is no array). 0 or -ENOMEM; -EINVAL: no such form.
 */
int comparison_report(const char *form, const struct comparison *comparisons, size_t count,
		      FILE *out);

#endif
