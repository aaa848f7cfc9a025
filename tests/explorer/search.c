// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * search.c - which executions are run: depth first over all choices, drawn, or one again.
 *
 * Depth first: a stack of choices. At each step a thread is chosen, and what that step may read,
 * where it may write, and what its thread is told until its next step, are choices below. Of the
 * threads only those are tried that order.c asks for, and none that sleeps: once all that a
 * thread can do next has been explored, it need not be tried again further down until something
 * happens that its step depends on, or, for a read, but for the writes made since (`floor`).
 *
 * With a bound of preemptions, or with --full, there is no such reduction.
 *
 * Drawn: priorities by thread, lowered at a few drawn steps (probabilistic concurrency testing),
 * all else by weights.
 */
#include "explorer.h"

#include <stdlib.h>
#include <string.h>

struct node {
	bool is_thread;
	uint8_t chosen;
	uint64_t todo, done; /* bits of alternatives */
	uint32_t enabled, asleep, usable;
	int floor[THREADS]; /* of those asleep: younger writes are news */
	int stamp;
	int preemptions;
	int above; /* the thread node before; -1: none */
};

static struct node nodes[CHOICES];
static unsigned int node_count, depth;
static int thread_node;

/* Drawn and given executions: what was chosen. */
static uint8_t record[CHOICES];
static unsigned int recorded;

static uint64_t random_state;
static unsigned int priority[THREADS], lowest;
#define CHANGES 16
static unsigned int change_at[CHANGES], changes, steps_made, longest = 50;
static bool by_coin;

static uint64_t draw(uint64_t below)
{
	uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return below ? (z ^ z >> 31) % below : 0;
}

static bool is_given(void)
{
	return settings.replay != NULL;
}

void search_begin(void)
{
	unsigned int i;

	depth = recorded = 0;
	thread_node = -1;
	if (steps_made > longest)
		longest = steps_made;
	steps_made = 0;
	lowest = 1000;
	for (i = 0; i < THREADS; i++)
		priority[i] = 1001 + (unsigned int)draw(1000);
	by_coin = !draw(3);
	/* Also deeper than asked: bugs that need more changes come with more of them. */
	changes = (settings.depth - 1) << draw(3);
	if (changes > CHANGES)
		changes = CHANGES;
	for (i = 0; i < changes; i++)
		change_at[i] = 1 + (unsigned int)draw(longest);
}

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";

static unsigned int next_given(unsigned int count)
{
	const char *digit = recorded < strlen(settings.replay)
				    ? strchr(digits, settings.replay[recorded])
				    : digits;
	unsigned int value = digit ? (unsigned int)(digit - digits) : 0;

	return value < count ? value : 0;
}

static unsigned int keep(unsigned int value)
{
	if (recorded == CHOICES)
		execution_cut(BOUND);
	record[recorded++] = (uint8_t)value;
	return value;
}

static struct node *push(void)
{
	struct node *node;

	if (node_count == CHOICES)
		execution_cut(BOUND);
	node = &nodes[node_count++];
	memset(node, 0, sizeof(*node));
	return node;
}

/* Is there something that the thread can read and that is younger than the floor? */
static bool has_news(unsigned int number, int floor)
{
	const struct thread *thread = &world.threads[number];
	const struct operation *operation = &thread->pending;
	uint8_t numbers[MESSAGES];
	unsigned int count, i;

	if ((operation->kind > OR && operation->kind != PARK) || operation->kind == STORE)
		return false;
	count = memory_candidates(thread, operation, numbers);
	for (i = 0; i < count; i++) {
		if (operation->location->messages[numbers[i]]->event >= floor)
			return true;
	}
	return false;
}

/* Who sleeps at a new node: who slept, or was tried, above, and does not depend on the last step.
 */
static void inherit_sleep(struct node *node)
{
	const struct node *above = node->above >= 0 ? &nodes[node->above] : NULL;
	unsigned int i;

	if (!above || world.last_step < 0)
		return;
	for (i = 0; i < world.thread_count; i++) {
		uint32_t bit = 1u << i;

		if (i == above->chosen || !((above->asleep | above->done) & bit))
			continue;
		if (order_dependent(&world.threads[i].pending, &world.events[world.last_step]))
			continue;
		node->asleep |= bit;
		node->floor[i] = above->done & bit ? above->stamp : above->floor[i];
	}
}

static uint32_t bounded(const struct node *node, unsigned int last)
{
	bool spent = settings.preemptions >= 0 && node->preemptions >= settings.preemptions;

	return spent && node->enabled & 1u << last ? 1u << last : node->enabled;
}

static int explore_thread(uint32_t enabled, uint32_t by_luck, unsigned int last)
{
	struct node *node;
	unsigned int i;

	if (depth < node_count) {
		thread_node = (int)depth;
		return nodes[depth++].chosen;
	}
	node = push();
	node->is_thread = true;
	node->enabled = enabled;
	node->stamp = (int)world.event_count;
	node->above = thread_node;
	if (node->above >= 0)
		node->preemptions = nodes[node->above].preemptions;
	if (settings.full || settings.preemptions >= 0) {
		node->usable = bounded(node, last);
	} else {
		inherit_sleep(node);
		for (i = 0; i < world.thread_count; i++) {
			if (enabled & 1u << i &&
			    (!(node->asleep & 1u << i) || has_news(i, node->floor[i])))
				node->usable |= 1u << i;
		}
	}
	if (!node->usable) {
		node_count--;
		return -1;
	}
	if (node->usable & 1u << last)
		node->chosen = (uint8_t)last;
	else if (node->usable & ~by_luck)
		node->chosen = (uint8_t)__builtin_ctz(node->usable & ~by_luck);
	else
		node->chosen = (uint8_t)__builtin_ctz(node->usable);
	node->todo = settings.full || settings.preemptions >= 0 ? node->usable : 1u << node->chosen;
	if (node->enabled & 1u << last && node->chosen != last)
		node->preemptions++;
	thread_node = (int)depth++;
	return node->chosen;
}

static int draw_thread(uint32_t enabled, uint32_t by_luck, unsigned int last)
{
	unsigned int i, best = THREADS;

	steps_made++;
	if (enabled & ~by_luck && draw(16))
		enabled &= ~by_luck;
	/* Deadlines come late more often than not. */
	for (i = 0; i < world.thread_count; i++) {
		if (world.threads[i].pending.kind == ASLEEP && !world.threads[i].woken &&
		    enabled & ~(1u << i) && draw(4))
			enabled &= ~(1u << i);
	}
	if (by_coin) {
		if (enabled & 1u << last && draw(3))
			return (int)last;
		do {
			best = (unsigned int)draw(world.thread_count);
		} while (!(enabled & 1u << best));
		return (int)best;
	}
	for (;;) {
		for (i = 0, best = THREADS; i < world.thread_count; i++) {
			if (enabled & 1u << i && (best == THREADS || priority[i] > priority[best]))
				best = i;
		}
		for (i = 0; i < changes && change_at[i] != steps_made; i++)
			;
		if (i == changes)
			return (int)best;
		change_at[i] = 0;
		priority[best] = lowest--;
	}
}

int search_thread(uint32_t enabled, uint32_t by_luck, unsigned int last)
{
	int chosen;

	if (is_given()) {
		chosen = (int)next_given(THREADS);
		if (!(enabled & 1u << chosen))
			chosen = __builtin_ctz(enabled);
		return (int)keep((unsigned int)chosen);
	}
	if (settings.drawn)
		return (int)keep((unsigned int)draw_thread(enabled, by_luck, last));
	return explore_thread(enabled, by_luck, last);
}

static unsigned int draw_pick(enum pick pick, unsigned int count, uint64_t allowed)
{
	/* One in so many is not the first alternative. */
	static const unsigned int rarity[] = {
		[PICK_READ] = 3,      [PICK_PLACE] = 6,	  [PICK_YIELD] = 0,
		[PICK_PREEMPTED] = 4, [PICK_CLOCK] = 2,	  [PICK_WAKE] = 0,
		[PICK_SLEEPER] = 0,   [PICK_FREEZE] = 24, [PICK_VICTIM] = 0,
	};
	unsigned int value;

	if (pick == PICK_YIELD)
		return (unsigned int)draw(2);
	if (rarity[pick] && draw(rarity[pick]))
		return (unsigned int)__builtin_ctzll(allowed);
	do {
		value = (unsigned int)draw(count);
	} while (!(allowed >> value & 1));
	return value;
}

unsigned int search_pick(enum pick pick, unsigned int count, uint64_t allowed)
{
	struct node *node;

	if (count == 1)
		return 0;
	if (is_given())
		return keep(next_given(count));
	if (settings.drawn)
		return keep(draw_pick(pick, count, allowed));
	if (depth < node_count)
		return nodes[depth++].chosen;
	node = push();
	node->todo = allowed;
	node->chosen = (uint8_t)__builtin_ctzll(allowed);
	depth++;
	return node->chosen;
}

int search_floor(unsigned int thread)
{
	const struct node *node = thread_node >= 0 ? &nodes[thread_node] : NULL;

	if (!node || settings.drawn || is_given() || !(node->asleep & 1u << thread))
		return -1;
	return node->floor[thread];
}

int search_node(void)
{
	return thread_node;
}

uint32_t search_enabled(int node)
{
	return node < 0 ? 0 : nodes[node].enabled;
}

void search_add(int number, unsigned int thread, uint32_t initials)
{
	struct node *node;
	uint32_t asleep;

	if (number < 0 || settings.full || settings.preemptions >= 0)
		return;
	node = &nodes[number];
	asleep = node->enabled & ~node->usable;
	if (!(initials & (uint32_t)(node->todo | node->done | asleep)))
		node->todo |= 1u << thread;
}

bool search_next(void)
{
	if (is_given())
		return false;
	if (settings.drawn)
		return true;
	while (node_count) {
		struct node *node = &nodes[node_count - 1];
		uint64_t left;

		node->done |= UINT64_C(1) << node->chosen;
		left = node->todo & ~node->done;
		if (node->is_thread)
			left &= node->usable;
		if (left) {
			unsigned int next = (unsigned int)__builtin_ctzll(left);

			if (node->is_thread && node->above >= 0 && settings.preemptions >= 0) {
				unsigned int last = nodes[node->above].chosen;

				node->preemptions =
					nodes[node->above].preemptions +
					(node->enabled & 1u << last && next != last ? 1 : 0);
			}
			node->chosen = (uint8_t)next;
			return true;
		}
		node_count--;
	}
	return false;
}

unsigned int search_choices(uint8_t *choices)
{
	unsigned int i;

	if (settings.drawn || is_given()) {
		memcpy(choices, record, recorded);
		return recorded;
	}
	for (i = 0; i < depth; i++)
		choices[i] = nodes[i].chosen;
	return depth;
}

void search_reset(uint64_t seed)
{
	node_count = depth = recorded = 0;
	steps_made = 0;
	longest = 50;
	random_state = seed;
}
