// SPDX-License-Identifier: GPL-2.0-or-later
/* disturb_signal.c - signals to a thread whose handler takes a lock; cancellation. */
#include "disturb.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool signal_step(struct torture *torture, struct random *random)
{
	struct worker *worker = disturb_any(torture, random);

	return worker && !syscall(SYS_tgkill, getpid(), disturb_tid(worker), SIGUSR1);
}

/* The thread is joined by the caller's thread alone, so it is still there. */
static bool cancel_step(struct torture *torture, struct random *random)
{
	struct worker *worker = disturb_any(torture, random);

	return worker && !pthread_cancel(worker->thread);
}

const struct disturbance disturb_signal = { "signal", 40, NULL, signal_step, NULL };
const struct disturbance disturb_cancel = { "cancel", 5, NULL, cancel_step, NULL };
