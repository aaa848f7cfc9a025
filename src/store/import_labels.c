// SPDX-License-Identifier: GPL-2.0-or-later
/* import_labels.c - see import_labels.h. */
#include "store/import_labels.h"

#include "store/import_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Baselines: the SPARCstation 20 that has index 10 since UnixBench 4. */
static const struct unixbench_test tests[] = {
	{ "Dhrystone 2 using register variables", "dhry2reg", "lps", 116700, false,
	  "dhrystone dhrystone2 dhry dhry2 dhrystone2usingregistervars" },
	{ "Double-Precision Whetstone", "whetstone-double", "MWIPS", 55, false,
	  "whetstone doubleprecisionwhet whets" },
	{ "Execl Throughput", "execl", "lps", 43, false, "execl" },
	{ "File Copy 1024 bufsize 2000 maxblocks", "fstime", "KBps", 3960, true,
	  "filecopy1024 fc1024 filecopy1024bufsize2000" },
	{ "File Copy 256 bufsize 500 maxblocks", "fsbuffer", "KBps", 1655, true,
	  "filecopy256 fc256 filecopy256bufsize500" },
	{ "File Copy 4096 bufsize 8000 maxblocks", "fsdisk", "KBps", 5800, true,
	  "filecopy4096 fc4096 filecopy4096bufsize8000" },
	{ "Pipe Throughput", "pipe", "lps", 12440, false, "pipe" },
	{ "Pipe-based Context Switching", "context1", "lps", 4000, false,
	  "contextswitch contextswitching pipebasedcontextswitch pipebasedcontext pipebasedcs" },
	{ "Process Creation", "spawn", "lps", 126, false, "processcreate" },
	{ "System Call Overhead", "syscall", "lps", 15000, true, "systemcall syscalls" },
	{ "Shell Scripts (1 concurrent)", "shell1", "lpm", 42.4, false,
	  "shellscripts1 shellscript1 shell1concurrent" },
	{ "Shell Scripts (8 concurrent)", "shell8", "lpm", 6, false,
	  "shellscripts8 shellscript8 shell8concurrent" },
	{ "Shell Scripts (16 concurrent)", "shell16", "lpm", 0, false, "shellscripts16" },
	{ "File Read 1024 bufsize 2000 maxblocks", "fstime-r", "KBps" },
	{ "File Read 256 bufsize 500 maxblocks", "fsbuffer-r", "KBps" },
	{ "File Read 4096 bufsize 8000 maxblocks", "fsdisk-r", "KBps" },
	{ "File Write 1024 bufsize 2000 maxblocks", "fstime-w", "KBps" },
	{ "File Write 256 bufsize 500 maxblocks", "fsbuffer-w", "KBps" },
	{ "File Write 4096 bufsize 8000 maxblocks", "fsdisk-w", "KBps" },
	{ "Arithmetic Test (double)", "double", "lps" },
	{ "Arithmetic Test (float)", "float", "lps" },
	{ "Arithmetic Test (int)", "int", "lps" },
	{ "Arithmetic Test (long)", "long", "lps" },
	{ "Arithmetic Test (short)", "short", "lps" },
	{ "Arithoh", "arithoh", "lps" },
	{ "C Compiler Throughput", "C", "lpm" },
	{ "Dc: sqrt(2) to 99 decimal places", "dc", "lpm" },
	{ "Exec System Call Overhead", "sysexec", "lps" },
	{ "Grep a large file (system's grep)", "grep", "lpm" },
	{ "Recursion Test -- Tower of Hanoi", "hanoi", "lps" },
};

#define TESTS (sizeof(tests) / sizeof(tests[0]))

const struct unixbench_test *unixbench_test_of(const char *label)
{
	for (size_t i = 0; i < TESTS; i++)
		if (!strcmp(label, tests[i].label))
			return &tests[i];
	/* UnixBench names the compiler behind it. */
	if (text_begins(label, "C Compiler Throughput ("))
		return unixbench_test_of("C Compiler Throughput");
	return NULL;
}

/* Letters and digits only, in lower case. */
static void normalise(const char *text, size_t length, char *to, size_t bytes)
{
	size_t used = 0;

	for (size_t i = 0; i < length && used + 1 < bytes; i++)
		if (isalnum((unsigned char)text[i]))
			to[used++] = (char)tolower((unsigned char)text[i]);
	to[used] = '\0';
}

static bool is_among(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (list && *list) {
		size_t next = strcspn(list, " ");

		if (next == length && !strncmp(list, word, length))
			return true;
		list += next;
		list += *list == ' ';
	}
	return false;
}

static const struct unixbench_test *find_normalised(const char *text, size_t length)
{
	char wanted[UNIXBENCH_LABEL_BYTES], known[UNIXBENCH_LABEL_BYTES];

	normalise(text, length, wanted, sizeof(wanted));
	if (!*wanted)
		return NULL;
	for (size_t i = 0; i < TESTS; i++) {
		/* Short forms begin as the label or the name does: most texts are none at once. */
		if (wanted[0] != tolower((unsigned char)tests[i].label[0]) &&
		    wanted[0] != tolower((unsigned char)tests[i].name[0]))
			continue;
		normalise(tests[i].label, strlen(tests[i].label), known, sizeof(known));
		if (!strcmp(wanted, known) || is_among(tests[i].short_labels, wanted))
			return &tests[i];
		normalise(tests[i].name, strlen(tests[i].name), known, sizeof(known));
		/* "int", "C" and their like are words of other tables too. */
		if (tests[i].baseline > 0 && !strcmp(wanted, known))
			return &tests[i];
	}
	return NULL;
}

const struct unixbench_test *unixbench_test_named(const char *text)
{
	return find_normalised(text, strlen(text));
}

const struct unixbench_test *unixbench_test_at(const char *text, size_t *bytes)
{
	const struct unixbench_test *found = NULL;

	for (size_t end = 1; text[end - 1] && end < UNIXBENCH_LABEL_BYTES; end++) {
		const struct unixbench_test *test;

		if (text[end] && text[end] != ' ')
			continue;
		test = find_normalised(text, end);
		if (test) {
			found = test;
			*bytes = end;
		}
	}
	return found;
}

/* A label of our own making: lower case, so that "Shell scripts" and "Shell Scripts" are one. */
static void id_of_label(const char *suite, const char *label, char id[IMPORT_ID_BYTES])
{
	char lower[UNIXBENCH_LABEL_BYTES];
	size_t used = 0;

	for (; *label && used + 1 < sizeof(lower); label++) {
		if (isalnum((unsigned char)*label))
			lower[used++] = (char)tolower((unsigned char)*label);
		else if (used && lower[used - 1] != '-')
			lower[used++] = '-';
	}
	lower[used] = '\0';
	imported_id(suite, lower, id);
}

void unixbench_test_id(enum unixbench_version version, const char *label, char id[IMPORT_ID_BYTES])
{
	const struct unixbench_test *test = unixbench_test_of(label);

	if (version == UNIXBENCH_3)
		id_of_label("unixbench3", label, id);
	else if (version == UNIXBENCH_4 && test)
		snprintf(id, IMPORT_ID_BYTES, "unixbench4/%s@1", test->name);
	else if (version == UNIXBENCH_4)
		id_of_label("unixbench4", label, id);
	else if (!test)
		id_of_label("unixbench", label, id);
	else if (version != UNIXBENCH_6 && test->is_own_in_5)
		snprintf(id, IMPORT_ID_BYTES, "unixbench5/%s5@1", test->name);
	else
		snprintf(id, IMPORT_ID_BYTES, "unixbench6/%s@1", test->name);
}
