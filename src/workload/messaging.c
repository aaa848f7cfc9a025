// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * messaging.c - groups of senders and receivers that wake each other, as perf bench sched
 * messaging.
 *
 * A group has 20 receivers, each with a socket pair (or pipe) of its own, and 20 senders; each
 * sender sends `loops` messages of 100 bytes to each receiver, in turn. One message is one write
 * and one read. A run makes all workers anew, as processes or threads; each says that it is ready
 * through a pipe and sleeps in poll; all are let go at once. Timed is from there until the last has
 * ended; a complete run counts all its messages, a run that was cut short none.
 *
 * A message carries its sender and number, so that a lost, doubled or overtaken one is found.
 * Workers that are threads live in a child of the copy: when the stop word comes in the middle of a
 * run, that child (or the workers themselves) can be killed and waited for.
 */
#include "base/clock.h"
#include "workload/child.h"
#include "workload/resource_limits.h"
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARTIES	      20 /* senders of a group, and receivers */
#define MESSAGE_BYTES 100
#define STACK_BYTES   65536
#define STOP_POLL_NS                                                                               \
	20000000 /* how often a copy that waits for its workers looks at the stop word */

enum { PARAM_GROUPS, PARAM_LOOPS, PARAM_PIPE, PARAM_THREAD };

union message {
	struct {
		uint32_t sender, number;
	};
	char bytes[MESSAGE_BYTES];
};

/* What went wrong first in a run; shared by all workers. */
enum fault {
	FAULT_BARRIER = 1,
	FAULT_WRITE,
	FAULT_SHORT_WRITE,
	FAULT_READ,
	FAULT_SHORT_READ,
	FAULT_ORDER,
	FAULT_CHANNEL,
	FAULT_THREAD,
	FAULT_FORK,
	FAULT_WORKER,
};

static const char *const fault_text[] = {
	[FAULT_BARRIER] = "waiting for the start",
	[FAULT_WRITE] = "write of a message",
	[FAULT_SHORT_WRITE] = "a message was not written whole",
	[FAULT_READ] = "read of a message",
	[FAULT_SHORT_READ] = "a message was not read whole",
	[FAULT_ORDER] = "a message was lost or overtaken",
	[FAULT_CHANNEL] = "making a pipe or socket pair",
	[FAULT_THREAD] = "starting a thread",
	[FAULT_FORK] = "starting a process",
	[FAULT_WORKER] = "a worker was killed",
};

/* In memory that the copy shares with its children. */
struct run_report {
	_Atomic uint64_t fault; /* of the first that failed: enum fault << 32 | errno; or 0 */
	_Atomic uint64_t self_ns;
	_Atomic uint64_t received; /* messages; each receiver adds its own at its end */
};

struct messaging;

struct worker {
	const struct messaging *run;
	uint32_t number;  /* of its kind in its group */
	int from;	  /* receivers: their own end; senders: -1 */
	int unused;	  /* receivers that are processes close the other end of it; else -1 */
	const int *to;	  /* senders: the PARTIES ends of the group */
	pthread_t thread; /* as a thread */
};

struct messaging {
	uint32_t groups, loops;
	bool by_pipe, by_thread;
	struct run_report *report;
	int ready[2], wake[2];
	uint32_t workers, started;
	pid_t *pid;	       /* of the workers that are processes, 0 once they are reaped */
	struct worker *worker; /* of the threads */
	int *to;	       /* PARTIES descriptors of each group */
};

static int fault(const struct messaging *run, enum fault what, int code)
{
	uint64_t none = 0, first = (uint64_t)what << 32 | (uint32_t)code;

	atomic_compare_exchange_strong(&run->report->fault, &none, first);
	return -1;
}

static uint64_t run_messages(const struct messaging *run)
{
	return (uint64_t)run->groups * PARTIES * PARTIES * run->loops;
}

/* Says that this worker is ready and sleeps until all are let go. */
static int worker_wait(const struct messaging *run)
{
	struct pollfd wake = { .fd = run->wake[0], .events = POLLIN };
	char ready = 0;

	if (write(run->ready[1], &ready, 1) != 1 || poll(&wake, 1, -1) != 1)
		return fault(run, FAULT_BARRIER, errno);
	return 0;
}

static int sender_run(const struct worker *worker)
{
	union message message = { .bytes = { 0 } };
	ssize_t got;

	message.sender = worker->number;
	for (; message.number < worker->run->loops; message.number++) {
		for (int receiver = 0; receiver < PARTIES; receiver++) {
			got = write(worker->to[receiver], message.bytes, MESSAGE_BYTES);
			if (got < 0)
				return fault(worker->run, FAULT_WRITE, errno);
			if (got != MESSAGE_BYTES)
				return fault(worker->run, FAULT_SHORT_WRITE, 0);
		}
	}
	return 0;
}

static int receiver_run(const struct worker *worker)
{
	const uint64_t due = (uint64_t)PARTIES * worker->run->loops;
	uint32_t next[PARTIES] = { 0 };
	union message message;
	uint64_t received;
	ssize_t got;

	for (received = 0; received < due; received++) {
		got = read(worker->from, message.bytes, MESSAGE_BYTES);
		if (got < 0)
			return fault(worker->run, FAULT_READ, errno);
		if (got != MESSAGE_BYTES)
			return fault(worker->run, FAULT_SHORT_READ, 0);
		if (message.sender >= PARTIES || message.number != next[message.sender]++)
			return fault(worker->run, FAULT_ORDER, 0);
	}
	atomic_fetch_add(&worker->run->report->received, received);
	return 0;
}

static int worker_run(const struct worker *worker)
{
	if (worker->unused >= 0)
		close(worker->unused);
	if (worker_wait(worker->run))
		return -1;
	return worker->from >= 0 ? receiver_run(worker) : sender_run(worker);
}

static void *worker_thread(void *worker)
{
	worker_run(worker);
	return NULL;
}

static int thread_start(struct messaging *run, const struct worker *worker)
{
	struct worker *own = &run->worker[run->started];
	pthread_attr_t attr;
	size_t bytes = STACK_BYTES;
	int code;

	*own = *worker;
	if (bytes < (size_t)PTHREAD_STACK_MIN)
		bytes = (size_t)PTHREAD_STACK_MIN;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, bytes);
	code = pthread_create(&own->thread, &attr, worker_thread, own);
	pthread_attr_destroy(&attr);
	if (code)
		return fault(run, FAULT_THREAD, code);
	run->started++;
	return 0;
}

static int process_start(struct messaging *run, const struct worker *worker)
{
	pid_t self = getpid(), child = fork();

	if (child == 0) {
		child_bind(self);
		_exit(worker_run(worker) ? 1 : 0);
	}
	if (child < 0)
		return fault(run, FAULT_FORK, errno);
	run->pid[run->started++] = child;
	return 0;
}

static int worker_start(struct messaging *run, const struct worker *worker)
{
	return run->by_thread ? thread_start(run, worker) : process_start(run, worker);
}

static int channel_make(const struct messaging *run, int end[2])
{
	if (run->by_pipe ? pipe(end) : socketpair(AF_UNIX, SOCK_STREAM, 0, end))
		return fault(run, FAULT_CHANNEL, errno);
	return 0;
}

/* Receivers first, then the senders, who need all of their ends. */
static int group_start(struct messaging *run, uint32_t group)
{
	int *to = run->to + (size_t)group * PARTIES;
	int end[2], made, rc = 0;

	for (made = 0; !rc && made < PARTIES; made++) {
		struct worker receiver = { .run = run, .number = (uint32_t)made, .unused = -1 };

		rc = channel_make(run, end);
		if (rc)
			break;
		to[made] = end[1];
		receiver.from = end[0];
		if (!run->by_thread)
			receiver.unused = end[1];
		rc = worker_start(run, &receiver);
		if (!run->by_thread)
			close(end[0]);
	}
	for (uint32_t sender = 0; !rc && sender < PARTIES; sender++) {
		const struct worker worker = {
			.run = run, .number = sender, .from = -1, .unused = -1, .to = to
		};

		rc = worker_start(run, &worker);
	}
	for (int i = 0; !run->by_thread && i < made; i++)
		close(to[i]);
	return rc;
}

/* All workers have said that they are ready; false once the slot is over or something failed. */
static bool workers_are_ready(const struct work *work, const struct messaging *run)
{
	struct pollfd ready = { .fd = run->ready[0], .events = POLLIN };
	char bytes[512];
	uint32_t seen = 0;
	ssize_t got;

	while (seen < run->workers) {
		if (work_stopped(work) || atomic_load(&run->report->fault))
			return false;
		if (poll(&ready, 1, STOP_POLL_NS / 1000000) != 1)
			continue;
		got = read(run->ready[0], bytes, sizeof(bytes));
		if (got > 0)
			seen += (uint32_t)got;
	}
	return true;
}

static int workers_release(const struct messaging *run)
{
	char go = 0;

	return write(run->wake[1], &go, 1) == 1 ? 0 : fault(run, FAULT_BARRIER, errno);
}

static int barrier_make(struct messaging *run)
{
	if (pipe(run->ready))
		return fault(run, FAULT_CHANNEL, errno);
	if (pipe(run->wake)) {
		close(run->ready[0]);
		close(run->ready[1]);
		return fault(run, FAULT_CHANNEL, errno);
	}
	return 0;
}

static void barrier_close(const struct messaging *run)
{
	for (int i = 0; i < 2; i++) {
		close(run->ready[i]);
		close(run->wake[i]);
	}
}

/*
 * Waits until the `count` children have ended well; false once the slot is over or one has failed.
 * SIGCHLD is blocked and taken from here: a wait with a deadline, without a handler.
 */
static bool children_end(const struct work *work, const struct messaging *run, pid_t *pid,
			 uint32_t count)
{
	const struct timespec deadline = { .tv_nsec = STOP_POLL_NS };
	uint32_t ended = 0;
	sigset_t child;
	pid_t one;
	int status;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		while (ended < count && (one = waitpid(-1, &status, WNOHANG)) > 0) {
			for (uint32_t i = 0; i < count; i++) {
				if (pid[i] == one)
					pid[i] = 0;
			}
			ended++;
			if (status && !atomic_load(&run->report->fault))
				fault(run, FAULT_WORKER, 0);
		}
		if (atomic_load(&run->report->fault))
			return false;
		if (ended == count)
			return true;
		if (work_stopped(work))
			return false;
		sigtimedwait(&child, NULL, &deadline);
	}
}

/* What workers find wrong because others were killed before them is no fault of the run. */
static void children_kill(const struct messaging *run, pid_t *pid, uint32_t count)
{
	uint64_t before = atomic_load(&run->report->fault);

	for (uint32_t i = 0; i < count; i++) {
		if (pid[i])
			kill(pid[i], SIGKILL);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (pid[i])
			child_kill(pid[i]);
		pid[i] = 0;
	}
	atomic_store(&run->report->fault, before);
}

/* One run of workers that are processes. True when it is complete. */
static bool run_processes(const struct work *work, struct messaging *run)
{
	bool complete = false;
	uint64_t start;
	int rc;

	run->started = 0;
	if (barrier_make(run))
		return false;
	rc = 0;
	for (uint32_t group = 0; !rc && !work_stopped(work) && group < run->groups; group++)
		rc = group_start(run, group);
	if (!rc && run->started == run->workers && workers_are_ready(work, run)) {
		start = clock_raw_ns();
		complete = workers_release(run) == 0 &&
			   children_end(work, run, run->pid, run->started);
		atomic_store(&run->report->self_ns, clock_raw_ns() - start);
	}
	if (!complete)
		children_kill(run, run->pid, run->started);
	barrier_close(run);
	return complete;
}

/* The child that holds the threads of one run: 0 when the run is complete. */
static int thread_holder(const struct work *work, struct messaging *run)
{
	uint64_t start;
	int rc = 0;

	run->started = 0;
	if (barrier_make(run))
		return 1;
	for (uint32_t group = 0; !rc && group < run->groups; group++)
		rc = group_start(run, group);
	if (rc || !workers_are_ready(work, run))
		return 1;
	start = clock_raw_ns();
	if (workers_release(run))
		return 1;
	for (uint32_t i = 0; i < run->started; i++)
		pthread_join(run->worker[i].thread, NULL);
	atomic_store(&run->report->self_ns, clock_raw_ns() - start);
	return atomic_load(&run->report->fault) ? 1 : 0;
}

static bool run_threads(const struct work *work, struct messaging *run)
{
	pid_t self = getpid(), holder = fork();
	bool complete;

	if (holder == 0) {
		child_bind(self);
		_exit(thread_holder(work, run));
	}
	if (holder < 0) {
		fault(run, FAULT_FORK, errno);
		return false;
	}
	complete = children_end(work, run, &holder, 1);
	if (!complete && holder)
		children_kill(run, &holder, 1);
	return complete;
}

static uint64_t descriptors_needed(const int64_t *param)
{
	/* Both ends of every receiver's channel are open where threads share them. */
	return param[PARAM_THREAD] ? (uint64_t)param[PARAM_GROUPS] * PARTIES * 2 : 2ull * PARTIES;
}

static int messaging_setup(struct work *work)
{
	struct messaging *run = calloc(1, sizeof(*run));
	sigset_t child;
	int rc;

	if (!run)
		return work_fail(work, -ENOMEM, "no memory");
	work->state = run;
	run->groups = (uint32_t)work_param(work, PARAM_GROUPS);
	run->loops = (uint32_t)work_param(work, PARAM_LOOPS);
	run->by_pipe = work_param(work, PARAM_PIPE);
	run->by_thread = work_param(work, PARAM_THREAD);
	run->workers = run->groups * 2 * PARTIES;
	run->to = calloc((size_t)run->groups * PARTIES, sizeof(*run->to));
	run->pid = calloc(run->workers, sizeof(*run->pid));
	if (run->by_thread)
		run->worker = calloc(run->workers, sizeof(*run->worker));
	run->report = mmap(NULL, sizeof(*run->report), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run->report == MAP_FAILED)
		run->report = NULL;
	if (!run->to || !run->pid || (run->by_thread && !run->worker) || !run->report)
		return work_fail(work, -ENOMEM, "no memory for %u workers", run->workers);
	rc = limits_raise_descriptors(descriptors_needed(work->page->param));
	if (rc)
		return work_fail(work, rc, "raise the limit of open files: %s", strerror(-rc));
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	return 0;
}

static int run_failed(const struct work *work, const struct run_report *report)
{
	uint64_t first = atomic_load(&report->fault);
	enum fault what = (enum fault)(first >> 32);
	int code = (int)(uint32_t)first;

	if (what == FAULT_FORK || what == FAULT_THREAD)
		return work_fail(work, -code, "%s: %s", fault_text[what], child_fork_advice(code));
	if (code)
		return work_fail(work, -code, "%s: %s", fault_text[what], strerror(code));
	return work_fail(work, -EBADMSG, "%s", fault_text[what]);
}

static int messaging_loop(struct work *work)
{
	struct messaging *run = work->state;
	struct run_report *report = run->report;
	const uint64_t messages = run_messages(run);
	uint64_t count = 0, self_ns = 0;
	bool complete;

	while (!work_stopped(work)) {
		atomic_store(&report->received, 0);
		complete = run->by_thread ? run_threads(work, run) : run_processes(work, run);
		if (atomic_load(&report->fault))
			return run_failed(work, report);
		if (!complete)
			break;
		if (atomic_load(&report->received) != messages)
			return work_fail(work, -EBADMSG, "%llu of %llu messages came",
					 (unsigned long long)atomic_load(&report->received),
					 (unsigned long long)messages);
		count += messages;
		self_ns += atomic_load(&report->self_ns);
		work_publish(work, count, clock_raw_ns(), self_ns);
	}
	return 0;
}

/* The loop has checked every run; no worker is left. */
static int messaging_verify(const struct work *work)
{
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		return work_fail(work, -EBADMSG, "a worker was not waited for");
	return 0;
}

static void messaging_cleanup(struct work *work)
{
	struct messaging *run = work->state;

	if (!run)
		return;
	if (run->report)
		munmap(run->report, sizeof(*run->report));
	free(run->worker);
	free(run->pid);
	free(run->to);
	free(run);
}

static int messaging_supported(const struct workload_request *request, struct reason *why)
{
	uint64_t groups = (uint64_t)request->param[PARAM_GROUPS];
	int rc = limits_processes(request->copies, groups * 2 * PARTIES + 1, why);

	return rc ? rc : limits_descriptors(descriptors_needed(request->param), why);
}

static const struct workload_param messaging_params[] = {
	{ "groups", "groups of 20 senders and 20 receivers", NULL, 10, 1, 100000 },
	{ "loops", "messages from each sender to each receiver of its group", NULL, 100, 1,
	  1000000 },
	{ "pipe", "1: pipes, 0: socket pairs", NULL, 0, 0, 1 },
	{ "thread", "1: threads, 0: processes", NULL, 0, 0, 1 },
	{ NULL },
};

const struct workload workload_messaging = {
	.id = "onproc/messaging@1",
	.title = "Messaging",
	.help = "a message of 100 bytes from one of 20 senders to one of 20 receivers",
	.unit = "msg/s",
	.program = "messaging",
	.file = "messaging",
	.units_per_iteration = 1,
	.class = CLASS_IPC,
	.rate = RATE_WHOLE_RUN,
	.processes = 10 * 2 * PARTIES + 1,
	.params = messaging_params,
	.supported = messaging_supported,
	.setup = messaging_setup,
	.loop = messaging_loop,
	.verify = messaging_verify,
	.cleanup = messaging_cleanup,
};
