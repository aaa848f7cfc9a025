/* SPDX-License-Identifier: MIT */
/*
 * trust.h - when is a sensor no longer believed, and when is it again?
 *
 * The rule. A contradiction is proven when the thread that reports it runs and its own state says
 * that it does not: it weighs TRUST_PROVEN. Otherwise the slot's state is looked at again: if it
 * still says "not on a CPU" the contradiction weighs 1, else nothing, for the sensor was right and
 * the moment has passed. Weights add up and are halved once a second. At TRUST_LIMIT the sensor has
 * lost its trust: locks behave as with none. "All threads are off their CPUs" needs no rule of its
 * own: the thread that asks is a proof to the contrary.
 *
 * It comes back after TRUST_LOOKS looks in a row, a second apart, in which the looking thread found
 * its own state right; twice as many after each further loss, up to TRUST_LOOKS_MOST.
 *
 * An honest sensor stays far below: a state that is late contradicts once, within a µs, per switch.
 */
#ifndef ONPROC_LIB_SENSOR_TRUST_H
#define ONPROC_LIB_SENSOR_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#define TRUST_PROVEN	 16u
#define TRUST_LIMIT	 1024u
#define TRUST_LOOKS	 8u
#define TRUST_LOOKS_MOST 512u

/* Zeroed: fully trusted. */
struct sensor_trust {
	uint32_t score;	 /* of what speaks against it */
	uint64_t second; /* in which the score was last halved */
	uint32_t losses;
	uint32_t looks_needed; /* until it is trusted again; 0: it is */
};

static inline bool trust_is_lost(const struct sensor_trust *trust)
{
	return __atomic_load_n(&trust->looks_needed, __ATOMIC_RELAXED) != 0;
}

/* Fully trusted from now on, by a new sensor; threads may still speak against the one before. */
void trust_begin(struct sensor_trust *trust);

/* A contradiction of that weight, from any thread, in this second of a clock. True: lose it. */
bool trust_lower(struct sensor_trust *trust, uint32_t weight, uint64_t second);

/* It is lost. One thread at a time; no other one calls trust_look(). */
void trust_lose(struct sensor_trust *trust);

/* A look at the looker's own state while it is lost: was it right? True: trusted again. */
bool trust_look(struct sensor_trust *trust, bool right);

#endif
