// SPDX-License-Identifier: GPL-2.0-or-later
/* command_adapter.c - see command_adapter.h. The first row that fits a command is taken. */
#include "measure/command_adapter.h"

#include "measure/variables.h"

#include <stddef.h>
#include <string.h>

#define BLANKS " \t\n"

const struct adapter adapters[] = {
	{ "fio", "fio", NULL, "json:jobs[*].read.bw_bytes+jobs[*].write.bw_bytes B/s",
	  "needs --output-format=json" },
	{ "perf-messaging", "perf", "messaging", "regex:Total time: *([0-9.]+) s lower",
	  "perf bench sched messaging" },
	{ "perf-pipe", "perf", "pipe", "regex:([0-9.]+) ops/sec ops/s", "perf bench sched pipe" },
	{ "hackbench", "hackbench", NULL, "regex:^Time: *([0-9.]+) s lower", "" },
	{ "sysbench-memory", "sysbench", "memory",
	  "regex:Total operations:.*[(] *([0-9.]+) per second ops/s", "sysbench memory run" },
	{ "sysbench-threads", "sysbench", "threads", "regex:total time: *([0-9.]+)s s lower",
	  "sysbench threads --time=0 --events=N run" },
	{ "sysbench-mutex", "sysbench", "mutex", "regex:total time: *([0-9.]+)s s lower",
	  "sysbench mutex run" },
	{ "sysbench", "sysbench", NULL, "regex:events per second: *([0-9.]+) events/s",
	  "sysbench cpu run" },
	{ "stress-ng", "stress-ng", NULL,
	  "regex:\\] +[a-z0-9-]+ +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +([0-9.]+) bogo-ops/s",
	  "needs --metrics, and 2>&1 before version 0.15.08" },
	{ NULL },
};

const char *const adapter_names[] = {
	"fio",
	"perf-messaging",
	"perf-pipe",
	"hackbench",
	"sysbench-memory",
	"sysbench-threads",
	"sysbench-mutex",
	"sysbench",
	"stress-ng",
	NULL,
};

const struct adapter *adapter_find(const char *name)
{
	for (const struct adapter *adapter = adapters; adapter->name; adapter++) {
		if (!strcmp(adapter->name, name))
			return adapter;
	}
	return NULL;
}

/* A word of a command line, as a shell would part simple ones. */
struct word {
	const char *at;
	size_t length;
};

static struct word next_word(const char **at)
{
	struct word word;

	*at += strspn(*at, BLANKS);
	word = (struct word){ *at, strcspn(*at, BLANKS) };
	*at += word.length;
	return word;
}

static int word_is(struct word word, const char *wanted)
{
	return strlen(wanted) == word.length && !strncmp(word.at, wanted, word.length);
}

static struct word base_name(struct word word)
{
	for (size_t i = word.length; i-- > 0;) {
		if (word.at[i] == '/')
			return (struct word){ word.at + i + 1, word.length - i - 1 };
	}
	return word;
}

static int has_word(const char *at, const char *wanted)
{
	struct word word;

	while ((word = next_word(&at)).length) {
		if (word_is(word, wanted))
			return 1;
	}
	return 0;
}

const struct adapter *adapter_for(const char *command)
{
	const char *at = command;
	struct word program;

	do {
		program = next_word(&at);
	} while (program.length && variable_is_assignment(program.at));
	for (const struct adapter *adapter = adapters; adapter->name; adapter++) {
		if (word_is(base_name(program), adapter->program) &&
		    (!adapter->word || has_word(at, adapter->word)))
			return adapter;
	}
	return NULL;
}
