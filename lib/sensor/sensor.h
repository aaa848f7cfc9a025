/* SPDX-License-Identifier: MIT */
/*
 * sensor.h - who is on a CPU, as the locks ask it: one byte per slot.
 *
 * Kinds are a table (kinds.h): each opens, registers and unregisters threads, and provides the
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

/*
 * M_SLOTS bytes, or NULL with no sensor (or with one that is no longer trusted). What it pointed to
 * stays readable for ever. A state is read by a relaxed load: sensor_state_of().
 */
extern const volatile uint8_t *sensor_state_bytes __attribute__((visibility("hidden")));

static inline __attribute__((always_inline)) const volatile uint8_t *sensor_states(void)
{
	return __atomic_load_n(&sensor_state_bytes, __ATOMIC_RELAXED);
}

static inline __attribute__((always_inline)) enum sensor_state
sensor_state_of(const volatile uint8_t *states, uint32_t slot)
{
	return (enum sensor_state)__atomic_load_n(&states[slot], __ATOMIC_RELAXED);
}

/*
 * The calling thread has got, or gives back, this slot. Never fails: without it it is unknown. The
 * thread that ends still runs, and calls before the slot can be another's: once it is back, nothing
 * writes the slot's state on behalf of the old thread. May take a system call or a question to the
 * daemon; blocks signals meanwhile.
 */
void sensor_thread_begins(uint32_t slot);
void sensor_thread_ends(uint32_t slot);

/*
 * The state of a slot contradicted what its thread did, seen without having slept in between.
 * Enough of these end the trust. Cheap, from any thread.
 */
void sensor_contradicts(uint32_t slot);

/*
 * In a forked child, before anything else. The child has no sensor until a second thread of it
 * begins; then the one of its parent is opened again.
 */
void sensor_forked(void);

/*
 * To be called about once a second by a thread that has a slot, from where the library looks at the
 * machine anyway. Notices that the daemon has gone, and gives a sensor its trust back (trust.h).
 */
void sensor_look(void);

/* What kinds without the kernel's help live on: NULL with all others. */
extern void (*sensor_beat_function)(void) __attribute__((visibility("hidden")));

/* The calling thread is on a CPU and waits by polling: at the start of a wait and every µs or so.
 */
static inline __attribute__((always_inline)) void sensor_beat(void)
{
	void (*beat)(void) = __atomic_load_n(&sensor_beat_function, __ATOMIC_RELAXED);

	if (__builtin_expect(beat != NULL, 0))
		beat();
}

#endif
