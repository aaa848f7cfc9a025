// SPDX-License-Identifier: GPL-2.0-or-later
/* seqcount.c - what onproc_seqcount, onproc_seqcount_latch and onproc_seqlock promise. */
#include "onproc/seqlock.h"

#include "threads.h"

#include <errno.h>

#define WORDS  5
#define WRITES 20000

struct shared {
	struct onproc_seqlock lock;
	struct onproc_seqcount count;
	struct onproc_seqcount_latch latch;
	uint64_t words[WORDS];	    /* all the same, in a whole copy */
	uint64_t copies[2 * WORDS]; /* the same for the latch */
	uint32_t stop;
};

static int is_whole(const uint64_t *words)
{
	int n;

	for (n = 1; n < WORDS; n++) {
		if (words[n] != words[0])
			return 0;
	}
	return 1;
}

static void fill(uint64_t *words, uint64_t value)
{
	int n;

	for (n = 0; n < WORDS; n++)
		words[n] = value;
}

static int stopped(struct shared *shared)
{
	return __atomic_load_n(&shared->stop, __ATOMIC_ACQUIRE) != 0;
}

/* Time goes on: a later copy is never followed by an earlier one. */
static int is_later(uint64_t *last, const uint64_t *words)
{
	int is = words[0] >= *last;

	*last = words[0];
	return is;
}

static void *read_count(void *argument)
{
	struct shared *shared = argument;
	uint64_t copy[WORDS], last = 0, sequence;

	do {
		do {
			sequence = onproc_seqcount_read_begin(&shared->count);
			onproc_seq_read_words(copy, shared->words, WORDS);
		} while (onproc_seqcount_read_retry(&shared->count, sequence));
		if (!is_whole(copy) || !is_later(&last, copy))
			return argument;
	} while (!stopped(shared));
	return NULL;
}

static void *read_lock(void *argument)
{
	struct shared *shared = argument;
	uint64_t copy[WORDS], last = 0, sequence;

	do {
		do {
			sequence = onproc_seqlock_read_begin(&shared->lock);
			onproc_seq_read_words(copy, shared->words, WORDS);
		} while (onproc_seqlock_read_retry(&shared->lock, sequence));
		if (!is_whole(copy) || !is_later(&last, copy))
			return argument;
		if (onproc_seqlock_read_lock(&shared->lock))
			return argument;
		onproc_seq_read_words(copy, shared->words, WORDS);
		if (onproc_seqlock_read_unlock(&shared->lock))
			return argument;
		if (!is_whole(copy) || !is_later(&last, copy))
			return argument;
	} while (!stopped(shared));
	return NULL;
}

static void *read_latch(void *argument)
{
	struct shared *shared = argument;
	uint64_t copy[WORDS], last = 0;

	do {
		onproc_seqcount_latch_read(&shared->latch, copy, shared->copies, WORDS);
		if (!is_whole(copy) || !is_later(&last, copy))
			return argument;
	} while (!stopped(shared));
	return NULL;
}

static void *write_lock(void *argument)
{
	struct shared *shared = argument;
	uint64_t copy[WORDS];
	int n;

	for (n = 0; n < WRITES / 4; n++) {
		if (n % 5 || onproc_seqlock_write_trylock(&shared->lock)) {
			if (onproc_seqlock_write_lock(&shared->lock))
				return argument;
		}
		fill(copy, __atomic_load_n(&shared->words[0], __ATOMIC_RELAXED) + 1);
		onproc_seq_write_words(shared->words, copy, WORDS);
		if (onproc_seqlock_write_unlock(&shared->lock))
			return argument;
	}
	return NULL;
}

static void stop(struct shared *shared)
{
	__atomic_store_n(&shared->stop, 1, __ATOMIC_RELEASE);
}

static void readers_of_a_seqcount_see_whole_copies(void **state)
{
	struct shared shared = { 0 };
	pthread_t reader[4];
	uint64_t copy[WORDS], n;

	(void)state;
	for (n = 0; n < 4; n++)
		reader[n] = start(read_count, &shared);
	for (n = 1; n <= WRITES; n++) {
		fill(copy, n);
		onproc_seqcount_write_begin(&shared.count);
		onproc_seq_write_words(shared.words, copy, WORDS);
		onproc_seqcount_write_end(&shared.count);
	}
	stop(&shared);
	for (n = 0; n < 4; n++)
		finish(reader[n]);
}

static void a_reader_waits_while_a_writer_is_inside(void **state)
{
	struct shared shared = { 0 };
	uint64_t copy[WORDS];
	pthread_t reader;

	(void)state;
	onproc_seqcount_write_begin(&shared.count);
	fill(copy, 1);
	onproc_seq_write_words(shared.words, copy, 1); /* half of it */
	reader = start(read_count, &shared);
	usleep(20000);
	onproc_seq_write_words(shared.words, copy, WORDS);
	onproc_seqcount_write_end(&shared.count);
	stop(&shared);
	finish(reader);
}

static void what_was_read_before_a_write_is_read_again(void **state)
{
	struct onproc_seqcount count = ONPROC_SEQCOUNT_INITIALIZER;
	uint64_t sequence = onproc_seqcount_read_begin(&count);

	(void)state;
	assert_false(onproc_seqcount_read_retry(&count, sequence));
	onproc_seqcount_write_begin(&count);
	assert_true(onproc_seqcount_read_retry(&count, sequence));
	onproc_seqcount_write_end(&count);
	assert_true(onproc_seqcount_read_retry(&count, sequence));
	assert_false(onproc_seqcount_read_retry(&count, onproc_seqcount_read_begin(&count)));
}

static void readers_of_a_latch_see_whole_copies(void **state)
{
	struct shared shared = { 0 };
	pthread_t reader[4];
	uint64_t copy[WORDS], n;

	(void)state;
	for (n = 0; n < 4; n++)
		reader[n] = start(read_latch, &shared);
	for (n = 1; n <= WRITES; n++) {
		fill(copy, n);
		onproc_seqcount_latch_write(&shared.latch, shared.copies, copy, WORDS);
	}
	stop(&shared);
	for (n = 0; n < 4; n++)
		finish(reader[n]);
}

/* Single-threaded, so a reader that waited would hang. */
static void readers_of_a_latch_never_wait_for_a_writer(void **state)
{
	struct onproc_seqcount_latch latch = ONPROC_SEQCOUNT_LATCH_INITIALIZER;
	uint64_t copies[2 * WORDS] = { 0 }, copy[WORDS], one[WORDS];

	(void)state;
	fill(one, 1);
	onproc_seqcount_latch_write(&latch, copies, one, WORDS);
	fill(one, 2);
	onproc_seqcount_latch_flip(&latch);
	onproc_seq_write_words(copies, one, 2); /* stopped in the middle of copy 0 */
	onproc_seqcount_latch_read(&latch, copy, copies, WORDS);
	assert_true(is_whole(copy));
	assert_int_equal(copy[0], 1);
	onproc_seq_write_words(copies, one, WORDS);
	onproc_seqcount_latch_flip(&latch);
	onproc_seq_write_words(copies + WORDS, one, 2); /* and of copy 1 */
	onproc_seqcount_latch_read(&latch, copy, copies, WORDS);
	assert_true(is_whole(copy));
	assert_int_equal(copy[0], 2);
}

static void writers_of_a_seqlock_are_serialised(void **state)
{
	struct shared shared = { 0 };
	pthread_t reader[4], writer[4];
	size_t n;

	(void)state;
	for (n = 0; n < 4; n++)
		reader[n] = start(read_lock, &shared);
	for (n = 0; n < 4; n++)
		writer[n] = start(write_lock, &shared);
	for (n = 0; n < 4; n++)
		finish(writer[n]);
	stop(&shared);
	for (n = 0; n < 4; n++)
		finish(reader[n]);
	assert_int_equal(shared.words[0], WRITES);
	assert_int_equal(onproc_seqlock_destroy(&shared.lock), 0);
}

static void a_seqlock_checks_errors_if_asked_to(void **state)
{
	struct onproc_seqlock lock;
	uint64_t sequence;

	(void)state;
	assert_int_equal(onproc_seqlock_init(&lock, ONPROC_SEQLOCK_SHARED), -ENOTSUP);
	assert_int_equal(onproc_seqlock_init(&lock, 1u << 31), -EINVAL);
	assert_int_equal(onproc_seqlock_init(&lock, ONPROC_SEQLOCK_ERRORCHECK), 0);
	sequence = onproc_seqlock_read_begin(&lock);
	assert_int_equal(onproc_seqlock_write_unlock(&lock), -EPERM);
	assert_false(onproc_seqlock_read_retry(&lock, sequence));
	assert_int_equal(onproc_seqlock_write_lock(&lock), 0);
	assert_int_equal(onproc_seqlock_write_lock(&lock), -EDEADLK);
	assert_int_equal(onproc_seqlock_write_trylock(&lock), -EBUSY);
	assert_int_equal(onproc_seqlock_destroy(&lock), -EBUSY);
	assert_int_equal(onproc_seqlock_write_unlock(&lock), 0);
	assert_true(onproc_seqlock_read_retry(&lock, sequence));
	assert_int_equal(onproc_seqlock_destroy(&lock), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_of_a_seqcount_see_whole_copies),
		cmocka_unit_test(a_reader_waits_while_a_writer_is_inside),
		cmocka_unit_test(what_was_read_before_a_write_is_read_again),
		cmocka_unit_test(readers_of_a_latch_see_whole_copies),
		cmocka_unit_test(readers_of_a_latch_never_wait_for_a_writer),
		cmocka_unit_test(writers_of_a_seqlock_are_serialised),
		cmocka_unit_test(a_seqlock_checks_errors_if_asked_to),
	};

	return cmocka_run_group_tests_name("seqcount", tests, guard, NULL);
}
