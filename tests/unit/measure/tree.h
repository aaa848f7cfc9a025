/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - a directory that stands in for / in a test: fake /proc and /sys.
 */
#ifndef TESTS_UNIT_MEASURE_TREE_H
#define TESTS_UNIT_MEASURE_TREE_H

#include <stddef.h>

#define TREE_BYTES 64

/* Makes an empty directory and stores its path. */
void tree_make(char root[TREE_BYTES]);
void tree_remove(const char *root);

/* Writes root/path, and makes the directories above it. */
void tree_put(const char *root, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void tree_put_bytes(const char *root, const char *path, const void *bytes, size_t len);

#endif
