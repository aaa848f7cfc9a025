// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disturb_sched.c - where and how urgently a thread runs: affinity, nice, SCHED_IDLE, SCHED_FIFO.
 *
 * Each is taken back after a short time: a holder that the machine's other load keeps from running
 * for seconds would only measure that load.
 */
#include "disturb.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define IDLE_NS	    30000000u
#define NICE_NS	    100000000u
#define FIFO_NS	    10000000u
#define MOST_LOANS  16
#define FIFO_LEVEL  1
#define NO_RIGHT    "no right to do it (EPERM)"
#define NOT_OFFERED "not offered by this system"

/* A priority that a thread has for some time. */
struct loan {
	struct worker *worker;
	uint32_t incarnation, tid;
	uint64_t until_ns;
};

static cpu_set_t allowed;

static int set_policy(uint32_t tid, int policy)
{
	struct sched_param parameters = { policy == SCHED_FIFO ? FIFO_LEVEL : 0 };

	return sched_setscheduler((pid_t)tid, policy, &parameters);
}

static bool still_there(const struct loan *loan)
{
	return loan->worker->incarnation == loan->incarnation &&
	       !__atomic_load_n(&loan->worker->ended, __ATOMIC_ACQUIRE);
}

/* A free place for a loan to a thread that has none, or NULL. */
static struct loan *new_loan(struct loan *loans, uint32_t most, struct worker *worker,
			     uint64_t span_ns)
{
	struct loan *place = NULL;
	uint32_t n;

	for (n = 0; worker && n < most; n++) {
		if (!loans[n].worker)
			place = &loans[n];
		else if (loans[n].worker == worker)
			return NULL;
	}
	if (!place)
		return NULL;
	place->incarnation = worker->incarnation;
	place->tid = (uint32_t)disturb_tid(worker);
	place->until_ns = now_ns() + span_ns;
	return place;
}

/* Which of the loans are over: calls give_back for those whose thread is still there. */
static void take_back(struct loan *loans, uint32_t most, uint64_t now, void (*give_back)(uint32_t))
{
	uint32_t n;

	for (n = 0; n < most; n++) {
		if (!loans[n].worker || now < loans[n].until_ns)
			continue;
		if (still_there(&loans[n]))
			give_back(loans[n].tid);
		loans[n].worker = NULL;
	}
}

static void usual_policy(uint32_t tid)
{
	set_policy(tid, SCHED_OTHER);
}

static void usual_nice(uint32_t tid)
{
	setpriority(PRIO_PROCESS, tid, 0);
}

static const char *affinity_prepare(void)
{
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return NOT_OFFERED;
	return CPU_COUNT(&allowed) < 2 ? "only one CPU" : NULL;
}

/* One CPU, or all. */
static bool affinity_step(struct torture *torture, struct random *random)
{
	struct worker *worker = disturb_any(torture, random);
	uint32_t one = random_below(random, (uint32_t)CPU_COUNT(&allowed) + 1);
	cpu_set_t set = allowed;
	int cpu;

	if (one) {
		CPU_ZERO(&set);
		for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
			if (CPU_ISSET(cpu, &allowed) && !--one)
				CPU_SET(cpu, &set);
		}
	}
	return worker && !sched_setaffinity(disturb_tid(worker), sizeof(set), &set);
}

static struct loan nice_loans[MOST_LOANS], idle_loans[MOST_LOANS], fifo_loan[1];

/* Tries in a process of its own, since what cannot be taken back would stay. */
static const char *try_apart(bool (*lend)(int), bool (*take_it_back)(void), int argument)
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(!lend(argument) ? 1 : take_it_back() ? 0 : 2);
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return "no process to try it in";
	switch (WEXITSTATUS(status)) {
	case 0:
		return NULL;
	case 1:
		return NO_RIGHT;
	}
	return "no right to take it back (EPERM)";
}

static bool lend_nice(int nice)
{
	return !setpriority(PRIO_PROCESS, 0, nice);
}

static bool take_back_nice(void)
{
	return !setpriority(PRIO_PROCESS, 0, 0);
}

static const char *nice_prepare(void)
{
	if (getpriority(PRIO_PROCESS, 0))
		return "the program has been niced";
	return try_apart(lend_nice, take_back_nice, 1);
}

static bool nice_step(struct torture *torture, struct random *random)
{
	struct worker *worker = disturb_any(torture, random);
	struct loan *loan = new_loan(nice_loans, MOST_LOANS, worker, NICE_NS);
	int nice = 1 + (int)random_below(random, 19);

	if (!loan || setpriority(PRIO_PROCESS, loan->tid, nice))
		return false;
	loan->worker = worker;
	return true;
}

static void nice_tick(struct torture *torture, uint64_t now)
{
	(void)torture;
	take_back(nice_loans, MOST_LOANS, now, usual_nice);
}

static bool lend_policy(int policy)
{
	return !set_policy(0, policy);
}

static bool take_back_policy(void)
{
	return !set_policy(0, SCHED_OTHER);
}

static const char *policy_prepare(int policy)
{
	if (sched_getscheduler(0) != SCHED_OTHER)
		return "the program runs by another policy";
	return try_apart(lend_policy, take_back_policy, policy);
}

static bool policy_step(struct loan *loans, uint32_t most, struct worker *worker, int policy,
			uint64_t span_ns)
{
	struct loan *loan = new_loan(loans, most, worker, span_ns);

	if (!loan || set_policy(loan->tid, policy))
		return false;
	loan->worker = worker;
	return true;
}

static const char *idle_prepare(void)
{
	return policy_prepare(SCHED_IDLE);
}

static bool idle_step(struct torture *torture, struct random *random)
{
	return policy_step(idle_loans, MOST_LOANS, disturb_any(torture, random), SCHED_IDLE,
			   IDLE_NS);
}

static void idle_tick(struct torture *torture, uint64_t now)
{
	(void)torture;
	take_back(idle_loans, MOST_LOANS, now, usual_policy);
}

static const char *fifo_prepare(void)
{
	return policy_prepare(SCHED_FIFO);
}

/* One at a time, so that a CPU is left for all others. */
static bool fifo_step(struct torture *torture, struct random *random)
{
	return policy_step(fifo_loan, 1, disturb_any(torture, random), SCHED_FIFO, FIFO_NS);
}

static void fifo_tick(struct torture *torture, uint64_t now)
{
	(void)torture;
	take_back(fifo_loan, 1, now, usual_policy);
}

const struct disturbance disturb_affinity = { "affinity", 20, affinity_prepare, affinity_step,
					      NULL };
const struct disturbance disturb_nice = { "nice", 10, nice_prepare, nice_step, nice_tick };
const struct disturbance disturb_idle = { "SCHED_IDLE", 10, idle_prepare, idle_step, idle_tick };
const struct disturbance disturb_fifo = { "SCHED_FIFO", 10, fifo_prepare, fifo_step, fifo_tick };
