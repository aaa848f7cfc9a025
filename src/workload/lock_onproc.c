// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_onproc.c - see lock_onproc.h. A libonproc without a sensor has "none". */
#include "workload/lock_onproc.h"

#include "workload/lock-config.h"

#if LOCK_HAS_ONPROC_SENSOR
#	include <errno.h>
#	include <onproc/sensor.h>

int lock_onproc_open(char *text, size_t bytes)
{
	int rc = onproc_sensor_open(NULL);

	if (rc == -EBUSY) /* a lock was quicker */
		rc = 0;
	if (rc)
		onproc_sensor_status(text, bytes);
	return rc;
}

const char *lock_onproc_sensor(void)
{
	return onproc_sensor_kind();
}
#else
int lock_onproc_open(char *text, size_t bytes)
{
	(void)text, (void)bytes;
	return 0;
}

const char *lock_onproc_sensor(void)
{
	return "none";
}
#endif
