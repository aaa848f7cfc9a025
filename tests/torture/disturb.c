// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disturb.c - what the first thread does to the others, by a table; about one a millisecond.
 *
 * What it does follows from the seed; when it does it does not.
 */
#include "disturb.h"

#include <stdio.h>

static const struct disturbance *const disturbances[] = {
	&disturb_signal, &disturb_cancel, &disturb_affinity, &disturb_nice,   &disturb_idle,
	&disturb_fifo,	 &disturb_freeze, &disturb_quota,    &disturb_sensor,
};
#define COUNT (sizeof(disturbances) / sizeof(disturbances[0]))

static const char *reasons[COUNT];
static uint64_t times[COUNT];
static struct random dice;

void disturb_prepare(struct torture *torture)
{
	uint32_t n;

	(void)torture;
	for (n = 0; n < COUNT; n++)
		reasons[n] = disturbances[n]->prepare ? disturbances[n]->prepare() : NULL;
}

void disturb(struct torture *torture)
{
	uint64_t now = now_ns();
	uint32_t n, at = 0;

	if (!dice.state)
		dice = random_of(torture->options->seed, UINT64_MAX, 0);
	for (n = 0; n < COUNT; n++) {
		if (!reasons[n] && disturbances[n]->tick)
			disturbances[n]->tick(torture, now);
		at += disturbances[n]->weight;
	}
	at = random_below(&dice, at);
	for (n = 0; at >= disturbances[n]->weight; n++)
		at -= disturbances[n]->weight;
	if (!reasons[n] && disturbances[n]->step(torture, &dice))
		times[n]++;
}

void disturb_end(struct torture *torture)
{
	uint32_t n;

	for (n = 0; n < COUNT; n++) {
		if (!reasons[n] && disturbances[n]->tick)
			disturbances[n]->tick(torture, UINT64_MAX);
	}
}

void disturb_report(void)
{
	uint32_t n;

	for (n = 0; n < COUNT; n++) {
		if (reasons[n])
			printf("disturbance %s: skipped: %s\n", disturbances[n]->name, reasons[n]);
		else
			printf("disturbance %s: %llu times\n", disturbances[n]->name,
			       (unsigned long long)times[n]);
	}
}
