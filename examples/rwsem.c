// SPDX-License-Identifier: GPL-2.0-or-later
/* rwsem.c - a table that many threads look up and one fills; who fills it looks it up at once. */
#include <onproc/rwsem.h>

#include <pthread.h>
#include <stdio.h>

#define READERS 4
#define ENTRIES 100

static struct onproc_rwsem rwsem = ONPROC_RWSEM_INITIALIZER;
static int table[ENTRIES], entries;

/* All entries are there, and right. */
static int look_up(void)
{
	int n, right = 1;

	for (n = 0; n < entries; n++)
		right &= table[n] == n * n;
	return right;
}

static void *read_all(void *unused)
{
	int seen = 0;

	(void)unused;
	while (seen < ENTRIES) {
		onproc_rwsem_read_lock(&rwsem);
		if (!look_up())
			puts("wrong");
		seen = entries;
		onproc_rwsem_read_unlock(&rwsem);
	}
	return NULL;
}

int main(void)
{
	pthread_t reader[READERS];
	int n, right = 1;

	for (n = 0; n < READERS; n++)
		pthread_create(&reader[n], NULL, read_all, NULL);
	for (n = 0; n < ENTRIES; n++) {
		onproc_rwsem_write_lock(&rwsem);
		table[n] = n * n;
		entries = n + 1;
		onproc_rwsem_downgrade(&rwsem); /* readers come in, no writer does */
		right &= look_up() && entries == n + 1;
		onproc_rwsem_read_unlock(&rwsem);
	}
	for (n = 0; n < READERS; n++)
		pthread_join(reader[n], NULL);
	printf("%d entries, %s\n", entries, right ? "right" : "wrong");
	return right ? 0 : 1;
}
