// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * machine.c - the operations of lib/machine/check.h, as the code under test calls them.
 *
 * What touches shared memory is a step. What only tells the thread something (the time, whether to
 * go on polling, who is on a CPU) is a choice on the way, and needs no step of its own.
 */
#include "explorer.h"

#define JUMP_NS	  40000000u
/* A loop that asks whether to go on but reads nothing: more turns say nothing. */
#define IDLE_ASKS 2

static uint64_t touch(enum kind kind, const void *p, unsigned int bytes, uint64_t value, int order,
		      const struct check_site *site)
{
	struct operation operation = { .kind = kind,
				       .site = site,
				       .location = memory_location(p, bytes, site),
				       .order = order,
				       .order_of_failure = memory_order_relaxed,
				       .value = value };

	thread_announce(&operation);
	return operation.result;
}

uint64_t check_load(const void *p, unsigned int bytes, int order, const struct check_site *site)
{
	return touch(LOAD, p, bytes, 0, order, site);
}

void check_store(void *p, unsigned int bytes, uint64_t value, int order,
		 const struct check_site *site)
{
	touch(STORE, p, bytes, value, order, site);
}

uint64_t check_exchange(void *p, unsigned int bytes, uint64_t value, int order,
			const struct check_site *site)
{
	return touch(EXCHANGE, p, bytes, value, order, site);
}

uint64_t check_add(void *p, unsigned int bytes, uint64_t value, int order,
		   const struct check_site *site)
{
	return touch(ADD, p, bytes, value, order, site);
}

uint64_t check_and(void *p, unsigned int bytes, uint64_t value, int order,
		   const struct check_site *site)
{
	return touch(AND, p, bytes, value, order, site);
}

uint64_t check_or(void *p, unsigned int bytes, uint64_t value, int order,
		  const struct check_site *site)
{
	return touch(OR, p, bytes, value, order, site);
}

bool check_compare(void *p, unsigned int bytes, uint64_t *expected, uint64_t desired, int order,
		   int order_of_failure, const struct check_site *site)
{
	struct operation operation = { .kind = COMPARE,
				       .site = site,
				       .location = memory_location(p, bytes, site),
				       .order = order,
				       .order_of_failure = order_of_failure,
				       .value = desired,
				       .expected = *expected };

	thread_announce(&operation);
	*expected = operation.result;
	return operation.done;
}

void check_fence(int order, const struct check_site *site)
{
	struct operation operation = { .kind = FENCE, .site = site, .order = order };

	thread_announce(&operation);
}

void check_pause(const struct check_site *site)
{
	thread_block(site);
}

bool check_should_yield(const struct check_site *site)
{
	struct thread *thread = thread_running();
	bool yield;

	if (!thread->polled && thread->idle_asks++ >= IDLE_ASKS)
		return true;
	yield = search_pick(PICK_YIELD, 2, 3) == 0;
	thread_note(NOTE_YIELD, site, "should it yield?", yield);
	if (yield)
		return true;
	thread->may_give_up = true;
	/* A loop without m_pause(): its turn ends here. */
	if (thread->asked)
		thread_block(site);
	thread->asked = true;
	thread->may_give_up = true;
	return false;
}

uint32_t check_self(void)
{
	if (world.options->slots && world.running >= world.options->slots)
		return M_NO_SLOT;
	return world.running;
}

uint32_t check_me(void)
{
	return check_self() == M_NO_SLOT ? 0 : check_self() + 1;
}

uint32_t check_spare(void)
{
	return world.options->spare ? THREADS + world.running : M_NO_SLOT;
}

struct slot *check_slot(uint32_t n)
{
	if (n >= SLOTS)
		execution_fail("a slot %u that nobody has", n);
	return &world.slots[n];
}

bool check_sensing(void)
{
	return world.options->sensing;
}

bool check_preempted(uint32_t n, const struct check_site *site)
{
	bool preempted;

	if (n >= SLOTS)
		execution_fail("%s:%d: asks about a slot %u that nobody has", site->file,
			       site->line, n);
	if (!world.options->sensing)
		return false;
	preempted = search_pick(PICK_PREEMPTED, 2, 3);
	thread_note(NOTE_PREEMPTED, site, "is it off its CPU?", preempted);
	return preempted;
}

uint32_t check_cpus(void)
{
	return world.options->cpus ? world.options->cpus : 2;
}

uint64_t check_now(const struct check_site *site)
{
	struct thread *thread = thread_running();

	/* A clock that all see: what happened before was not later. */
	if (thread->now_ns < thread->current.now_ns)
		thread->now_ns = thread->current.now_ns;
	if (thread->jumps_left && search_pick(PICK_CLOCK, 2, 3)) {
		thread->jumps_left--;
		thread->now_ns += JUMP_NS;
	}
	thread->current.now_ns = thread->now_ns;
	thread_note(NOTE_CLOCK, site, "now", thread->now_ns);
	return thread->now_ns;
}

static uint64_t deadline_ns(const struct m_deadline *until)
{
	return (uint64_t)until->at.tv_sec * 1000000000u + (uint64_t)until->at.tv_nsec;
}

uint64_t check_left(const struct m_deadline *until, const struct check_site *site)
{
	struct thread *thread = thread_running();
	uint64_t end, left = 0;

	if (!until)
		return UINT64_MAX;
	end = deadline_ns(until);
	if (thread->now_ns < thread->current.now_ns)
		thread->now_ns = thread->current.now_ns;
	if (thread->now_ns < end) {
		if (search_pick(PICK_CLOCK, 2, 3))
			thread->now_ns = end;
		else
			left = end - thread->now_ns;
	}
	thread->current.now_ns = thread->now_ns;
	thread_note(NOTE_CLOCK, site, "left", left);
	if (left)
		thread->may_give_up = true;
	return left;
}

static int park(uint32_t *word, uint32_t expected, bool has_deadline, uint64_t end,
		const struct check_site *site)
{
	struct operation operation = { .kind = PARK,
				       .site = site,
				       .location = memory_location(word, 4, site),
				       .order = memory_order_relaxed,
				       .expected = expected,
				       .has_deadline = has_deadline,
				       .deadline_ns = end };

	thread_announce(&operation);
	return (int)(int64_t)operation.result;
}

int check_park(uint32_t *word, uint32_t expected, const struct m_deadline *until,
	       const struct check_site *site)
{
	return park(word, expected, until != NULL, until ? deadline_ns(until) : 0, site);
}

int check_park_for(uint32_t *word, uint32_t expected, uint64_t ns, const struct check_site *site)
{
	return park(word, expected, true, thread_running()->now_ns + ns, site);
}

void check_unpark(uint32_t *word, uint32_t threads, const struct check_site *site)
{
	struct operation operation = { .kind = UNPARK,
				       .site = site,
				       .location = memory_location(word, 4, site),
				       .order = memory_order_relaxed,
				       .value = threads };

	thread_announce(&operation);
}

bool explore_is_mutant(int number)
{
	return settings.mutant == number;
}
