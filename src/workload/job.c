// SPDX-License-Identifier: GPL-2.0-or-later
/* job.c - whether a job of the shell tests that kept its files did its work. */
#include "workload/job.h"

#include "workload/files.h"
#include "workload/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_BYTES    64
#define DUMP_PER_LINE 16

struct kept {
	char name[NAME_BYTES];
	char *bytes;
	size_t count;
};

static int kept_read(const struct work *work, const char *kind, pid_t job, struct kept *kept)
{
	int rc;

	snprintf(kept->name, sizeof(kept->name), "%s.%d", kind, (int)job);
	rc = work_file_read(kept->name, &kept->bytes, &kept->count);
	if (rc)
		return work_fail(work, rc, "the job left no %s: %s", kept->name, strerror(-rc));
	unlink(kept->name);
	return 0;
}

/* All bytes of the text, in lines of ascending order. */
static bool sorted_is_right(const struct kept *sorted, size_t bytes)
{
	const char *line = sorted->bytes, *next;

	if (sorted->count != bytes)
		return false;
	for (; (next = strchr(line, '\n')) && next[1]; line = next + 1) {
		size_t length = (size_t)(next - line), next_length = strcspn(next + 1, "\n");
		int order = memcmp(line, next + 1, length < next_length ? length : next_length);

		if (order > 0 || (order == 0 && length > next_length))
			return false;
	}
	return true;
}

/* A line for each 16 bytes, and one for the end. */
static bool dump_is_right(const struct kept *dump, size_t bytes)
{
	size_t lines = text_count(dump->bytes, dump->count, NULL).lines;

	return lines == (bytes + DUMP_PER_LINE - 1) / DUMP_PER_LINE + 1;
}

static bool found_is_right(const struct kept *found, struct text_count right)
{
	struct text_count all = text_count(found->bytes, found->count, NULL);
	struct text_count matching = text_count(found->bytes, found->count, JOB_NEEDLE);

	return all.lines == right.lines && all.bytes == right.bytes &&
	       matching.lines == right.lines;
}

static bool counted_is_right(const struct kept *counted, struct text_count right)
{
	const unsigned long long due[] = { right.lines, right.words, right.bytes };
	char *at = counted->bytes;

	for (size_t i = 0; i < sizeof(due) / sizeof(due[0]); i++) {
		if (strtoull(at, &at, 10) != due[i])
			return false;
	}
	return strcmp(at, "\n") == 0;
}

int job_verify(const struct work *work, pid_t job, const char *text, size_t bytes)
{
	static const char *const kinds[] = { JOB_SORTED, JOB_DUMP, JOB_FOUND, JOB_COUNTED };
	struct text_count right = text_count(text, bytes, JOB_NEEDLE);
	struct kept kept[4] = { 0 };
	char *input = NULL;
	size_t input_bytes;
	int rc = 0;

	for (int i = 0; !rc && i < 4; i++)
		rc = kept_read(work, kinds[i], job, &kept[i]);
	if (rc)
		goto out;
	if (!sorted_is_right(&kept[0], bytes))
		rc = work_fail(work, -EBADMSG, "sort did not sort the text");
	else if (!dump_is_right(&kept[1], bytes))
		rc = work_fail(work, -EBADMSG, "od did not dump the text");
	else if (!found_is_right(&kept[2], right))
		rc = work_fail(work, -EBADMSG, "grep did not find %zu lines", right.lines);
	else if (!counted_is_right(&kept[3], right))
		rc = work_fail(work, -EBADMSG, "wc counted \"%.40s\", not %zu %zu %zu",
			       kept[3].bytes, right.lines, right.words, right.bytes);
	if (rc)
		goto out;
	rc = work_file_read(JOB_INPUT, &input, &input_bytes);
	if (rc || input_bytes != bytes || memcmp(input, text, bytes) != 0)
		rc = work_fail(work, -EBADMSG, "the input of the jobs was changed");
out:
	for (int i = 0; i < 4; i++)
		free(kept[i].bytes);
	free(input);
	return rc;
}
