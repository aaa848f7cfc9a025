/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stolen_cpu.h - why no sensor sees a virtual CPU that the hypervisor has taken away. */
#ifndef ONPROC_CMD_STOLEN_CPU_H
#define ONPROC_CMD_STOLEN_CPU_H

/* A phrase; never NULL, since no kind of sensor looks at it. */
const char *stolen_cpu_reason(void);

#endif
