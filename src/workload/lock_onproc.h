/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock_onproc.h - what the kinds of libonproc have in common: their sensor. */
#ifndef ONPROC_WORKLOAD_LOCK_ONPROC_H
#define ONPROC_WORKLOAD_LOCK_ONPROC_H

#include <stddef.h>

/* Opens the sensor that ONPROC_SENSOR names. 0, or a negative errno with the reason in text. */
int lock_onproc_open(char *text, size_t bytes);

/* The name of the sensor in use. */
const char *lock_onproc_sensor(void);

#endif
