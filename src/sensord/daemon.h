/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.h - the sensor daemon: one program on the scheduler's switches for all who ask.
 *
 * See docs/sensor.md for what it trusts and what it gives.
 */
#ifndef ONPROC_SENSORD_DAEMON_H
#define ONPROC_SENSORD_DAEMON_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

struct sched_module;
struct sched_program;

#define DAEMON_MOST_CLIENTS 16384u /* 68 KiB of the kernel's memory each */

struct daemon_plan {
	const char *socket;
	mode_t mode;
	gid_t group;	  /* of the socket; (gid_t)-1: as it is */
	uint32_t clients; /* at once; of one user other than root at most a quarter */
};

/* A listening socket at plan->socket, of its mode and group; what a daemon that has ended left
 * there is replaced. The descriptor, or a negative errno (-EADDRINUSE: one serves there). */
int daemon_listen(const struct daemon_plan *plan, struct error *err);

/* Raises the limit of descriptors to what the clients may need. Before privileges are dropped. */
int daemon_make_room(const struct daemon_plan *plan, struct error *err);

/* Serves until a signal asks it to stop (base/signals.h). 0 or a negative errno. */
int daemon_serve(int listener, const struct daemon_plan *plan, const struct sched_module *module,
		 struct sched_program *program, struct error *err);

#endif
