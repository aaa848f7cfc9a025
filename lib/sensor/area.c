// SPDX-License-Identifier: MIT
/*
 * area.c - the memory that states are in, at addresses that never change.
 *
 * A lock may hold the address in a register while a sensor is closed, so nothing is ever unmapped:
 * another mapping takes the place of the one before in one step (MAP_FIXED). There are two places,
 * for a beat of a sensor that was just closed must not write where the next one maps what is
 * read-only.
 */
#include "sensor/kinds.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint8_t own[SENSOR_SLOTS];
static uint8_t *mapped;

uint8_t *sensor_area_own(void)
{
	return own;
}

const uint8_t *sensor_area_mapped(void)
{
	return mapped;
}

/*
 * By the bare system call: that others read meanwhile, with nothing but the address to order them,
 * is meant, and ThreadSanitizer takes mmap() for a write.
 */
static int map_over(int protection, int flags, int fd, struct sensor_why *why)
{
	long memory = syscall(SYS_mmap, mapped, (size_t)SENSOR_SLOTS, protection,
			      flags | (mapped ? MAP_FIXED : 0), fd, 0L);

	if (memory == -1)
		return sensor_why(why, -errno, "mapping the states: %s", strerror(errno));
	mapped = (uint8_t *)memory;
	return 0;
}

int sensor_area_map(int fd, struct sensor_why *why)
{
	return map_over(PROT_READ, MAP_SHARED, fd, why);
}

void sensor_area_unmap(void)
{
	if (mapped)
		map_over(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, NULL);
}
