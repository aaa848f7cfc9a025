/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vectors.h - known answers of tests/data/statistics-vectors.json, computed twice elsewhere (Python
 * and R).
 *
 * A path names members and array indexes with dots: "per_test.hl_log.est", "looks.0.k". A path that
 * is not there fails the test.
 */
#ifndef ONPROC_TESTS_VECTORS_H
#define ONPROC_TESTS_VECTORS_H

#include <stddef.h>

void vectors_open(const char *file); /* exits when it cannot be read */
void vectors_close(void);

double vector_number(const char *path);
size_t vector_count(const char *path);
/* The numbers of an array, at most room; returns how many. */
size_t vector_numbers(const char *path, double *x, size_t room);

/* Equal to 9 digits. */
#define assert_digits(actual, expected)                                                            \
	assert_digits_at(actual, expected, #actual, __FILE__, __LINE__)
void assert_digits_at(double actual, double expected, const char *text, const char *file, int line);

#define assert_nan(actual) assert_true(isnan(actual))

#endif
