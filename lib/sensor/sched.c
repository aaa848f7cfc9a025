// SPDX-License-Identifier: MIT
/*
 * sched.c - the kind sched: a program in the kernel writes a thread's state at each of its
 * switches. Exact, but for the moment in which it is read.
 *
 * The daemon is asked first (`onproc sensor serve`), for then the machine has one program however
 * many processes there are; who may load programs does it by itself where no daemon answers.
 */
#include "sensor/sched.h"

#include <errno.h>

static const struct sched_way *way;

static int sched_open(struct sensor_why *why)
{
	struct sensor_why no_daemon = { "" }, not_itself = { "" };
	int rc;

	way = &sched_by_daemon;
	rc = way->open(&no_daemon);
	if (!rc)
		return 0;
	way = &sched_by_itself;
	rc = way->open(&not_itself);
	if (!rc)
		return 0;
	way = NULL;
	return sensor_why(why, rc, "%.120s; %.120s", no_daemon.text, not_itself.text);
}

static void sched_close(void)
{
	way->close();
	way = NULL;
}

static int sched_thread_begins(uint32_t slot, pid_t thread)
{
	return way->thread_begins(slot, thread);
}

static int sched_thread_ends(uint32_t slot, pid_t thread)
{
	return way->thread_ends(slot, thread);
}

static bool sched_is_alive(void)
{
	return way->is_alive();
}

static const uint8_t *sched_states(void)
{
	return sensor_area_mapped();
}

static void sched_describe(char *text, size_t bytes)
{
	way->describe(text, bytes);
}

const struct sensor_kind sensor_kind_sched = {
	.name = "sched",
	.help = "the kernel's scheduler tells, by an eBPF program on its switches",
	.by_default = true,
	.states = sched_states,
	.open = sched_open,
	.close = sched_close,
	.thread_begins = sched_thread_begins,
	.thread_ends = sched_thread_ends,
	.is_alive = sched_is_alive,
	.describe = sched_describe,
};
