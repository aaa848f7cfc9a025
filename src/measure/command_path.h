/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_path.h - the paths of json: metrics; their form is in command_metric.h. */
#ifndef ONPROC_MEASURE_COMMAND_PATH_H
#define ONPROC_MEASURE_COMMAND_PATH_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

/* 0, or -EINVAL with the place and what was expected. */
int path_check(const char *path, struct error *err);

/* The number there, or the sum of them. -ENOMSG: why says what is missing, and where. */
int path_value(const char *path, const json_t *document, double *value, char *why, size_t bytes);

#endif
