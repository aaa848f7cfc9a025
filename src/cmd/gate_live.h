/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gate_live.h - onproc gate --against: measures now what a stored run measured, and judges. */
#ifndef ONPROC_CMD_GATE_LIVE_H
#define ONPROC_CMD_GATE_LIVE_H

#include "cmd/options.h"

#include <stdint.h>

struct gate_live {
	const char *against;  /* tag or run */
	double margin, alpha; /* 0: the defaults */
	uint64_t budget_ns;
	uint64_t seed; /* UINT64_MAX: drawn */
};

/*
 * call's operands name tests of that run, none: all. The stored run is compared with a new one
 * after 8, 12, 18 and so on slots of each row, which share alpha, until the gate is decided or the
 * time has ended. Prints as onproc gate of two stored runs; the new one is stored.
 */
enum exit_code gate_live(const struct verb_call *call, const struct gate_live *live);

#endif
