// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - English-like text for the shell tests: always the same, and what must be found in it.
 */
#include "workload/text.h"

#include "base/rng.h"

#include <stdbool.h>
#include <string.h>

#define SEED	     1994
#define LONGEST_WORD 12
#define PER_LENGTH   8
#define RARITY	     256 /* one word of so many is the rare one */

/* Words by length, frequent ones twice; about every third short line has "the" in it. */
static const char *const words[LONGEST_WORD + 1][PER_LENGTH] = {
	[1] = { "a", "a", "I", "a", "a", "I", "a", "O" },
	[2] = { "of", "to", "in", "it", "is", "of", "on", "by" },
	[3] = { "the", "and", "the", "was", "his", "her", "not", "but" },
	[4] = { "that", "with", "from", "they", "have", "when", "ship", "gold" },
	[5] = { "which", "there", "would", "about", "other", "found", "water", "night" },
	[6] = { "before", "island", "little", "should", "mother", "silver", "window", "number" },
	[7] = { "captain", "between", "another", "thought", "morning", "nothing", "through",
		"kitchen" },
	[8] = { "together", "question", "shoulder", "mountain", "sentence", "children", "business",
		"treasure" },
	[9] = { "different", "wonderful", "afternoon", "gentleman", "something", "direction",
		"beginning", "important" },
	[10] = { "impossible", "everything", "themselves", "discovered", "government", "collection",
		 "particular", "conversion" },
	[11] = { "comfortable", "independent", "imagination", "description", "examination",
		 "temperature", "opportunity", "consequence" },
	[12] = { "considerable", "conversation", "neighbouring", "intellectual", "professional",
		 "satisfaction", "circumstance", "construction" },
};

/* How often a word of each length is drawn, of 64. */
static const unsigned char share[LONGEST_WORD + 1] = { 0, 3, 11, 15, 11, 8, 5, 4, 3, 2, 1, 1, 0 };

static size_t length_draw(struct rng *rng)
{
	unsigned int drawn = rng_next(rng) % 64;
	size_t length = 1;

	while (drawn >= share[length]) {
		drawn -= share[length];
		length++;
	}
	return length;
}

static const char *word_draw(struct rng *rng, size_t length)
{
	return words[length][rng_next(rng) % PER_LENGTH];
}

/* A line of exactly `bytes` bytes without its newline. */
static void line_fill(struct rng *rng, char *line, size_t bytes)
{
	const char *word;
	size_t length;

	for (;;) {
		length = length_draw(rng);
		word = word_draw(rng, length);
		if (rng_next(rng) % RARITY == 0) {
			word = TEXT_RARE_WORD;
			length = strlen(word);
		}
		/* A word needs a space and another word behind it, or ends the line. */
		if (bytes <= LONGEST_WORD && length + 2 > bytes) {
			memcpy(line, word_draw(rng, bytes), bytes);
			return;
		}
		memcpy(line, word, length);
		line[length] = ' ';
		line += length + 1;
		bytes -= length + 1;
	}
}

void text_make(char *text, size_t bytes, size_t lines)
{
	struct rng rng = { .state = SEED };
	size_t mean, length;

	for (; lines > 0; lines--) {
		mean = bytes / lines;
		length = lines == 1 ? bytes : mean / 2 + rng_next(&rng) % (mean + 1);
		line_fill(&rng, text, length - 1);
		text[length - 1] = '\n';
		text += length;
		bytes -= length;
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

struct text_count text_count(const char *text, size_t bytes, const char *needle)
{
	struct text_count count = { 0 };
	const char *end = text + bytes, *line = text, *newline;
	size_t length;

	for (; line < end; line += length) {
		newline = memchr(line, '\n', (size_t)(end - line));
		length = newline ? (size_t)(newline - line) + 1 : (size_t)(end - line);
		if (needle && !memmem(line, length, needle, strlen(needle)))
			continue;
		count.lines++;
		count.bytes += length;
		for (size_t i = 0; i < length; i++)
			count.words += !is_blank(line[i]) && (i == 0 || is_blank(line[i - 1]));
	}
	return count;
}
