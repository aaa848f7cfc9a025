// SPDX-License-Identifier: MIT
/* sensor.c - no sensor yet: every state is unknown. */
#include "sensor/sensor.h"

const volatile uint8_t *sensor_state_bytes;

void sensor_thread_begins(uint32_t slot)
{
	(void)slot;
}

void sensor_thread_ends(uint32_t slot)
{
	(void)slot;
}

void sensor_contradicts(uint32_t slot)
{
	(void)slot;
}

void sensor_forked(void)
{
}
