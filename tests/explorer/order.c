// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * order.c - which steps must also be tried in the other order: the partial-order reduction.
 *
 * Two neighbouring steps of different threads that can change places without changing what
 * either of them does belong to the same execution. Since a read chooses among all the writes that
 * it may see, and a write among all places of the modification order, what remains is little:
 *
 *  - a read, then a write of the same location: in the other order the read may see the write.
 *    The reverse needs nothing: the read had the older writes to choose from as well.
 *  - a read-modify-write took a message: in the other order the later one might have taken it.
 *  - sequentially consistent fences, and such accesses of one location: their order is observed.
 *  - futex steps on one word, where one of them is a wake-up.
 *
 * Each step carries a vector clock of the steps that it cannot be moved before. For a pair as above
 * that the clocks do not order otherwise, the search is told to try, where the first one was
 * chosen, a thread that begins the part of the execution that does not depend on it (a source set).
 */
#include "explorer.h"

#include <string.h>

static bool is_futex(enum kind kind)
{
	return kind == PARK || kind == ASLEEP || kind == UNPARK;
}

static bool may_be_sc(const struct operation *operation)
{
	return operation->kind <= FENCE && (operation->order == memory_order_seq_cst ||
					    (operation->kind == COMPARE &&
					     operation->order_of_failure == memory_order_seq_cst));
}

/* Both orders of these differ whatever they read. */
static bool symmetric(const struct operation *a, bool a_is_sc, const struct operation *b,
		      bool b_is_sc)
{
	if (a_is_sc && b_is_sc &&
	    (a->kind == FENCE || b->kind == FENCE || a->location == b->location))
		return true;
	return a->location && a->location == b->location && is_futex(a->kind) &&
	       is_futex(b->kind) && (a->kind == UNPARK || b->kind == UNPARK);
}

bool order_dependent(const struct operation *operation, const struct event *event)
{
	return symmetric(operation, may_be_sc(operation), &event->operation, event->sc);
}

/* Would `late`, made before `early`, have given it something else to read, or taken it away? */
static bool asymmetric(const struct event *early, const struct event *late)
{
	if (early->operation.location != late->operation.location || !early->reads)
		return false;
	return late->writes || (early->writes && late->operation.kind == COMPARE);
}

static void reverse(const struct event *early, const struct event *late, const uint16_t *clock)
{
	int first_index = (int)(early - world.events), index = (int)(late - world.events), k;
	uint16_t first[THREADS] = { 0 };
	uint32_t initials = 0;
	int beginner = -1;
	unsigned int u;

	for (k = first_index + 1; k <= index; k++) {
		const struct event *event = &world.events[k];
		const uint16_t *order = k == index ? clock : event->order;

		if (!event->number || first[event->thread] ||
		    (k != index && order[early->thread] >= early->number))
			continue;
		for (u = 0; u < THREADS; u++) {
			if (first[u] && order[u] >= first[u])
				break;
		}
		first[event->thread] = (uint16_t)event->number;
		if (u < THREADS)
			continue;
		initials |= 1u << event->thread;
		if (beginner < 0 || k == index)
			beginner = (int)event->thread;
	}
	/* Only asleep because of the wake-up that is `early`: nothing to try before it. */
	if (beginner >= 0 && beginner == (int)late->thread &&
	    !(search_enabled(early->node) & 1u << late->thread)) {
		initials &= ~(1u << late->thread);
		for (u = 0; u < THREADS && !(initials & 1u << u); u++)
			;
		if (u == THREADS || late->operation.kind == ASLEEP)
			return;
		beginner = (int)u;
	}
	if (beginner >= 0)
		search_add(early->node, (unsigned int)beginner, initials);
}

static void join(uint16_t *clock, const uint16_t *other)
{
	unsigned int u;

	for (u = 0; u < THREADS; u++) {
		if (clock[u] < other[u])
			clock[u] = other[u];
	}
}

void order_step(struct event *event)
{
	struct thread *thread = &world.threads[event->thread];
	int index = (int)(event - world.events), at, at_sc;
	uint16_t clock[THREADS];

	memcpy(clock, thread->order, sizeof(clock));
	at = event->operation.location ? event->operation.location->last_step : -1;
	at_sc = event->sc ? world.last_sc : -1;
	event->before = at;
	event->before_sc = world.last_sc;
	while (at >= 0 || at_sc >= 0) {
		int i = at > at_sc ? at : at_sc;
		const struct event *early = &world.events[i];
		bool both, pair;

		if (i == at)
			at = early->before;
		if (i == at_sc)
			at_sc = early->before_sc;
		if (early->thread == event->thread)
			continue;
		both = symmetric(&early->operation, early->sc, &event->operation, event->sc);
		pair = both || asymmetric(early, event);
		if (pair && clock[early->thread] < early->number)
			reverse(early, event, clock);
		if (both || i == event->source)
			join(clock, early->order);
	}
	clock[event->thread] = (uint16_t)event->number;
	memcpy(event->order, clock, sizeof(clock));
	memcpy(thread->order, clock, sizeof(clock));
	if (event->operation.location)
		event->operation.location->last_step = index;
	if (event->sc)
		world.last_sc = index;
}
