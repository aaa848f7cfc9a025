// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disturb_freeze.c - one thread stands still for up to 100 ms, wherever it is.
 *
 * By ptrace, and since no process may trace its own threads, by a process of its own, which is told
 * the thread and the span and answers when it has let go.
 */
#include "disturb.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST_MS 100

struct order {
	int32_t tid, ms;
};

static int to_helper = -1, from_helper = -1;
static bool ordered;

/* Returns 0 when the thread stood still, else the error. */
static int freeze(pid_t tid, int ms)
{
	int status, signal = 0;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL))
		return errno;
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL))
		return errno;
	if (waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
		return ESRCH;
	/* Stopped by a signal that was just coming: it gets that when it goes on. */
	if (status >> 16 != PTRACE_EVENT_STOP)
		signal = WSTOPSIG(status);
	sleep_ns((uint64_t)ms * 1000000);
	return ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)signal) ? errno : 0;
}

static void help(int orders, int answers)
{
	struct order order;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(orders, &order, sizeof(order)) == sizeof(order)) {
		int32_t rc = freeze(order.tid, order.ms);

		if (write(answers, &rc, sizeof(rc)) != sizeof(rc))
			break;
	}
	_exit(0);
}

static bool send_order(pid_t tid, uint32_t ms)
{
	struct order order = { (int32_t)tid, (int32_t)ms };

	return write(to_helper, &order, sizeof(order)) == sizeof(order);
}

static const char *freeze_prepare(void)
{
	int orders[2], answers[2];
	int32_t rc;
	pid_t helper;

	if (pipe2(orders, O_CLOEXEC) || pipe2(answers, O_CLOEXEC))
		return "no pipes";
	helper = fork();
	if (!helper) {
		close(orders[1]);
		close(answers[0]);
		help(orders[0], answers[1]);
	}
	close(orders[0]);
	close(answers[1]);
	if (helper < 0)
		return "no process";
	prctl(PR_SET_PTRACER, helper);
	to_helper = orders[1];
	from_helper = answers[0];
	/* On the caller, once. */
	if (!send_order(getpid(), 0) || read(from_helper, &rc, sizeof(rc)) != sizeof(rc))
		return "the process that freezes ended";
	if (rc)
		return rc == EPERM ? "no right to trace (EPERM)" : "threads cannot be traced here";
	fcntl(from_helper, F_SETFL, O_NONBLOCK);
	return NULL;
}

static bool freeze_step(struct torture *torture, struct random *random)
{
	struct worker *worker = disturb_any(torture, random);
	uint32_t ms = 1 + random_below(random, LONGEST_MS);

	if (!worker || ordered)
		return false;
	ordered = send_order(disturb_tid(worker), ms);
	return ordered;
}

static void freeze_tick(struct torture *torture, uint64_t now)
{
	int32_t rc;

	(void)torture;
	(void)now; /* it ends by itself */
	if (ordered && read(from_helper, &rc, sizeof(rc)) == sizeof(rc))
		ordered = false;
}

const struct disturbance disturb_freeze = { "freeze", 10, freeze_prepare, freeze_step,
					    freeze_tick };
