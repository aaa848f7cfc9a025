// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * futex.c - sleeping and waking.
 *
 * To sleep is two steps: a look at the word together with lying down, and the end of the sleep: by
 * a wake-up, by the deadline (whenever it likes: nothing says how long a step takes), for no reason
 * or by a signal (so often as the client allows). Once taken by a wake-up, a sleeper returns 0;
 * once its time-out was first, the wake-up goes to another one, or to nobody.
 *
 * A loop of short sleeps could go round for ever while others do not run. So a thread times out a
 * few times (the client says how often) and from then on only when nobody else can go on. Then it
 * also reads what was written last: nothing takes for ever to arrive.
 *
 * The look and the wake-up exclude each other, as by the kernel's lock: whoever lies down after a
 * wake-up has seen at least what the waker had seen of the word. Nothing else is ordered.
 */
#include "explorer.h"

static bool may_time_out(const struct thread *thread)
{
	return thread->pending.has_deadline && (thread->timeouts_left || world.at_last);
}

bool futex_may_end(const struct thread *thread)
{
	return thread->woken || (thread->pending.has_deadline && thread->timeouts_left);
}

bool futex_may_end_at_last(const struct thread *thread)
{
	return thread->pending.has_deadline;
}

bool futex_may_end_by_luck(const struct thread *thread)
{
	return thread->spurious_left > 0;
}

void futex_end_sleep(struct thread *thread)
{
	struct operation *operation = &thread->pending;
	uint64_t results[3];
	unsigned int count = 0;

	if (thread->woken) {
		operation->result = 0;
		return;
	}
	if (may_time_out(thread))
		results[count++] = (uint64_t)-ETIMEDOUT;
	if (thread->spurious_left) {
		results[count++] = 0;
		results[count++] = (uint64_t)-EINTR;
	}
	count = search_pick(PICK_WAKE, count, all_of(count));
	operation->result = results[count];
	if (operation->result == (uint64_t)-ETIMEDOUT) {
		thread->sees_newest = world.at_last;
		if (thread->timeouts_left)
			thread->timeouts_left--;
		if (thread->now_ns < operation->deadline_ns)
			thread->now_ns = operation->deadline_ns;
	} else {
		thread->spurious_left--;
	}
}

void futex_unpark(struct thread *thread)
{
	struct operation *operation = &thread->pending;
	struct location *location = operation->location;
	uint8_t seen = thread->current.seen[location - world.locations];
	unsigned int asleep[THREADS], count = 0, i;
	uint64_t left = operation->value;

	if (memory_is_newer(location, seen, location->floor))
		location->floor = seen;
	for (i = 0; i < world.thread_count; i++) {
		const struct thread *other = &world.threads[i];

		/* Also a frozen one: a wake-up does not know. */
		if (other->state == ALIVE && other->pending.kind == ASLEEP && !other->woken &&
		    other->pending.location == location)
			asleep[count++] = i;
	}
	operation->result = 0;
	for (; left && count; left--) {
		i = count <= left ? 0 : search_pick(PICK_SLEEPER, count, all_of(count));
		world.threads[asleep[i]].woken = true;
		operation->result |= UINT64_C(1) << asleep[i];
		asleep[i] = asleep[--count];
	}
}
