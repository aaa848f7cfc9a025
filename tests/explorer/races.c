// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * races.c - plain data of the client: values, and races by vector clocks.
 *
 * A race is found in whichever order the two accesses come, so a plain access is no step that is
 * tried in other orders. A write is a step all the same, so that drawn schedules stop there, within
 * what the lock guards.
 */
#include "explorer.h"

#define PLAIN 32

struct plain {
	const void *address;
	unsigned int bytes;
	uint64_t value;
	unsigned int writer;
	uint16_t written;	/* clock of the writer; 0: nobody wrote */
	uint16_t read[THREADS]; /* clock of each thread at its last read */
};

static struct plain plains[PLAIN];
static unsigned int plain_count;

void races_reset(void)
{
	plain_count = 0;
}

static struct plain *plain_at(const void *p, unsigned int bytes)
{
	struct plain *plain;
	unsigned int i;

	for (i = 0; i < plain_count; i++) {
		if (plains[i].address == p)
			return &plains[i];
	}
	if (plain_count == PLAIN)
		execution_fail("more than %d plain objects", PLAIN);
	plain = &plains[plain_count++];
	*plain = (struct plain){ .address = p, .bytes = bytes };
	switch (bytes) {
	case 1:
		plain->value = *(const uint8_t *)p;
		break;
	case 2:
		plain->value = *(const uint16_t *)p;
		break;
	case 4:
		plain->value = *(const uint32_t *)p;
		break;
	default:
		plain->value = *(const uint64_t *)p;
	}
	return plain;
}

static void note(const char *what, const char *name, const char *file, int line, uint64_t value)
{
	static struct check_site site;

	site = (struct check_site){ file, line, what, name };
	thread_note(NOTE_PLAIN, &site, what, value);
}

static void after_write(const struct plain *plain, const struct thread *thread, const char *name,
			const char *file, int line)
{
	if (plain->written && thread->current.clock[plain->writer] < plain->written)
		execution_fail("%s:%d: data race on %s with a write by thread %u", file, line, name,
			       plain->writer);
}

uint64_t explore_plain_read(const void *p, unsigned int bytes, const char *name, const char *file,
			    int line)
{
	struct thread *thread = thread_running();
	struct plain *plain = plain_at(p, bytes);

	note("reads", name, file, line, plain->value);
	after_write(plain, thread, name, file, line);
	plain->read[world.running] = thread->current.clock[world.running];
	return plain->value;
}

void explore_plain_write(const void *p, unsigned int bytes, uint64_t value, const char *name,
			 const char *file, int line)
{
	struct thread *thread = thread_running();
	struct plain *plain = plain_at(p, bytes);
	static const struct check_site site = { __FILE__, __LINE__, "client", "step" };
	struct operation stop = { .kind = STEP, .site = &site };
	unsigned int i;

	thread_announce(&stop);
	note("writes", name, file, line, value);
	after_write(plain, thread, name, file, line);
	for (i = 0; i < world.thread_count; i++) {
		if (i != world.running && plain->read[i] > thread->current.clock[i])
			execution_fail("%s:%d: data race on %s with a read by thread %u", file,
				       line, name, i);
	}
	plain->writer = world.running;
	plain->written = thread->current.clock[world.running];
	plain->value = value;
}
