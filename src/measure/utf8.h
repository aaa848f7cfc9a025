/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - may a text stand in the record? JSON holds UTF-8 only. */
#ifndef ONPROC_MEASURE_UTF8_H
#define ONPROC_MEASURE_UTF8_H

#include <jansson.h>
#include <stdbool.h>

static inline bool text_is_utf8(const char *text)
{
	json_t *string = json_string(text);
	bool is_valid = string != NULL;

	json_decref(string);
	return is_valid;
}

#endif
