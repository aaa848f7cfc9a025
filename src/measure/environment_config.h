/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment_config.h - the kernel's configuration: /proc/config.gz, or the file the distribution
 * left.
 */
#ifndef ONPROC_MEASURE_ENVIRONMENT_CONFIG_H
#define ONPROC_MEASURE_ENVIRONMENT_CONFIG_H

#include "measure/environment_read.h"

/* False, with the reason, when there is none to be read. Read once, then kept. */
bool config_read(struct reading *reading);

/* Value of CONFIG_NAME ("y", "m", "250"); false when it is not set. After config_read(). */
bool config_value(const struct reading *reading, const char *name, struct slice *value);
bool config_is_on(const struct reading *reading, const char *name);

#endif
