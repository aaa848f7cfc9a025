// SPDX-License-Identifier: MIT
/*
 * create.c - pthread_create(): with its first other thread a process opens its sensor.
 *
 * Not earlier: most processes of a build or of a shell never have a second thread, and opening a
 * sensor costs more than they do.
 */
#include "export.h"
#include "libc.h"

#include <onproc/sensor.h>

#include <errno.h>

static void open_sensor_once(void)
{
	static int opened;
	int error = errno;

	if (__atomic_load_n(&opened, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&opened, 1, __ATOMIC_RELAXED))
		return;
	/* Which one, ONPROC_SENSOR says; without any the locks work as well. */
	onproc_sensor_open(NULL);
	errno = error;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
			  void *argument)
{
	open_sensor_once();
	return libc_calls()->create(thread, attributes, run, argument);
}
