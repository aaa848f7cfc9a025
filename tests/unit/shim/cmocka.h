/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmocka.h - as much of cmocka's interface as the tests of the locks use, for machines that have
 * only a compiler: those for which the library is cross-built. TAP on stdout, as with cmocka.
 */
#ifndef SHIM_CMOCKA_H
#define SHIM_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
};

#define cmocka_unit_test(function)                                                                 \
	{                                                                                          \
#		function, function                                                                \
	}

enum {
	SHIM_FAILED = 1,
	SHIM_SKIPPED,
};

static jmp_buf shim_test_ends;

static inline void shim_check(int good, const char *what, const char *file, int line)
{
	if (good)
		return;
	printf("# %s:%d: %s\n", file, line, what);
	longjmp(shim_test_ends, SHIM_FAILED);
}

#define SHIM_CHECK(condition)		 shim_check((condition), #condition, __FILE__, __LINE__)
#define assert_true(value)		 SHIM_CHECK(value)
#define assert_false(value)		 SHIM_CHECK(!(value))
#define assert_null(value)		 SHIM_CHECK(!(value))
#define assert_non_null(value)		 SHIM_CHECK(value)
#define assert_int_equal(a, b)		 SHIM_CHECK((uintmax_t)(a) == (uintmax_t)(b))
#define assert_int_not_equal(a, b)	 SHIM_CHECK((uintmax_t)(a) != (uintmax_t)(b))
#define assert_ptr_equal(a, b)		 SHIM_CHECK((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b)	 SHIM_CHECK((const void *)(a) != (const void *)(b))
#define assert_memory_equal(a, b, bytes) SHIM_CHECK(!memcmp((a), (b), (bytes)))
#define skip()				 longjmp(shim_test_ends, SHIM_SKIPPED)

/* SHIM_SKIP: words; tests whose names contain one are what the machine under test cannot run. */
static inline int shim_is_left_out(const char *name)
{
	const char *list = getenv("SHIM_SKIP");
	char words[256], *rest = NULL, *word;

	snprintf(words, sizeof(words), "%s", list ? list : "");
	for (word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (strstr(name, word))
			return 1;
	}
	return 0;
}

static inline int shim_run(const struct CMUnitTest *tests, size_t count)
{
	volatile int failed = 0;
	volatile size_t n;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%zu\n", count);
	for (n = 0; n < count; n++) {
		void *state = NULL;
		volatile int came = setjmp(shim_test_ends);

		if (!came && shim_is_left_out(tests[n].name))
			came = SHIM_SKIPPED;
		if (!came)
			tests[n].test(&state);
		failed += came == SHIM_FAILED;
		printf("%sok %zu - %s%s\n", came == SHIM_FAILED ? "not " : "", n + 1, tests[n].name,
		       came == SHIM_SKIPPED ? " # SKIP by SHIM_SKIP or itself" : "");
	}
	return failed;
}

/* Group set-up and tear-down are not for these tests. */
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
	((void)(setup), (void)(teardown), shim_run((tests), sizeof(tests) / sizeof((tests)[0])))

#endif
