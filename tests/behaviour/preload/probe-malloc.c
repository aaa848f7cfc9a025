// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe-malloc.c - a program whose malloc() locks a mutex of pthread, initialised by a call, from
 * its first use on: before the constructors of libraries have run, and in all threads.
 */
#include "probe.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BYTES (64u << 20)

static char arena[ARENA_BYTES] __attribute__((aligned(16)));
static size_t used;
static pthread_mutex_t arena_mutex;
static int initialised;
static long allocations;

void *malloc(size_t bytes)
{
	size_t *block = NULL;

	if (!__atomic_exchange_n(&initialised, 1, __ATOMIC_ACQ_REL))
		pthread_mutex_init(&arena_mutex, NULL);
	pthread_mutex_lock(&arena_mutex);
	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes + 16 <= ARENA_BYTES - used) {
		block = (size_t *)(void *)(arena + used);
		used += bytes + 16;
		*block = bytes;
		allocations++;
	}
	pthread_mutex_unlock(&arena_mutex);
	return block ? block + 2 : NULL;
}

void free(void *block)
{
	pthread_mutex_lock(&arena_mutex);
	if (block)
		memset(block, 0xa5, ((size_t *)block)[-2]);
	pthread_mutex_unlock(&arena_mutex);
}

void *calloc(size_t count, size_t bytes)
{
	void *block = malloc(count * bytes);

	return block ? memset(block, 0, count * bytes) : NULL;
}

void *realloc(void *block, size_t bytes)
{
	void *other = malloc(bytes);
	size_t old = block ? ((size_t *)block)[-2] : 0;

	if (other && block)
		memcpy(other, block, old < bytes ? old : bytes);
	return other;
}

/* The compiler takes a malloc() that it sees for the C library's. */
static void *(*volatile take)(size_t bytes) = malloc;
static void (*volatile give_back)(void *block) = free;

static void *allocate(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3000; i++) {
		char *block = take(24);

		if (!block)
			fail("malloc");
		memset(block, i, 24);
		give_back(block);
	}
	return NULL;
}

static void allocates(void)
{
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		must(pthread_create(&threads[i], NULL, allocate, NULL), "create");
	for (int i = 0; i < 8; i++)
		must(pthread_join(threads[i], NULL), "join");
	say_number("enough allocations", allocations >= 24000);
}

const struct probe probes[] = {
	{ "malloc_that_locks", allocates },
	{ NULL, NULL },
};
