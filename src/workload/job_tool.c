// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * job_tool.c - the tools of the job: sort, od, grep, tee, wc and rm, as far as the job needs them.
 */
#include "workload/job_tool.h"

#include "workload/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES 65536ul
#define WORD_BYTES  2ul
#define LINE_WORDS  8ul

struct line {
	const char *bytes;
	size_t count;
	unsigned long long number; /* at its start */
};

/* All that comes from a descriptor, with a zero behind it; false after an error. */
static bool all_read(int fd, char **bytes, size_t *count)
{
	size_t room = 0;
	ssize_t got;
	char *more;

	*bytes = NULL;
	*count = 0;
	do {
		if (room - *count < CHUNK_BYTES) {
			room = 2 * room + 2 * CHUNK_BYTES;
			more = realloc(*bytes, room);
			if (!more)
				return false;
			*bytes = more;
		}
		got = read(fd, *bytes + *count, CHUNK_BYTES - 1);
		if (got > 0)
			*count += (size_t)got;
	} while (got > 0);
	(*bytes)[*count] = '\0';
	return got == 0;
}

static bool file_all_read(const char *name, char **bytes, size_t *count)
{
	int fd = open(name, O_RDONLY);
	bool done;

	if (fd < 0)
		return false;
	done = all_read(fd, bytes, count);
	close(fd);
	return done;
}

static bool all_write(int fd, const char *bytes, size_t count)
{
	ssize_t got;

	for (; count > 0; bytes += got, count -= (size_t)got) {
		got = write(fd, bytes, count);
		if (got <= 0)
			return false;
	}
	return true;
}

static int by_bytes(const void *a, const void *b)
{
	const struct line *left = a, *right = b;
	size_t count = left->count < right->count ? left->count : right->count;
	int order = memcmp(left->bytes, right->bytes, count);

	if (order)
		return order;
	return (left->count > right->count) - (left->count < right->count);
}

static int by_number(const void *a, const void *b)
{
	const struct line *left = a, *right = b;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return by_bytes(a, b);
}

/* The lines of bytes into line; returns how many. */
static size_t lines_split(const char *bytes, size_t count, bool numbers, struct line *line)
{
	size_t length, n = 0;

	for (const char *at = bytes; at < bytes + count; at += length + 1, n++) {
		length = strcspn(at, "\n");
		line[n].bytes = at;
		line[n].count = length;
		line[n].number = numbers ? strtoull(at, NULL, 10) : 0;
	}
	return n;
}

static int tool_sort(int argc, char **argv)
{
	bool numbers = argc > 1 && strcmp(argv[1], "-n") == 0;
	char *bytes, *sorted = NULL, *end;
	struct line *line = NULL;
	size_t count, lines;
	int status = 1;

	if (!all_read(STDIN_FILENO, &bytes, &count))
		goto out;
	line = calloc(text_count(bytes, count, NULL).lines + 1, sizeof(*line));
	sorted = malloc(count + 1);
	if (!line || !sorted)
		goto out;
	lines = lines_split(bytes, count, numbers, line);
	qsort(line, lines, sizeof(*line), numbers ? by_number : by_bytes);
	end = sorted;
	for (size_t i = 0; i < lines; i++) {
		memcpy(end, line[i].bytes, line[i].count);
		end += line[i].count;
		*end++ = '\n';
	}
	if (all_write(STDOUT_FILENO, sorted, (size_t)(end - sorted)))
		status = 0;
out:
	free(sorted);
	free(line);
	free(bytes);
	return status;
}

static char *octal(char *at, unsigned long long value, int digits)
{
	for (int i = digits; i-- > 0; value >>= 3)
		at[i] = (char)('0' + (value & 7));
	return at + digits;
}

static int tool_od(int argc, char **argv)
{
	char *bytes = NULL, *dump = NULL, *end;
	size_t count, at;
	int status = 1;

	if (argc != 2 || !file_all_read(argv[1], &bytes, &count))
		goto out;
	dump = malloc((count / (LINE_WORDS * WORD_BYTES) + 2) * 80);
	if (!dump)
		goto out;
	end = dump;
	for (at = 0; at < count; at += WORD_BYTES) {
		/* The byte behind an odd end is zero. */
		unsigned int word =
			(unsigned char)bytes[at] | (unsigned int)(unsigned char)bytes[at + 1] << 8;

		if (at % (LINE_WORDS * WORD_BYTES) == 0) {
			if (at)
				*end++ = '\n';
			end = octal(end, at, 7);
		}
		*end++ = ' ';
		end = octal(end, word, 6);
	}
	if (count)
		*end++ = '\n';
	end = octal(end, count, 7);
	*end++ = '\n';
	if (all_write(STDOUT_FILENO, dump, (size_t)(end - dump)))
		status = 0;
out:
	free(dump);
	free(bytes);
	return status;
}

static int tool_grep(int argc, char **argv)
{
	size_t count, length, kept = 0;
	char *bytes = NULL, *found = NULL;
	int status = 2;

	if (argc != 3 || !file_all_read(argv[2], &bytes, &count))
		goto out;
	found = malloc(count + 1);
	if (!found)
		goto out;
	for (const char *line = bytes; line < bytes + count; line += length) {
		length = strcspn(line, "\n");
		length += line[length] == '\n';
		if (memmem(line, length, argv[1], strlen(argv[1]))) {
			memcpy(found + kept, line, length);
			kept += length;
		}
	}
	if (all_write(STDOUT_FILENO, found, kept))
		status = kept ? 0 : 1;
out:
	free(found);
	free(bytes);
	return status;
}

static int tool_tee(int argc, char **argv)
{
	char chunk[CHUNK_BYTES];
	ssize_t got;
	int fd;

	if (argc != 2)
		return 1;
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return 1;
	while ((got = read(STDIN_FILENO, chunk, sizeof(chunk))) > 0) {
		if (!all_write(STDOUT_FILENO, chunk, (size_t)got) ||
		    !all_write(fd, chunk, (size_t)got))
			return 1;
	}
	return got == 0 && close(fd) == 0 ? 0 : 1;
}

static int tool_wc(int argc, char **argv)
{
	struct text_count all;
	size_t count;
	char *bytes;
	int status = 1;

	(void)argc, (void)argv;
	if (all_read(STDIN_FILENO, &bytes, &count)) {
		all = text_count(bytes, count, NULL);
		if (dprintf(STDOUT_FILENO, "%7zu %7zu %7zu\n", all.lines, all.words, all.bytes) > 0)
			status = 0;
	}
	free(bytes);
	return status;
}

static int tool_rm(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		status |= unlink(argv[i]) != 0;
	return status;
}

static const struct tool {
	const char *name;
	int (*run)(int argc, char **argv);
} tools[] = {
	{ "sort", tool_sort }, { "od", tool_od }, { "grep", tool_grep },
	{ "tee", tool_tee },   { "wc", tool_wc }, { "rm", tool_rm },
};

int job_tool_run(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (strcmp(argv[0], tools[i].name) == 0)
			return tools[i].run(argc, argv);
	}
	return -1;
}
