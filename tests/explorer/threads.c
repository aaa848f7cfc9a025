// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads.c - one execution: who may make a step, making it, and how it ends.
 *
 * Each thread of the client is a coroutine that runs up to its next operation, announces it and
 * stops. So the next step of every thread is known when the search chooses one.
 */
#include "explorer.h"

#include <stdarg.h>
#include <string.h>

struct world world;
struct settings settings = { .preemptions = -1, .steps = EVENTS, .depth = 3, .seed = 1 };

/*
 * More steps in a row than any thread needs when it is the only one that can make any: without a
 * slot it sleeps a millisecond at a time, until the deadline of one whose clock is 130 ms ahead.
 */
#define ALONE 1000

static jmp_buf out;
static int (*client_function)(void);

struct thread *thread_running(void)
{
	return &world.threads[world.running];
}

static void leave(void)
{
	if (!world.inside)
		longjmp(out, 1);
	world.inside = false;
	coroutine_switch(world.running + 1, 0);
}

void execution_cut(enum verdict verdict)
{
	world.verdict = verdict;
	leave();
	__builtin_unreachable();
}

void execution_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(world.failure, sizeof(world.failure), format, args);
	va_end(args);
	execution_cut(FAILED);
}

static struct event *event_new(void)
{
	struct event *event;

	if (world.event_count + 1 >= settings.steps)
		execution_cut(BOUND);
	event = &world.events[world.event_count];
	event->thread = world.running;
	event->number = 0;
	event->source = event->before = event->before_sc = -1;
	event->reads = event->writes = event->sc = false;
	event->text = NULL;
	return event;
}

void thread_note(enum kind kind, const struct check_site *site, const char *text, uint64_t value)
{
	struct event *event = event_new();

	event->operation = (struct operation){ .kind = kind, .result = value };
	event->site = *site;
	event->text = text;
	world.event_count++;
}

static void run(unsigned int number)
{
	world.running = number;
	world.inside = true;
	coroutine_switch(0, number + 1);
}

static bool may_freeze(const struct thread *thread)
{
	if (!world.victim || thread != &world.threads[world.victim] || thread->frozen ||
	    thread->owns)
		return false;
	return !world.options->owner || world.options->owner() != world.victim;
}

static void freeze_perhaps(struct thread *thread, const struct check_site *site)
{
	if (!may_freeze(thread) || !search_pick(PICK_FREEZE, 2, 3))
		return;
	thread_note(NOTE_FREEZE, site, "stops for ever", 0);
	thread->frozen = true;
}

static bool is_weakened(const struct check_site *site)
{
	const char *colon = settings.weaken ? strrchr(settings.weaken, ':') : NULL, *base;
	size_t length;
	int line = 0;

	if (!colon)
		return false;
	while (*++colon >= '0' && *colon <= '9')
		line = line * 10 + (*colon - '0');
	base = strrchr(site->file, '/');
	base = base ? base + 1 : site->file;
	length = strlen(base);
	return line == site->line && !strncmp(settings.weaken, base, length) &&
	       settings.weaken[length] == ':';
}

void thread_announce(struct operation *operation)
{
	struct thread *thread = thread_running();

	if (is_weakened(operation->site))
		operation->order = operation->order_of_failure = memory_order_relaxed;
	thread->pending = *operation;
	if (operation->kind != END)
		freeze_perhaps(thread, operation->site);
	world.inside = false;
	coroutine_switch(world.running + 1, 0);
	*operation = thread->pending;
}

static const struct check_site end_site = { __FILE__, __LINE__, "thread", "end" };

static void body(void)
{
	struct thread *thread = thread_running();
	struct operation end = { .kind = END, .site = &end_site };

	if (world.running == 0)
		thread->result = client_function() ? thread : NULL;
	else
		thread->result = thread->function(thread->argument);
	thread_announce(&end);
}

static struct thread *thread_new(void *(*function)(void *), void *argument)
{
	unsigned int number = world.thread_count;
	struct thread *thread;

	if (number == THREADS)
		execution_fail("more than %d threads", THREADS);
	world.thread_count++;
	thread = &world.threads[number];
	memset(thread, 0, sizeof(*thread));
	thread->state = ALIVE;
	thread->function = function;
	thread->argument = argument;
	thread->spurious_left = world.options->spurious;
	thread->timeouts_left = world.options->timeouts ? world.options->timeouts : 2;
	thread->jumps_left = world.options->clock_jumps;
	thread->now_ns = 1000000000;
	coroutine_prepare(number + 1, body);
	return thread;
}

int explore_create(unsigned long *number, void *(*function)(void *), void *argument)
{
	static const struct check_site site = { "client", 0, "main", "thread" };
	struct operation create = { .kind = CREATE, .site = &site };

	create.value = (uintptr_t)function;
	create.expected = (uintptr_t)argument;
	thread_announce(&create);
	*number = create.result;
	return 0;
}

int explore_join(unsigned long number, void **result)
{
	static const struct check_site site = { "client", 0, "main", "thread" };
	struct operation join = { .kind = JOIN, .site = &site, .value = number };

	thread_announce(&join);
	if (result)
		*result = world.threads[number].result;
	return 0;
}

static void polled(struct thread *thread, struct location *location, uint8_t message)
{
	unsigned int i;

	for (i = 0; i < thread->polled && thread->poll[i].location != location; i++)
		;
	if (i == POLLED)
		execution_cut(BOUND);
	thread->poll[i].location = location;
	thread->poll[i].message = message;
	if (i == thread->polled)
		thread->polled++;
}

static void progressed(struct thread *thread)
{
	thread->polled = thread->before = 0;
	thread->fresh = NULL;
	thread->idle_asks = 0;
	thread->asked = thread->may_give_up = false;
}

bool poll_has_news(const struct thread *thread)
{
	unsigned int i;

	for (i = 0; i < thread->polled; i++) {
		const struct location *location = thread->poll[i].location;

		if (location->place[thread->poll[i].message] + 1u < location->count)
			return true;
	}
	return false;
}

/* The turn after a block: it must read something newer than the last one did. */
static void poll_again(struct thread *thread)
{
	unsigned int i, news = 0, k;

	thread->fresh = NULL;
	for (i = 0; i < thread->polled; i++) {
		struct location *location = thread->poll[i].location;
		uint8_t message = thread->poll[i].message, next;

		thread->before_location[i] = location;
		thread->before_message[i] = message;
		if (location->place[message] + 1u == location->count)
			continue;
		news++;
		thread->fresh = location;
		thread->fresh_than = message;
		/* The writes that let it go on came before. */
		next = location->by_place[location->place[message] + 1];
		if (location->messages[next]->event >= 0) {
			const uint16_t *order = world.events[location->messages[next]->event].order;

			for (k = 0; k < THREADS; k++) {
				if (thread->order[k] < order[k])
					thread->order[k] = order[k];
			}
		}
	}
	if (news != 1)
		thread->fresh = NULL;
	thread->before = thread->polled;
	thread->polled = 0;
	thread->asked = thread->may_give_up = false;
}

/* Has the turn read just what the one before had? Then it might as well not have been. */
static bool turn_was_idle(const struct thread *thread)
{
	unsigned int i, k;

	if (!thread->before)
		return false;
	for (i = 0; i < thread->polled; i++) {
		for (k = 0; k < thread->before; k++) {
			if (thread->before_location[k] == thread->poll[i].location)
				break;
		}
		if (k == thread->before || thread->before_message[k] != thread->poll[i].message)
			return false;
	}
	return true;
}

void thread_block(const struct check_site *site)
{
	struct thread *thread = thread_running();
	struct operation poll = { .kind = POLL, .site = site };

	if (!thread->polled)
		return;
	if (turn_was_idle(thread) && poll_has_news(thread))
		execution_cut(CUT);
	thread_announce(&poll);
}

/* Chooses a message to read among the candidates. */
static uint8_t choose_message(struct thread *thread, const struct operation *operation)
{
	const struct location *location = operation->location;
	uint8_t numbers[MESSAGES];
	unsigned int count = memory_candidates(thread, operation, numbers), i;
	int floor = search_floor(world.running);
	uint64_t allowed = 0;

	if (count == 0)
		execution_fail("no message to read"); /* cannot be: the newest is one */
	if (count > 64)
		execution_cut(BOUND);
	for (i = 0; i < count; i++) {
		if (location->messages[numbers[i]]->event < floor)
			continue;
		if (thread->fresh == location &&
		    !memory_is_newer(location, numbers[i], thread->fresh_than))
			continue;
		allowed |= UINT64_C(1) << i;
	}
	if (thread->sees_newest)
		allowed &= 1;
	if (!allowed)
		execution_cut(CUT);
	if (thread->fresh == location)
		thread->fresh = NULL;
	return numbers[search_pick(PICK_READ, count, allowed)];
}

static uint64_t modified(const struct operation *operation, uint64_t old)
{
	uint64_t mask = operation->location->bytes == 8
				? UINT64_MAX
				: (UINT64_C(1) << operation->location->bytes * 8) - 1;

	switch (operation->kind) {
	case ADD:
		return (old + operation->value) & mask;
	case AND:
		return old & operation->value;
	case OR:
		return old | operation->value;
	default:
		return operation->value;
	}
}

static void step_store(struct thread *thread, struct operation *operation, struct event *event)
{
	uint8_t numbers[MESSAGES];
	unsigned int count = memory_places(thread, operation->location, operation->order, numbers);

	if (count > 64)
		execution_cut(BOUND);
	count = search_pick(PICK_PLACE, count, all_of(count));
	memory_write(thread, operation->location, operation->value, operation->order,
		     numbers[count], false);
	operation->expected = count; /* how far from the end, for the trace */
	event->writes = true;
	event->sc = operation->order == memory_order_seq_cst;
	progressed(thread);
}

/* Loads, and what reads and modifies. */
static void step_read(struct thread *thread, struct operation *operation, struct event *event)
{
	struct location *location = operation->location;
	uint8_t number = choose_message(thread, operation);
	struct message *message = location->messages[number];
	int order = operation->order;

	operation->result = message->value;
	operation->done = operation->kind != COMPARE || message->value == operation->expected;
	if (!operation->done)
		order = operation->order_of_failure;
	event->source = message->event;
	event->reads = true;
	event->sc = order == memory_order_seq_cst;
	memory_read(thread, location, number, order);
	if (operation->kind == LOAD || !operation->done) {
		polled(thread, location, number);
		return;
	}
	event->writes = true;
	memory_write(thread, location, modified(operation, message->value), order, number, true);
	progressed(thread);
}

static void step_park(struct thread *thread, struct operation *operation, struct event *event)
{
	uint8_t number = choose_message(thread, operation);
	const struct message *message = operation->location->messages[number];

	thread->sees_newest = false;
	event->source = message->event;
	event->reads = true;
	memory_read(thread, operation->location, number, memory_order_relaxed);
	polled(thread, operation->location, number);
	if (message->value == operation->expected) {
		operation->kind = ASLEEP;
		thread->woken = false;
		freeze_perhaps(thread, operation->site);
	} else {
		operation->result = (uint64_t)-EAGAIN;
	}
}

static void join_view(struct thread *thread, const struct thread *other)
{
	unsigned int k;

	view_join(&thread->current, &other->current);
	for (k = 0; k < THREADS; k++) {
		if (thread->order[k] < other->order[k])
			thread->order[k] = other->order[k];
	}
}

static void step_create(struct thread *thread, struct operation *operation)
{
	struct thread *child = thread_new((void *(*)(void *))(uintptr_t)operation->value,
					  (void *)(uintptr_t)operation->expected);

	join_view(child, thread);
	child->current.clock[child - world.threads] = 1;
	child->now_ns = thread->now_ns;
	operation->result = (uint64_t)(child - world.threads);
}

/* Makes the step that a thread has announced, and lets it run to its next one. */
static void step(unsigned int number)
{
	struct thread *thread = &world.threads[number];
	struct operation *operation = &thread->pending;
	struct event *event;
	enum kind kind = operation->kind;
	unsigned int threads = world.thread_count;

	world.running = number;
	event = event_new();
	event->site = *operation->site;
	event->number = ++thread->steps;
	event->node = search_node();
	switch (kind) {
	case STORE:
		step_store(thread, operation, event);
		break;
	case FENCE:
		memory_fence(thread, operation->order);
		event->sc = operation->order == memory_order_seq_cst;
		break;
	case PARK:
		step_park(thread, operation, event);
		break;
	case ASLEEP:
		futex_end_sleep(thread);
		break;
	case UNPARK:
		futex_unpark(thread);
		break;
	case POLL:
		poll_again(thread);
		break;
	case CREATE:
		step_create(thread, operation);
		break;
	case JOIN:
		if (!world.threads[operation->value].frozen)
			join_view(thread, &world.threads[operation->value]);
		break;
	case STEP:
		break;
	case END:
		thread->state = ENDED;
		break;
	default:
		step_read(thread, operation, event);
	}
	event->operation = *operation;
	event->operation.kind = kind;
	if (kind == PARK && operation->kind == ASLEEP)
		event->operation.done = true;
	order_step(event);
	world.last_step = (int)world.event_count++;
	thread->current.clock[number]++;
	if (kind == CREATE) {
		/* The child runs to its first operation. */
		memcpy(world.threads[threads].order, thread->order, sizeof(thread->order));
		run(threads);
		if (world.verdict != RUNNING)
			return;
	}
	if (thread->state == ALIVE && !(kind == PARK && operation->kind == ASLEEP))
		run(number);
}

static bool is_enabled(const struct thread *thread)
{
	const struct thread *other;

	if (thread->state != ALIVE || thread->frozen)
		return false;
	switch (thread->pending.kind) {
	case JOIN:
		other = &world.threads[thread->pending.value];
		return other->state == ENDED || other->frozen;
	case POLL:
		return settings.again && poll_has_news(thread);
	case ASLEEP:
		return futex_may_end(thread);
	default:
		return true;
	}
}

static const char *state_of(const struct thread *thread)
{
	if (thread->frozen)
		return "frozen";
	if (thread->state == ENDED)
		return "ended";
	switch (thread->pending.kind) {
	case JOIN:
		return "waits for a thread to end";
	case POLL:
		return "polls what will not change";
	case ASLEEP:
		return "sleeps and is not woken";
	default:
		return "could go on";
	}
}

/* Nobody can make a step. */
static void judge_end(void)
{
	char text[300];
	size_t used = 0;
	bool ended = true, cut = false;
	unsigned int i;

	for (i = 0; i < world.thread_count; i++) {
		const struct thread *thread = &world.threads[i];

		if (thread->state == ENDED || thread->frozen)
			continue;
		ended = false;
		if ((thread->pending.kind == POLL || thread->pending.kind == ASLEEP) &&
		    thread->may_give_up)
			cut = true;
		if (thread->pending.kind == POLL && poll_has_news(thread))
			cut = true;
	}
	if (ended) {
		world.verdict = COMPLETE;
		return;
	}
	if (cut) {
		world.verdict = CUT;
		return;
	}
	text[0] = 0;
	for (i = 0; i < world.thread_count; i++) {
		int n = snprintf(text + used, sizeof(text) - used, "%s thread %u %s", i ? "," : "",
				 i, state_of(&world.threads[i]));

		used += n > 0 && (size_t)n < sizeof(text) - used ? (size_t)n : 0;
	}
	execution_fail("nobody can go on:%s", text);
}

static void begin(const struct explore_options *options, int (*client)(void))
{
	world.thread_count = 0;
	world.event_count = 0;
	world.last_step = world.last_sc = -1;
	world.verdict = RUNNING;
	world.options = options;
	world.victim = world.alone = 0;
	world.inside = false;
	world.failure[0] = 0;
	client_function = client;
	memory_reset();
	races_reset();
	search_begin();
}

/* A frozen thread was given the lock: who waits for it waits for an owner, which is no fault. */
static bool owner_is_frozen(void)
{
	return world.victim && world.threads[world.victim].frozen && world.options->owner &&
	       world.options->owner() == world.victim;
}

static uint32_t find_enabled(uint32_t *by_luck, uint32_t *at_last)
{
	uint32_t enabled = 0;
	uint64_t first_ns = 0;
	unsigned int i;

	for (i = 0; i < world.thread_count; i++) {
		const struct thread *thread = &world.threads[i];

		if (is_enabled(thread)) {
			enabled |= 1u << i;
			continue;
		}
		if (thread->state != ALIVE || thread->frozen || thread->pending.kind != ASLEEP)
			continue;
		/* Time passes for all: the earliest deadline comes first. */
		if (futex_may_end_at_last(thread) &&
		    (!*at_last || thread->pending.deadline_ns < first_ns)) {
			*at_last = 1u << i;
			first_ns = thread->pending.deadline_ns;
		}
		if (futex_may_end_by_luck(thread))
			*by_luck |= 1u << i;
	}
	return enabled;
}

enum verdict execution_run(const struct explore_options *options, int (*client)(void))
{
	begin(options, client);
	if (setjmp(out))
		return world.verdict;
	if (options->freeze)
		world.victim =
			1 + search_pick(PICK_VICTIM, options->freeze, all_of(options->freeze));
	thread_new(NULL, NULL)->current.clock[0] = 1;
	run(0);
	while (world.verdict == RUNNING) {
		uint32_t by_luck = 0, at_last = 0, enabled = find_enabled(&by_luck, &at_last);
		int next;

		if (!enabled && owner_is_frozen()) {
			world.verdict = COMPLETE;
			break;
		}
		world.at_last = !enabled;
		if (!enabled)
			enabled = at_last;
		if (!enabled) {
			judge_end();
			break;
		}
		world.alone = enabled & (enabled - 1) ? 0 : world.alone + 1;
		if (world.alone > ALONE)
			execution_fail("thread %d goes round for ever, and nobody else can go on",
				       __builtin_ctz(enabled));
		next = search_thread(enabled | by_luck, by_luck, world.running);
		if (next < 0) {
			world.verdict = CUT;
			break;
		}
		step((unsigned int)next);
	}
	return world.verdict;
}

bool explore_is_frozen(unsigned int thread)
{
	return thread < world.thread_count && world.threads[thread].frozen;
}

uint64_t explore_peek(const void *p, unsigned int bytes)
{
	return memory_latest(p, bytes);
}

void explore_owns(bool owns)
{
	thread_running()->owns = owns;
}

void explore_assert(bool holds, const char *text, const char *file, int line)
{
	if (!holds)
		execution_fail("%s:%d: not so: %s", file, line, text);
}
