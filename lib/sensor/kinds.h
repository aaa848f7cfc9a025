/* SPDX-License-Identifier: MIT */
/*
 * kinds.h - what a kind of sensor is, and what sensor.c lends to all of them.
 *
 * Functions are called with the guard of sensor.c held where nothing else is said.
 */
#ifndef ONPROC_LIB_SENSOR_KINDS_H
#define ONPROC_LIB_SENSOR_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SENSOR_SLOTS 65536u /* bytes of the area; as many slots, of which M_SLOTS are used */

/* Why something does not work, in words a user can act on. */
struct sensor_why {
	char text[256];
};

/* Sets the text and returns code: `return sensor_why(why, -EPERM, "…")`. why may be NULL. */
int sensor_why(struct sensor_why *why, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

struct sensor_kind {
	const char *name;
	const char *help;
	const uint8_t *(*states)(void); /* once it is open; NULL: it does not sense */
	bool by_default;		/* is tried when none is named, in the order of the table */
	bool for_tests;
	/* Gets ready. 0, or a negative errno with the reason and nothing left behind. */
	int (*open)(struct sensor_why *why);
	void (*close)(void);
	/* A thread of this process, not always the caller, has got the slot. Errors other than
	 * -ENOTCONN leave its state unknown; -ENOTCONN: the sensor has gone. */
	int (*thread_begins)(uint32_t slot, pid_t thread);
	int (*thread_ends)(uint32_t slot, pid_t thread);
	/* Is it still what it was when it was opened? */
	bool (*is_alive)(void);
	/* In a forked child instead of close: drops what is shared with the parent, which keeps it.
	 */
	void (*forked)(void);
	/* Both without the guard, also just after close. */
	void (*beat)(void);			    /* see sensor_beat() */
	void (*contradicted)(uint32_t slot);	    /* a chance to correct itself */
	void (*describe)(char *text, size_t bytes); /* "through the daemon at …" */
};

extern const struct sensor_kind sensor_kind_none;
extern const struct sensor_kind sensor_kind_heartbeat;
extern const struct sensor_kind sensor_kind_sched;
extern const struct sensor_kind sensor_kind_slice;
extern const struct sensor_kind sensor_kind_stuck_running;
extern const struct sensor_kind sensor_kind_stuck_preempted;
extern const struct sensor_kind sensor_kind_random;

extern const struct sensor_kind *const sensor_kinds[]; /* best first, NULL-terminated */

/*
 * Where states are, SENSOR_SLOTS bytes at addresses that never change (area.c): memory of this
 * process for kinds that write them themselves, and what is mapped for those that do not.
 */
uint8_t *sensor_area_own(void);
const uint8_t *sensor_area_mapped(void);	     /* NULL before anything was mapped */
int sensor_area_map(int fd, struct sensor_why *why); /* the first bytes of fd, read-only */
void sensor_area_unmap(void);			     /* all unknown from there on */

/* One more than the slot of the calling thread; 0: it has none. */
uint32_t sensor_own_slot_plus_one(void);

/* One more than the highest slot that was ever used. */
uint32_t sensor_slots_used(void);

static inline void sensor_state_set(uint8_t *states, uint32_t slot, uint8_t state)
{
	__atomic_store_n(&states[slot], state, __ATOMIC_RELAXED);
}

#endif
