// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.c - the weak memory: what a read may see, and where a write may stand.
 *
 * Each location has all its writes in one modification order. Each thread has a view: the write of
 * each location that it may no longer see behind. A read takes any write from its view on; a write
 * may be placed anywhere after the view, but not between a read-modify-write and what that read.
 * A write carries the view that its acquirer gets: that of its thread (release), or of its thread's
 * last release fence (relaxed); a read-modify-write passes on the view of the write that it
 * read, so that release sequences hold. A view has vector clocks in it: they are happens-before.
 *
 * Sequentially consistent fences exchange their thread's view with one common view; sequentially
 * consistent accesses do so for their location alone. The total order of these is the order in
 * which they are executed, as in C++20 (where what is coherence-ordered before is before), with one
 * difference: here that order also agrees with "is read by", which C++20 does not demand.
 *
 * Steps are executed in an order that agrees with program order and with "is read by". So no read
 * sees a write that depends on it, nor one that comes later in its own thread: load buffering,
 * which C11 allows for relaxed accesses, is not modelled.
 */
#include "explorer.h"

#include <string.h>

static struct message pool[EVENTS + LOCATIONS];
static unsigned int pool_used;

/* Addresses of locations, hashed; an entry counts when it is of this execution. */
#define BUCKETS 1024
static struct {
	const void *address;
	unsigned long execution;
	struct location *location;
} buckets[BUCKETS];
static unsigned long execution;

void memory_reset(void)
{
	execution++;
	pool_used = 0;
	world.location_count = 0;
	memset(&world.sc, 0, sizeof(world.sc));
}

bool order_acquires(int order)
{
	return order == memory_order_acquire || order == memory_order_consume ||
	       order == memory_order_acq_rel || order == memory_order_seq_cst;
}

bool order_releases(int order)
{
	return order == memory_order_release || order == memory_order_acq_rel ||
	       order == memory_order_seq_cst;
}

static unsigned int index_of(const struct location *location)
{
	return (unsigned int)(location - world.locations);
}

bool memory_is_newer(const struct location *location, uint8_t message, uint8_t than)
{
	return location->place[message] > location->place[than];
}

static void see(struct view *view, const struct location *location, uint8_t message)
{
	uint8_t *seen = &view->seen[index_of(location)];

	if (memory_is_newer(location, message, *seen))
		*seen = message;
}

static void join_seen(struct view *view, const struct view *other)
{
	unsigned int i;

	for (i = 0; i < world.location_count; i++) {
		if (view->seen[i] != other->seen[i])
			see(view, &world.locations[i], other->seen[i]);
	}
}

void view_join(struct view *view, const struct view *other)
{
	unsigned int i;

	join_seen(view, other);
	for (i = 0; i < THREADS; i++) {
		if (view->clock[i] < other->clock[i])
			view->clock[i] = other->clock[i];
	}
	if (view->now_ns < other->now_ns)
		view->now_ns = other->now_ns;
}

static uint64_t real_value(const void *address, unsigned int bytes)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (bytes) {
	case 2:
		memcpy(&two, address, sizeof(two));
		return two;
	case 4:
		memcpy(&four, address, sizeof(four));
		return four;
	default:
		memcpy(&eight, address, sizeof(eight));
		return eight;
	}
}

static struct message *message_new(struct location *location, uint64_t value, uint8_t place)
{
	struct message *message = &pool[pool_used++];
	unsigned int number = location->count++, i;

	for (i = number; i > place; i--) {
		location->by_place[i] = location->by_place[i - 1];
		location->place[location->by_place[i]] = (uint8_t)i;
	}
	location->by_place[place] = (uint8_t)number;
	location->place[number] = place;
	location->messages[number] = message;
	message->value = value;
	message->event = -1;
	message->taken = false;
	return message;
}

static struct location *location_new(const void *address, unsigned int bytes,
				     const struct check_site *site)
{
	struct location *location;
	const char *start = address;
	unsigned int i;

	for (i = 0; i < world.location_count; i++) {
		const char *other = world.locations[i].address;

		if (start < other + world.locations[i].bytes && other < start + bytes)
			execution_fail("%s:%d: an access of %u bytes to a part of what is accessed "
				       "by %u bytes",
				       site->file, site->line, bytes, world.locations[i].bytes);
	}
	if (world.location_count == LOCATIONS)
		execution_cut(BOUND);
	location = &world.locations[world.location_count++];
	location->address = address;
	location->bytes = bytes;
	location->site = site;
	location->count = 0;
	location->floor = 0;
	location->last_step = -1;
	memset(&message_new(location, real_value(address, bytes), 0)->view, 0, sizeof(struct view));
	/* What was touched for the first time here was seen by nobody beyond its start. */
	world.sc.seen[index_of(location)] = 0;
	return location;
}

struct location *memory_location(const void *address, unsigned int bytes,
				 const struct check_site *site)
{
	size_t at = ((size_t)address >> 1) * 2654435761u >> 7;

	for (;; at++) {
		at %= BUCKETS;
		if (buckets[at].execution != execution)
			break;
		if (buckets[at].address == address) {
			if (buckets[at].location->bytes != bytes)
				execution_fail(
					"%s:%d: an access of %u bytes to what is accessed by "
					"%u bytes",
					site->file, site->line, bytes, buckets[at].location->bytes);
			return buckets[at].location;
		}
	}
	buckets[at].execution = execution;
	buckets[at].address = address;
	buckets[at].location = location_new(address, bytes, site);
	return buckets[at].location;
}

uint64_t memory_latest(const void *address, unsigned int bytes)
{
	unsigned int i;

	for (i = 0; i < world.location_count; i++) {
		const struct location *location = &world.locations[i];

		if (location->address == address)
			return location->messages[location->by_place[location->count - 1]]->value;
	}
	return real_value(address, bytes);
}

/* The place before which an operation of this order may not look. */
static uint8_t first_place(const struct thread *thread, const struct location *location, int order)
{
	unsigned int i = index_of(location);
	uint8_t place = location->place[thread->current.seen[i]];

	if (order == memory_order_seq_cst && location->place[world.sc.seen[i]] > place)
		place = location->place[world.sc.seen[i]];
	return place;
}

static bool is_candidate(const struct thread *thread, const struct operation *operation,
			 const struct location *location, uint8_t place)
{
	const struct message *message = location->messages[location->by_place[place]];

	switch (operation->kind) {
	case LOAD:
		return true;
	case PARK:
		return place >= location->place[location->floor];
	case COMPARE:
		if (message->value != operation->expected)
			return place >= first_place(thread, location, operation->order_of_failure);
		return !message->taken;
	default:
		return !message->taken;
	}
}

unsigned int memory_candidates(const struct thread *thread, const struct operation *operation,
			       uint8_t *numbers)
{
	const struct location *location = operation->location;
	/* A failing compare-exchange may see more than one that succeeds: checked for each. */
	uint8_t first =
		first_place(thread, location,
			    operation->kind == COMPARE ? memory_order_relaxed : operation->order);
	uint8_t first_done = first_place(thread, location, operation->order);
	unsigned int count = 0, place;

	for (place = location->count; place-- > first;) {
		if (!is_candidate(thread, operation, location, (uint8_t)place))
			continue;
		if (operation->kind == COMPARE && place < first_done &&
		    location->messages[location->by_place[place]]->value == operation->expected)
			continue;
		numbers[count++] = location->by_place[place];
	}
	return count;
}

void memory_read(struct thread *thread, struct location *location, uint8_t number, int order)
{
	const struct message *message = location->messages[number];

	see(&thread->current, location, number);
	view_join(&thread->acquired, &message->view);
	if (order_acquires(order))
		view_join(&thread->current, &message->view);
	if (order == memory_order_seq_cst)
		see(&world.sc, location, number);
}

unsigned int memory_places(const struct thread *thread, const struct location *location, int order,
			   uint8_t *numbers)
{
	uint8_t first = first_place(thread, location, order);
	unsigned int count = 0, place;

	for (place = location->count; place-- > first;) {
		if (!location->messages[location->by_place[place]]->taken)
			numbers[count++] = location->by_place[place];
	}
	return count;
}

void memory_write(struct thread *thread, struct location *location, uint64_t value, int order,
		  uint8_t after, bool modifies)
{
	struct message *before = location->messages[after], *message;
	uint8_t number = (uint8_t)location->count;

	if (location->count == MESSAGES || pool_used == EVENTS)
		execution_cut(BOUND);
	message = message_new(location, value, (uint8_t)(location->place[after] + 1));
	message->event = (int)world.event_count; /* the step that is being made */
	see(&thread->current, location, number);
	message->view = order_releases(order) ? thread->current : thread->released;
	see(&message->view, location, number);
	if (modifies) {
		before->taken = true;
		view_join(&message->view, &before->view);
	}
	if (order == memory_order_seq_cst)
		see(&world.sc, location, number);
}

void memory_fence(struct thread *thread, int order)
{
	if (order_acquires(order))
		view_join(&thread->current, &thread->acquired);
	if (order == memory_order_seq_cst) {
		/* Their order is no happens-before: the clocks stay. */
		join_seen(&thread->current, &world.sc);
		join_seen(&world.sc, &thread->current);
	}
	if (order_releases(order))
		thread->released = thread->current;
}
