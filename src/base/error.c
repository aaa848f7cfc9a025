// SPDX-License-Identifier: GPL-2.0-or-later
/* error.c - see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	err->code = code;
	return code;
}

int error_errno(struct error *err, int code, const char *format, ...)
{
	va_list args;
	size_t used;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerror(-code));
	err->code = code;
	return code;
}

int error_context(struct error *err, const char *format, ...)
{
	char before[ERROR_TEXT_BYTES];
	char text[ERROR_TEXT_BYTES];
	va_list args;

	if (!err)
		return 0;
	va_start(args, format);
	vsnprintf(before, sizeof(before), format, args);
	va_end(args);
	memcpy(text, err->text, sizeof(text));
	snprintf(err->text, sizeof(err->text), "%.500s: %.500s", before, text);
	return err->code;
}
