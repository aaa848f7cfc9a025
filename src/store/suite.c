// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suite.c - tests of a suite.
 */
#include "store/suite.h"

#include <string.h>

#define COMMON                                                                                     \
	"unixbench6/dhry2reg", "unixbench6/whetstone-double", "unixbench6/execl",                  \
		"unixbench6/pipe", "unixbench6/context1", "unixbench6/spawn", "unixbench6/shell1", \
		"unixbench6/shell8"

static const char *const unixbench6[] = {
	COMMON,
	"unixbench6/fstime",
	"unixbench6/fsbuffer",
	"unixbench6/fsdisk",
	"unixbench6/syscall",
	NULL,
};

static const char *const unixbench5[] = {
	COMMON,
	"unixbench5/fstime5",
	"unixbench5/fsbuffer5",
	"unixbench5/fsdisk5",
	"unixbench5/syscall5",
	NULL,
};

static const struct suite known[SUITES_MAX] = {
	{ "unixbench6", unixbench6, NULL, sizeof(unixbench6) / sizeof(*unixbench6) - 1 },
	{ "unixbench5", unixbench5, NULL, sizeof(unixbench5) / sizeof(*unixbench5) - 1 },
};

static bool same_test(const char *a, const char *b)
{
	size_t a_name = strcspn(a, "@"), b_name = strcspn(b, "@");

	if (a_name != b_name || strncmp(a, b, a_name) != 0)
		return false;
	return !a[a_name] || !b[b_name] || strcmp(a + a_name, b + b_name) == 0;
}

bool test_is_called(const char *id, const char *name)
{
	const char *slash = strchr(id, '/');
	size_t bytes = strcspn(id, "@"), length = strlen(name);

	if (!strcmp(id, name))
		return true;
	if (length == bytes && !memcmp(id, name, bytes))
		return true;
	return slash && slash < id + bytes && length == (size_t)(id + bytes - slash - 1) &&
	       !memcmp(slash + 1, name, length);
}

bool suite_has(const struct suite *suite, const char *id)
{
	for (size_t i = 0; suite->known && suite->known[i]; i++) {
		if (same_test(suite->known[i], id))
			return true;
	}
	for (size_t i = 0; i < json_array_size(suite->listed); i++) {
		const char *listed = json_string_value(json_array_get(suite->listed, i));

		if (listed && same_test(listed, id))
			return true;
	}
	return false;
}

/* Whether a test of the run bears the name of the suite and belongs to it. */
static bool is_in(const struct suite *suite, const struct run *run)
{
	size_t length = strlen(suite->name);

	for (size_t i = 0; i < run->n_series; i++) {
		const char *test = run->series[i].test;

		if (test && strncmp(test, suite->name, length) == 0 && suite_has(suite, test))
			return true;
	}
	return false;
}

size_t suites_of(const struct run *run, struct suite suites[SUITES_MAX])
{
	const char *name = json_string_value(json_object_get(run->plan, "suite"));
	const json_t *listed = json_object_get(run->plan, "suite_tests");
	size_t count = 0;

	if (name && json_array_size(listed)) {
		suites[0] = (struct suite){ name, NULL, listed, (uint32_t)json_array_size(listed) };
		return 1;
	}
	for (size_t i = 0; i < SUITES_MAX; i++) {
		if (name ? strcmp(name, known[i].name) == 0 : is_in(&known[i], run))
			suites[count++] = known[i];
	}
	return count;
}
