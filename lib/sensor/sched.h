/* SPDX-License-Identifier: MIT */
/* sched.h - the two ways to the program on the scheduler's switches: the daemon, or by oneself. */
#ifndef ONPROC_LIB_SENSOR_SCHED_H
#define ONPROC_LIB_SENSOR_SCHED_H

#include "sensor/kinds.h"

/* As in struct sensor_kind; open maps the states. */
struct sched_way {
	int (*open)(struct sensor_why *why);
	void (*close)(void);
	int (*thread_begins)(uint32_t slot, pid_t thread);
	int (*thread_ends)(uint32_t slot, pid_t thread);
	bool (*is_alive)(void);
	void (*describe)(char *text, size_t bytes);
};

extern const struct sched_way sched_by_daemon;
extern const struct sched_way sched_by_itself;

struct sched_module;

/* Loads the module; NULL: it is not there, or is of another version, with the reason. */
const struct sched_module *sched_module_load(struct sensor_why *why);

#endif
