// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * execl_chain.c - one link of the chain of images of the execl tests.
 *
 * Inside the window an image reads the clock, counts itself and executes the next one; no other
 * system call is its own. After the window each image maps the page, publishes what was carried,
 * looks at the end of the window again, which may have been put off, and at the stop word; until
 * that is set the chain goes on, so that other copies are measured beside the load they had.
 *
 * An image counts if its stamp lies inside the window. All images are numbered, so when a window is
 * lengthened those that fell between its old and its new end are in the count.
 *
 * No libc in this file: it is also part of an image that has none.
 */
#include "workload/execl_chain.h"

#include <errno.h>

static int fail(struct work *work, int code, const char *text)
{
	struct page_note *note = page_note(work->page, work->copy);
	size_t i = 0;

	for (; text[i] && i + 1 < sizeof(note->text); i++)
		note->text[i] = text[i];
	note->text[i] = '\0';
	note->code = code;
	atomic_store_explicit(&work->line->state, COPY_FAILED, memory_order_release);
	return code;
}

/* Becomes the next image. Returns only with a negative errno. */
static int next_image(const char *path, const char *test, const uint64_t number[CHAIN_WORDS])
{
	char text[CHAIN_WORDS][CHAIN_NUMBER_BYTES];
	char *word[CHAIN_WORDS + 1];

	word[CHAIN_PATH] = (char *)path;
	word[CHAIN_TEST] = (char *)test;
	for (int i = CHAIN_COPY; i < CHAIN_WORDS; i++)
		word[i] = chain_number_write(number[i], text[i]);
	word[CHAIN_WORDS] = NULL;
	return chain_exec(path, word);
}

int chain_start(struct work *work, const char *path, const char *test)
{
	uint64_t number[CHAIN_WORDS];

	for (int i = 0; i < CHAIN_WORDS; i++)
		number[i] = 0;
	number[CHAIN_COPY] = work->copy;
	number[CHAIN_START] = work->page->window_start_ns;
	number[CHAIN_END] = work->page->window_end_ns;
	return next_image(path, test, number);
}

static void keep(uint64_t number[CHAIN_WORDS], uint64_t now_ns)
{
	if (!number[CHAIN_FIRST]) {
		number[CHAIN_FIRST] = now_ns;
		number[CHAIN_BEFORE] = number[CHAIN_COUNTER] - 1;
	}
	number[CHAIN_LAST] = now_ns;
	number[CHAIN_KEPT] = number[CHAIN_COUNTER];
}

/* Once, and again when a longer window changed it: a reader waits while it is being written. */
static void publish(struct work *work, const uint64_t number[CHAIN_WORDS])
{
	uint64_t kept = number[CHAIN_KEPT] - number[CHAIN_BEFORE];

	if (work->line->carried_count != kept)
		work_publish_carried(work->line, kept, number[CHAIN_FIRST], number[CHAIN_LAST]);
	work_count(work, number[CHAIN_COUNTER]);
}

/*
 * Images are numbered without a gap. The one before this published its number if it found the
 * window over, but not if it was inside: then the last published one is older.
 */
static bool follows(const struct page_line *line, const uint64_t number[CHAIN_WORDS])
{
	uint64_t published = line->count;

	if (!published)
		return true;
	if (number[CHAIN_KEPT] == number[CHAIN_COUNTER] - 1)
		return published < number[CHAIN_COUNTER];
	return published == number[CHAIN_COUNTER] - 1;
}

/*
 * The window is over, as far as this image knows. Returns 1 when the chain ends here, 0 when it
 * goes on, or a negative errno.
 */
static int window_over(struct work *work, uint64_t number[CHAIN_WORDS], uint64_t now_ns)
{
	if (!follows(work->line, number))
		return fail(work, -EBADMSG, "an image is missing in the chain, or came twice");
	number[CHAIN_END] = work->page->window_end_ns;
	if (now_ns <= number[CHAIN_END])
		keep(number, now_ns);
	publish(work, number);
	return work_stopped(work);
}

int chain_go_on(char **word)
{
	uint64_t number[CHAIN_WORDS], now_ns = chain_now_ns();
	struct work work;
	int rc = 0;

	for (int i = CHAIN_COPY; i < CHAIN_WORDS; i++)
		if (!chain_number_read(word[i], &number[i]))
			return 2;
	number[CHAIN_COUNTER]++;
	if (now_ns > number[CHAIN_END]) {
		if (!chain_map(&work, (uint32_t)number[CHAIN_COPY]))
			return 2;
		rc = window_over(&work, number, now_ns);
		if (rc > 0) {
			atomic_store_explicit(&work.line->state, COPY_DONE, memory_order_release);
			return 0;
		}
	} else if (now_ns >= number[CHAIN_START]) {
		keep(number, now_ns);
	}
	if (!rc)
		rc = next_image(word[CHAIN_PATH], word[CHAIN_TEST], number);
	if (rc == -EBADMSG || !chain_map(&work, (uint32_t)number[CHAIN_COPY]))
		return 1;
	fail(&work, rc, "execve of the next image failed");
	return 1;
}
