// SPDX-License-Identifier: GPL-2.0-or-later
/* disturb_signal.c - signals to a thread whose handler takes a lock; cancellation. */
#include "disturb.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BURST 8 /* so many at a time, so that their handlers meet at their lock */

static bool signal_step(struct torture *torture, struct random *random)
{
	uint32_t sent = 0, n;

	for (n = 0; n < BURST; n++) {
		struct worker *worker = disturb_any(torture, random);

		if (worker && !syscall(SYS_tgkill, getpid(), disturb_tid(worker), SIGUSR1))
			sent++;
	}
	return sent > 0;
}

/* The thread is joined by the caller's thread alone, so it is still there. */
static bool cancel_step(struct torture *torture, struct random *random)
{
	struct worker *worker = disturb_any(torture, random);

	return worker && !pthread_cancel(worker->thread);
}

const struct disturbance disturb_signal = { "signal", 40, NULL, signal_step, NULL };
const struct disturbance disturb_cancel = { "cancel", 5, NULL, cancel_step, NULL };
