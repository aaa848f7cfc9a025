// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evidence_account.c - see evidence_account.h.
 *
 * Every process of the later snapshot is charged with what its own time and the time of the
 * children it waited for grew by. A child that was there before and was waited for since brings its
 * earlier time into its parent's sum, so that is taken off again. What ran and is in nobody's sum
 * (children of parents that do not wait, processes of another pid namespace) is the hidden rest. It
 * is a difference of sums that were cut to whole clock ticks, so it counts only above what the
 * cutting can amount to.
 */
#include "measure/evidence_account.h"

#include <errno.h>
#include <stdlib.h>

#define KERNEL_THREAD  0x00200000u /* PF_KTHREAD of linux/sched.h, field 9 of /proc/PID/stat */
#define ANCESTORS_MOST 256	   /* bounds the walk in a tree that was read while it changed */
#define BUSY_SHARE     0.5
#define USED_SHARE     0.1
#define HIDDEN_SHARE   0.03 /* as EVIDENCE_EXTERNAL_SHARE: less would not mark a slot */

static double grown(uint64_t before, uint64_t after)
{
	return after > before ? (double)(after - before) : 0;
}

static double at_least_0(double value)
{
	return value > 0 ? value : 0;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static bool cpu_is_seen(const struct account_request *request, size_t cpu)
{
	return cpu < request->before->n_cpus && cpu < request->after->n_cpus &&
	       request->before->cpu[cpu].online && request->after->cpu[cpu].online;
}

/* CPU numbers to look at: the allowed ones, or all when the list could not be read. */
static size_t candidates(const struct account_request *request)
{
	return request->sources->allowed_error.code ? request->after->n_cpus
						    : request->sources->n_allowed;
}

static size_t candidate(const struct account_request *request, size_t i)
{
	return request->sources->allowed_error.code ? i : (size_t)request->sources->allowed[i];
}

static bool cpu_is_allowed(const struct account_request *request, uint64_t cpu)
{
	if (request->sources->allowed_error.code)
		return true;
	for (size_t i = 0; i < request->sources->n_allowed; i++) {
		if ((uint64_t)request->sources->allowed[i] == cpu)
			return true;
	}
	return false;
}

/* One CPU's share of the interval, in ns. */
struct cpu_use {
	double steal, idle, busy, ran;
};

static struct cpu_use cpu_use(const struct account_request *request, size_t cpu, double interval)
{
	const struct cpu_times *before = &request->before->cpu[cpu];
	const struct cpu_times *after = &request->after->cpu[cpu];
	double tick = (double)request->sources->tick_ns;
	struct cpu_use use;

	use.steal = least(grown(before->steal, after->steal) * tick, interval);
	/* iowait may go back: idle time is given to it and taken away again */
	use.idle = at_least_0((double)(int64_t)(after->idle - before->idle) +
			      (double)(int64_t)(after->iowait - before->iowait)) *
		   tick;
	/*
	 * The kernel times idle exactly where the tick stops when idle, and samples the rest at
	 * ticks: what is not idle is the better number of busy time.
	 */
	use.busy = at_least_0(interval - use.idle - use.steal);
	use.ran = (grown(before->user, after->user) + grown(before->nice, after->nice) +
		   grown(before->system, after->system)) *
		  tick;
	return use;
}

/* Own: of the slot's process group, or the caller, or below the caller. */
static bool process_is_own(const struct account_request *request, const struct snapshot *snapshot,
			   const struct process *process)
{
	for (int i = 0; process && i < ANCESTORS_MOST; i++) {
		if (process->stat.pid == request->sources->caller ||
		    (request->own_group > 0 && process->stat.group == request->own_group))
			return true;
		if (process->stat.parent <= 0)
			return false;
		process = snapshot_find(snapshot, process->stat.parent);
	}
	return false;
}

/* The same process in another snapshot; NULL: it was not there. */
static const struct process *twin(const struct snapshot *snapshot, const struct process *process)
{
	const struct process *other = snapshot_find(snapshot, process->stat.pid);

	return other && other->stat.start_ticks == process->stat.start_ticks ? other : NULL;
}

/* CPU time of the process itself between the snapshots, in ns. */
static double own_time(const struct process *before, const struct process *after, double tick)
{
	static const struct process none = { .run_is_known = true, .stat.threads = 1 };
	double ticks, run;

	if (!before)
		before = &none;
	ticks = grown(before->stat.own_ticks, after->stat.own_ticks) * tick;
	if (!before->run_is_known || !after->run_is_known)
		return ticks;
	run = grown(before->run_ns, after->run_ns);
	/* run is exact, but of the first thread alone; user and system time are cut to a tick each
	 */
	if (ticks > run + 2 * tick)
		return ticks;
	if (after->stat.threads > 1 && ticks > run)
		return ticks;
	return run;
}

/*
 * Time up to the first snapshot of processes that are gone, per later process that waited for them:
 * the nearest ancestor that is still there.
 */
static void gone_times(const struct account_request *request, double *waited_before)
{
	const struct snapshot *before = request->before, *after = request->after;

	for (size_t i = 0; i < before->n_processes; i++) {
		const struct process *gone = &before->process[i];
		const struct process *parent = gone, *waiter = NULL;

		if (twin(after, gone))
			continue;
		for (int step = 0; parent && !waiter && step < ANCESTORS_MOST; step++) {
			parent = snapshot_find(before, parent->stat.parent);
			waiter = parent ? twin(after, parent) : NULL;
		}
		if (waiter)
			waited_before[waiter - after->process] +=
				(double)(gone->stat.own_ticks + gone->stat.children_ticks) *
				(double)request->sources->tick_ns;
	}
}

/* Takes the time of a thread that stayed on its CPU out of what is ours there. */
static void take_from_cpu(const struct process *before, const struct process *after, double ns,
			  double *our_ns, size_t n_cpus)
{
	if (before && after->stat.threads == 1 && before->stat.cpu == after->stat.cpu &&
	    after->stat.cpu < n_cpus)
		our_ns[after->stat.cpu] = at_least_0(our_ns[after->stat.cpu] - ns);
}

/* Adds one process to the sums. waited: earlier time of children it waited for. */
static void process_account(const struct account_request *request, const struct process *after,
			    double waited, double *our_ns, struct account *account)
{
	const struct process *before = twin(request->before, after);
	double tick = (double)request->sources->tick_ns;
	double self = own_time(before, after, tick);
	double children = at_least_0(
		grown(before ? before->stat.children_ticks : 0, after->stat.children_ticks) * tick -
		waited);

	if (after->stat.flags & KERNEL_THREAD) {
		account->kernel_ns += self;
		take_from_cpu(before, after, self, our_ns, request->after->n_cpus);
		return;
	}
	if (process_is_own(request, request->after, after) ||
	    (before && process_is_own(request, request->before, before))) {
		account->own_ns += self + children;
		return;
	}
	take_from_cpu(before, after, self, our_ns, request->after->n_cpus);
	if (after->stat.threads == 1 && !cpu_is_allowed(request, after->stat.cpu) &&
	    (!before || !cpu_is_allowed(request, before->stat.cpu)))
		self = 0; /* it ran where we may not */
	if (self + children <= 0)
		return;
	account->foreign[account->n_foreign++] = (struct foreign){ .process = after,
								   .ns = self + children,
								   .children_ns = children };
	account->foreign_ns += self + children;
}

static int foreign_order(const void *a, const void *b)
{
	const struct foreign *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns < second->ns ? 1 : -1;
	return (first->process > second->process) - (first->process < second->process);
}

static size_t own_count(const struct account_request *request, const struct snapshot *snapshot)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->n_processes; i++)
		count += process_is_own(request, snapshot, &snapshot->process[i]);
	return count;
}

/*
 * A child that ended while the processes were read is charged to its parent with time from before
 * the interval. So the time of children gives way first, in proportion, until the sum is no more
 * than there was; then that of the processes themselves, since a CPU not allowed may be in it.
 */
static void foreign_limit(struct account *account, double most_ns)
{
	double children_ns = 0, excess = at_least_0(account->foreign_ns - most_ns), own_ns;
	double keep_children, keep_own;

	if (!(excess > 0))
		return;
	for (size_t i = 0; i < account->n_foreign; i++)
		children_ns += account->foreign[i].children_ns;
	own_ns = account->foreign_ns - children_ns;
	keep_children = children_ns > 0 ? at_least_0(children_ns - excess) / children_ns : 0;
	keep_own = own_ns > most_ns ? most_ns / own_ns : 1;
	for (size_t i = 0; i < account->n_foreign; i++) {
		struct foreign *foreign = &account->foreign[i];
		double self = foreign->ns - foreign->children_ns;

		foreign->children_ns *= keep_children;
		foreign->ns = self * keep_own + foreign->children_ns;
	}
	account->foreign_ns = most_ns;
}

static void hidden_account(const struct account_request *request, double ran_ns,
			   struct account *account)
{
	double scale = account->scan_interval_ns > 0
			       ? account->cpu_interval_ns / account->scan_interval_ns
			       : 0;
	double room = account->cpu_interval_ns * (double)account->n_allowed;
	double tick = (double)request->sources->tick_ns;
	/* children's user and system time of each own process, and the sums of each CPU */
	double resolution =
		2 * tick * (double)(own_count(request, request->after) + account->n_allowed);
	double hidden;

	if (scale > 0) {
		double busy = account->busy_ns / scale;

		foreign_limit(account,
			      least(busy, at_least_0(busy - account->own_ns) + resolution));
	}
	/* Both ways to time a CPU have their own errors; only what both see is claimed. */
	hidden = least(account->busy_ns, ran_ns) -
		 (account->own_ns + account->kernel_ns + account->foreign_ns) * scale;
	if (hidden > HIDDEN_SHARE * room + resolution)
		account->hidden_ns = hidden;
}

static double cpus_account(const struct account_request *request, struct account *account,
			   double *our_ns)
{
	double interval = grown(request->before->cpu_at_ns, request->after->cpu_at_ns);
	double ran_ns = 0;

	account->cpu_interval_ns = interval;
	for (size_t i = 0; i < candidates(request); i++) {
		size_t cpu = candidate(request, i);
		struct cpu_use use;

		if (!cpu_is_seen(request, cpu))
			continue;
		use = cpu_use(request, cpu, interval);
		account->n_allowed++;
		account->steal_ns += use.steal;
		account->idle_ns += least(use.idle, interval);
		account->busy_ns += use.busy;
		ran_ns += use.ran;
		our_ns[cpu] = use.busy;
		if (use.busy >= BUSY_SHARE * interval)
			account->busy_cpu[account->n_busy++] = (int)cpu;
	}
	return ran_ns;
}

static void placement_account(const struct account_request *request, const double *our_ns,
			      struct account *account)
{
	for (size_t cpu = 0; cpu < request->after->n_cpus; cpu++) {
		account->our_ns += our_ns[cpu];
		if (our_ns[cpu] > account->our_busiest_ns)
			account->our_busiest_ns = our_ns[cpu];
		if (our_ns[cpu] > 0 && our_ns[cpu] >= USED_SHARE * account->cpu_interval_ns)
			account->n_used++;
	}
}

int account_make(const struct account_request *request, struct account *account)
{
	const struct snapshot *before = request->before, *after = request->after;
	double *our_ns = calloc(after->n_cpus + 1, sizeof(*our_ns));
	double *waited_before = calloc(after->n_processes + 1, sizeof(*waited_before));
	bool has_cpus = !before->cpu_error.code && !after->cpu_error.code;
	double ran_ns = 0;
	int rc = -ENOMEM;

	*account = (struct account){ 0 };
	account->busy_cpu = calloc(candidates(request) + 1, sizeof(*account->busy_cpu));
	account->foreign = calloc(after->n_processes + 1, sizeof(*account->foreign));
	if (!our_ns || !waited_before || !account->busy_cpu || !account->foreign)
		goto out;
	rc = 0;
	if (has_cpus)
		ran_ns = cpus_account(request, account, our_ns);
	account->scan_interval_ns = grown(before->scan_at_ns, after->scan_at_ns);
	if (!before->process_error.code && !after->process_error.code) {
		gone_times(request, waited_before);
		for (size_t i = 0; i < after->n_processes; i++)
			process_account(request, &after->process[i], waited_before[i], our_ns,
					account);
		if (has_cpus)
			hidden_account(request, ran_ns, account);
		qsort(account->foreign, account->n_foreign, sizeof(*account->foreign),
		      foreign_order);
	}
	if (has_cpus)
		placement_account(request, our_ns, account);
out:
	free(our_ns);
	free(waited_before);
	if (rc)
		account_free(account);
	return rc;
}

void account_free(struct account *account)
{
	free(account->busy_cpu);
	free(account->foreign);
	*account = (struct account){ 0 };
}
