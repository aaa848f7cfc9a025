/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_preset.h - commands that onproc knows by name, as if they were tests.
 */
#ifndef ONPROC_MEASURE_COMMAND_PRESET_H
#define ONPROC_MEASURE_COMMAND_PRESET_H

#include "workload/workload.h"

struct preset {
	struct workload workload; /* what lists show; its supported() says why not */
	const char *text, *metric;
};

extern const struct preset presets[]; /* ended by a workload without id */

const struct preset *preset_find(const char *name); /* as workload_find(); NULL: none */

#endif
