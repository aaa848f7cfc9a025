// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - every workload of onproc. The list itself comes from the table of tests in meson.build.
 */
#include "workload/workload.h"

#include <stddef.h>

#define TEST(name) extern const struct workload workload_##name;
#include "workload/tests.h"
#undef TEST

const struct workload *const workload_table[] = {
#define TEST(name) &workload_##name,
#include "workload/tests.h"
#undef TEST
	NULL,
};

const struct workload *workload_find(const char *name)
{
	for (const struct workload *const *entry = workload_table; *entry; entry++)
		if (workload_answers_to(*entry, name))
			return *entry;
	return NULL;
}
