// SPDX-License-Identifier: MIT
/*
 * lying.c - sensors that are wrong on purpose, for tests and for `onproc bench lock`: locks must
 * stay correct and must not get slower than without one, whatever a sensor says.
 *
 * stuck-running says of all threads that they run, stuck-preempted that they do not; random says
 * anything, and something else at each beat.
 */
#include "sensor/kinds.h"
#include "sensor/sensor.h"

#define RANDOM_PER_BEAT 16u /* states that a beat draws anew, in turn */

static uint32_t random_next; /* slot */
static uint64_t random_seed;

static const uint8_t *own_states(void)
{
	return sensor_area_own();
}

static int stuck(uint8_t state)
{
	for (uint32_t slot = 0; slot < SENSOR_SLOTS; slot++)
		sensor_state_set(sensor_area_own(), slot, state);
	return 0;
}

static int stuck_running_open(struct sensor_why *why)
{
	(void)why;
	return stuck(SENSOR_RUNNING);
}

static int stuck_preempted_open(struct sensor_why *why)
{
	(void)why;
	return stuck(SENSOR_PREEMPTED);
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint8_t random_state(void)
{
	uint64_t z = __atomic_add_fetch(&random_seed, 0x9e3779b97f4a7c15ull, __ATOMIC_RELAXED);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (uint8_t)(SENSOR_RUNNING + (z >> 33) % 3);
}

static int random_open(struct sensor_why *why)
{
	(void)why;
	for (uint32_t slot = 0; slot < SENSOR_SLOTS; slot++)
		sensor_state_set(sensor_area_own(), slot, random_state());
	return 0;
}

static void random_beat(void)
{
	uint32_t first = __atomic_fetch_add(&random_next, RANDOM_PER_BEAT, __ATOMIC_RELAXED);
	uint32_t used = sensor_slots_used();

	for (uint32_t i = 0; used && i < RANDOM_PER_BEAT; i++)
		sensor_state_set(sensor_area_own(), (first + i) % used, random_state());
}

const struct sensor_kind sensor_kind_stuck_running = {
	.name = "stuck-running",
	.help = "for tests: says of every thread that it runs",
	.states = own_states,
	.for_tests = true,
	.open = stuck_running_open,
};

const struct sensor_kind sensor_kind_stuck_preempted = {
	.name = "stuck-preempted",
	.help = "for tests: says of every thread that it does not run",
	.states = own_states,
	.for_tests = true,
	.open = stuck_preempted_open,
};

const struct sensor_kind sensor_kind_random = {
	.name = "random",
	.help = "for tests: says anything",
	.states = own_states,
	.for_tests = true,
	.open = random_open,
	.beat = random_beat,
};
