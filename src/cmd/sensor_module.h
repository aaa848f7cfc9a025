/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sensor_module.h - where the sensor `sched` finds its module. */
#ifndef ONPROC_CMD_SENSOR_MODULE_H
#define ONPROC_CMD_SENSOR_MODULE_H

/* A module that was built with this program goes before one that is installed: by the environment,
 * thus for what this process becomes or starts, too. */
void sensor_prefer_built_module(void);

#endif
