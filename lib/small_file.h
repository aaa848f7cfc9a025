/* SPDX-License-Identifier: MIT */
/* small_file.h - reads a file of the kernel's without being a cancellation point. */
#ifndef ONPROC_LIB_SMALL_FILE_H
#define ONPROC_LIB_SMALL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a small file, cut to bytes - 1. False: it cannot be read. Changes errno. */
bool small_file_read(const char *path, char *text, size_t bytes);

#endif
