/* SPDX-License-Identifier: GPL-2.0-or-later */
/* privileges.h - what the sensor daemon keeps once it has loaded its program. */
#ifndef ONPROC_SENSORD_PRIVILEGES_H
#define ONPROC_SENSORD_PRIVILEGES_H

#include "base/error.h"

/*
 * For good, of the calling (only) thread: root becomes nobody; of the capabilities CAP_BPF alone
 * is left, without which no map can be made for a client; nothing gives any back (bounding set, no
 * new privileges); and programs, files, processes and sockets can no longer be started, opened or
 * made (seccomp). 0 or a negative errno.
 */
int privileges_drop(struct error *err);

#endif
