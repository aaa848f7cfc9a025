/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_text.h - any bytes as a JSON string: names and command lines need not be UTF-8. */
#ifndef ONPROC_STORE_JSON_TEXT_H
#define ONPROC_STORE_JSON_TEXT_H

#include <jansson.h>

/* A string; each byte that is not part of valid UTF-8 becomes "\xNN". NULL text: null. NULL: no
 * memory. */
json_t *json_text(const char *text);

#endif
