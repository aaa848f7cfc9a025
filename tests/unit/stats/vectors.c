// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vectors.c - reads the known answers.
 */
#include "vectors.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *vectors;

void vectors_open(const char *file)
{
	json_error_t error;

	vectors = file ? json_load_file(file, 0, &error) : NULL;
	if (!vectors) {
		fprintf(stderr, "usage: TEST statistics-vectors.json (cannot read %s)\n",
			file ? file : "none");
		exit(1);
	}
}

void vectors_close(void)
{
	json_decref(vectors);
}

static const json_t *find(const char *path)
{
	const json_t *at = vectors;
	char name[64];

	for (const char *part = path; at && *part;) {
		size_t length = strcspn(part, ".");

		assert_true(length < sizeof(name));
		memcpy(name, part, length);
		name[length] = '\0';
		at = json_is_array(at) ? json_array_get(at, strtoul(name, NULL, 10))
				       : json_object_get(at, name);
		part += length + (part[length] == '.');
	}
	if (!at)
		fail_msg("no %s among the known answers", path);
	return at;
}

double vector_number(const char *path)
{
	const json_t *number = find(path);

	assert_true(json_is_number(number));
	return json_number_value(number);
}

size_t vector_count(const char *path)
{
	return json_array_size(find(path));
}

size_t vector_numbers(const char *path, double *x, size_t room)
{
	const json_t *array = find(path);
	size_t n = json_array_size(array);

	assert_true(n > 0 && n <= room);
	for (size_t i = 0; i < n; i++)
		x[i] = json_number_value(json_array_get(array, i));
	return n;
}

void assert_digits_at(double actual, double expected, const char *text, const char *file, int line)
{
	if (fabs(actual - expected) <= 5e-10 * fabs(expected))
		return;
	print_error("%s is %.12g, expected %.12g\n", text, actual, expected);
	_fail(file, line);
}
