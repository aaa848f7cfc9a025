/* SPDX-License-Identifier: MIT */
/*
 * sensor.h - who is on a CPU, as the locks ask it: one byte per slot.
 *
 * Kinds are a table (sensor.c): each opens, registers and unregisters threads, and provides the
 * array of states. A state is a hint: it may be wrong or late and never blocks.
 */
#ifndef ONPROC_LIB_SENSOR_H
#define ONPROC_LIB_SENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sensor_state {
	SENSOR_UNKNOWN = 0,
	SENSOR_RUNNING = 1,
	SENSOR_OFF_CPU = 2, /* from here on: not on a CPU */
	SENSOR_PREEMPTED = 2,
	SENSOR_SLEEPING = 3,
};

/* M_SLOTS bytes, or NULL with no sensor (or with one that is no longer trusted). */
extern const volatile uint8_t *sensor_state_bytes __attribute__((visibility("hidden")));

static inline __attribute__((always_inline)) const volatile uint8_t *sensor_states(void)
{
	return __atomic_load_n(&sensor_state_bytes, __ATOMIC_RELAXED);
}

/* The calling thread has got, or gives back, this slot. Never fails: without it it is unknown. */
void sensor_thread_begins(uint32_t slot);
void sensor_thread_ends(uint32_t slot);

/* The state of a slot contradicted what its thread did. Enough of these end the trust. */
void sensor_contradicts(uint32_t slot);

/* In a forked child, before anything else. */
void sensor_forked(void);

#endif
