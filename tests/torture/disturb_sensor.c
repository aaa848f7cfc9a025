// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disturb_sensor.c - another sensor, also one that lies, while the locks are in use.
 *
 * What it says may cost speed, never exclusion or a wake-up.
 */
#include "disturb.h"

#include <onproc/sensor.h>

#define MOST_KINDS 16
#define SPAN_NS	   40000000u

static const char *kinds[MOST_KINDS];
static uint32_t count;
static uint64_t until_ns;

static const char *sensor_prepare(void)
{
	const char *name;
	char why[256];
	uint32_t n;

	for (n = 0; (name = onproc_sensor_kind_name(n, NULL)); n++) {
		if (count < MOST_KINDS && !onproc_sensor_probe(name, why, sizeof(why)))
			kinds[count++] = name;
	}
	return count ? NULL : "no kind opens here";
}

static bool sensor_step(struct torture *torture, struct random *random)
{
	uint32_t n = random_below(random, count);

	(void)torture;
	if (now_ns() < until_ns)
		return false;
	onproc_sensor_close();
	until_ns = now_ns() + SPAN_NS;
	return !onproc_sensor_open(kinds[n]);
}

static void sensor_tick(struct torture *torture, uint64_t now)
{
	(void)torture;
	if (now == UINT64_MAX)
		onproc_sensor_close();
}

const struct disturbance disturb_sensor = { "sensor", 10, sensor_prepare, sensor_step,
					    sensor_tick };
