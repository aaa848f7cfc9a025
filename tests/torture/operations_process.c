// SPDX-License-Identifier: GPL-2.0-or-later
/* operations_process.c - memory that is freed after an unlock; locks across fork. */
#include "torture.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_MAY_TAKE_S 60
#define LONGEST_HOLD_NS	 20000000u

/*
 * Two threads use a mutex once each; the last one destroys it and frees its memory, perhaps while
 * the other one is still on its way out of unlock.
 */
void freed_use(struct worker *worker, struct lock *lock, struct random *random)
{
	struct freed *freed;
	bool last;

	guard_expect(worker, lock, "mutex_lock", onproc_mutex_lock(&lock->mutex), 0);
	freed = lock->freed;
	if (freed) {
		lock->freed = NULL;
	} else {
		freed = calloc(1, sizeof(*freed));
		if (!freed)
			fail(worker->torture, worker, lock, "no memory");
		freed->users = 2;
		lock->freed = freed;
	}
	guard_enter(worker, lock, random);
	guard_expect(worker, lock, "mutex_unlock", onproc_mutex_unlock(&lock->mutex), 0);

	guard_expect(worker, lock, "mutex_lock", onproc_mutex_lock(&freed->mutex), 0);
	last = !--freed->users;
	hold(random);
	guard_expect(worker, lock, "mutex_unlock", onproc_mutex_unlock(&freed->mutex), 0);
	if (!last)
		return;
	guard_expect(worker, lock, "mutex_destroy", onproc_mutex_destroy(&freed->mutex), 0);
	free(freed);
}

/* In the child: 0 if its locks work. The inherited one is held by the calling thread. */
static int child_uses(struct onproc_mutex *inherited)
{
	struct onproc_mutex own = ONPROC_MUTEX_INITIALIZER;
	struct timespec past = { 1, 0 };

	if (onproc_mutex_lock(&own) || onproc_mutex_trylock(&own) != -EBUSY ||
	    onproc_mutex_timedlock(&own, CLOCK_MONOTONIC, &past) != -ETIMEDOUT ||
	    onproc_mutex_unlock(&own) || onproc_mutex_destroy(&own))
		return 1;
	if (!inherited)
		return 0;
	if (onproc_mutex_unlock(inherited))
		return 2;
	if (onproc_mutex_trylock(inherited))
		return 3;
	return onproc_mutex_unlock(inherited) ? 4 : 0;
}

static pid_t fork_child(struct onproc_mutex *inherited)
{
	pid_t child = fork();

	if (child)
		return child;
	alarm(CHILD_MAY_TAKE_S);
	/* By number: nothing of a sanitizer or of libc runs in a child of many threads. */
	syscall(SYS_exit_group, child_uses(inherited));
	return 0;
}

static void child_ends(struct worker *worker, struct lock *lock, pid_t child)
{
	int status = 0;

	if (child < 0)
		fail(worker->torture, worker, lock, "fork: error %d", errno);
	/* By number: waitpid() is a cancellation point. */
	while (syscall(SYS_wait4, child, &status, 0, NULL) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		fail(worker->torture, worker, lock, "fork: the child ended by signal %d%s",
		     WTERMSIG(status), WTERMSIG(status) == SIGALRM ? ": it hung" : "");
	guard_expect(worker, lock, "fork: step at which the child's locks failed",
		     WEXITSTATUS(status), 0);
}

void fork_free(struct worker *worker, struct lock *lock, struct random *random)
{
	(void)random;
	child_ends(worker, lock, fork_child(NULL));
}

/* The child unlocks what its parent held, with others waiting, and takes it again. */
void fork_holding(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns();
	pid_t child;

	guard_expect(worker, lock, "mutex_lock", onproc_mutex_lock(&lock->mutex), 0);
	worker_waited(worker, since_ns);
	guard_enter(worker, lock, random);
	/* Some of those that wait ask for the lock by then. */
	sleep_ns(random_below(random, LONGEST_HOLD_NS));
	child = fork_child(&lock->mutex);
	guard_expect(worker, lock, "mutex_unlock", onproc_mutex_unlock(&lock->mutex), 0);
	child_ends(worker, lock, child);
}
