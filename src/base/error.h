/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - an error travels up as a negative errno with its context in words.
 *
 * error_set() is called once, at the place that knows; a verb prints it once. Nothing below
 * src/cmd prints or exits.
 */
#ifndef ONPROC_BASE_ERROR_H
#define ONPROC_BASE_ERROR_H

#define ERROR_TEXT_BYTES 1024

struct error {
	int code; /* negative errno, 0 while nothing went wrong */
	char text[ERROR_TEXT_BYTES];
};

/*
 * Stores code and the formatted text; returns code, so that `return error_set(err, -EINVAL, …)`
 * reads as one step. err may be NULL. The text says what was done to what, without a trailing
 * newline; the words of strerror(-code) are not appended: say what the user can act on.
 */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* As error_set(), and appends ": " and strerror(-code). For failed system calls. */
int error_errno(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "context: " before the text that is already there. Returns err->code. */
int error_context(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
