/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cost.h - what the sensor's program costs at each switch of the scheduler, measured here. */
#ifndef ONPROC_SENSORD_COST_H
#define ONPROC_SENSORD_COST_H

#include "base/error.h"
#include "stats/estimate.h"

#include <stdint.h>

#define COST_BAR_NS                                                                                \
	130.0 /* what a switch between watched threads may cost more than an empty program */

struct sched_module;

/* Nanoseconds per switch, with 95 % intervals over the rounds. */
struct sensor_cost {
	uint32_t rounds;
	uint32_t switches; /* of a round, at least */
	struct estimate
		empty; /* run time of a program that does nothing, by the kernel's account */
	struct estimate
		watched; /* of the sensor less that of the empty one, between watched threads */
	struct estimate others; /* the same, between threads that nobody watches */
	struct estimate whole;	/* the time of a switch with the program less that without */
};

/*
 * Two threads on one CPU hand a byte to and fro through pipes. Takes about rounds × 0.5 s on a
 * quiet machine. 0 or a negative errno: what the program needs to be loaded, or -EINTR.
 */
int sensor_cost_measure(const struct sched_module *module, uint32_t rounds,
			struct sensor_cost *cost, struct error *err);

#endif
