/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_options.h - options that bench and ab share: rows of their tables. AT(member) of whoever
 * includes it gives the offset of a member of struct bench_options.
 */
#ifndef ONPROC_CMD_PLAN_OPTIONS_H
#define ONPROC_CMD_PLAN_OPTIONS_H

#include "base/clock.h"
#include "measure/command_adapter.h"
#include "measure/plan.h"

#define SLOT_TIME_OPTION                                                                           \
	{                                                                                          \
		"slot-time", 0, OPTION_DURATION, "TIME", "length of the window of a slot", "1s",   \
			.min = 10 * NS_PER_MS, .max = 3600 * NS_PER_S, AT(slot_ns)                 \
	}
#define WARMUP_OPTION                                                                              \
	{                                                                                          \
		"warmup", 0, OPTION_STRING, "TIME|N",                                              \
			"time a slot runs before its window; with --cmd the runs before those "    \
			"that count",                                                              \
			"250ms; 0 runs", AT(warmup)                                                \
	}
#define SEED_OPTION                                                                                \
	{                                                                                          \
		"seed", 0, OPTION_COUNT, "N", "seed of the order of the slots", "drawn",           \
			.min = 0, .max = PLAN_SEED_MAX, AT(seed)                                   \
	}
#define PIN_OPTION                                                                                 \
	{                                                                                          \
		"pin", 0, OPTION_STRING, "HOW",                                                    \
			"CPUs of the copies: none, spread, compact, or a list as 0,2-5", "none",   \
			.complete = "pin", AT(pin)                                                 \
	}
#define DIR_OPTION                                                                                 \
	{                                                                                          \
		"dir", 0, OPTION_STRING, "DIR", "where the tests' files are made", "/var/tmp",     \
			.complete = "dir", AT(dir)                                                 \
	}
#define OUTPUT_OPTION                                                                              \
	{                                                                                          \
		"output", 0, OPTION_STRING, "FILE", "write the JSON document to a file as well",   \
			.complete = "file", AT(output)                                             \
	}
#define TEST_OPTIONS                                                                               \
	{                                                                                          \
		"param",                                                                           \
		0,                                                                                 \
		OPTION_STRINGS,                                                                    \
		"TEST.NAME=N",                                                                     \
		"set a parameter of a test; may be repeated",                                      \
		AT(params)                                                                         \
	},                                                                                         \
		{ "groups",                                                                        \
		  'g',                                                                             \
		  OPTION_COUNT,                                                                    \
		  "N",                                                                             \
		  "messaging: groups of senders and receivers",                                    \
		  .min = 1,                                                                        \
		  .max = INT32_MAX,                                                                \
		  AT(groups) },                                                                    \
		{ "pipe",  'p', OPTION_FLAG, NULL, "messaging: pipes instead of socket pairs",     \
		  AT(pipe) },                                                                      \
		{ "thread",  't', OPTION_FLAG, NULL, "messaging: threads instead of processes",    \
		  AT(thread) },                                                                    \
		{ "loops",                                                                         \
		  'l',                                                                             \
		  OPTION_COUNT,                                                                    \
		  "N",                                                                             \
		  "messaging: messages of each sender to each receiver",                           \
		  .min = 1,                                                                        \
		  .max = INT32_MAX,                                                                \
		  AT(loops) },                                                                     \
		{ "kinds",                                                                         \
		  0,                                                                               \
		  OPTION_STRING,                                                                   \
		  "LIST",                                                                          \
		  "lock: which locks, as onproc-mutex,glibc-mutex",                                \
		  "all",                                                                           \
		  .complete = "lock",                                                              \
		  AT(kinds) },                                                                     \
		{ "threads",                                                                       \
		  0,                                                                               \
		  OPTION_STRING,                                                                   \
		  "LIST",                                                                          \
		  "lock: how many threads share one, counts and ranges as of --copies",            \
		  "1 to 32 a CPU, doubled",                                                        \
		  AT(threads) },                                                                   \
		{ "hold",                                                                          \
		  0,                                                                               \
		  OPTION_STRING,                                                                   \
		  "TIMES",                                                                         \
		  "lock: CPU work while it is held, as 200ns,1us",                                 \
		  "1us",                                                                           \
		  AT(hold) },                                                                      \
		{ "think", 0,	     OPTION_STRING, "TIMES", "lock: CPU work between two turns",   \
		  "1us",   AT(think) },                                                            \
		{ "readers",                                                                       \
		  0,                                                                               \
		  OPTION_STRING,                                                                   \
		  "LIST",                                                                          \
		  "lock: percent of the turns that only read, as 50,90,99",                        \
		  "0",                                                                             \
		  AT(readers) },                                                                   \
	{                                                                                          \
		"sensor", 0, OPTION_CHOICE, "NAME",                                                \
			"lock: how onproc's locks know who is on a CPU", "auto",                   \
			.choices = lock_sensor_names, AT(sensor)                                   \
	}
#define COMMAND_OPTIONS                                                                            \
	{                                                                                          \
		"cmd",	0, OPTION_STRING, "CMD", "measure complete runs of a command of /bin/sh",  \
		AT(cmd)                                                                            \
	},                                                                                         \
		{ "metric",                                                                        \
		  0,                                                                               \
		  OPTION_STRING,                                                                   \
		  "METRIC",                                                                        \
		  "what a run says of its speed: json:PATH or regex:RE, then a unit, then "        \
		  "\"lower\" where "                                                               \
		  "less is better; or time",                                                       \
		  "time, or that of an adapter",                                                   \
		  AT(metric) },                                                                    \
		{ "adapter",                                                                       \
		  0,                                                                               \
		  OPTION_CHOICE,                                                                   \
		  "NAME",                                                                          \
		  "the metric of a well-known benchmark",                                          \
		  "by the command's first word",                                                   \
		  .choices = adapter_names,                                                        \
		  AT(adapter) },                                                                   \
		{ "name",   0,	     OPTION_STRING, "NAME", "name of the command in the record",   \
		  "a hash", AT(name) },                                                            \
		{ "prepare",  0, OPTION_STRING, "CMD", "command before each slot, not timed",      \
		  AT(prepare) },                                                                   \
		{ "cleanup",  0, OPTION_STRING, "CMD", "command after each slot, not timed",       \
		  AT(cleanup) },                                                                   \
		{ "timeout",                                                                       \
		  0,                                                                               \
		  OPTION_DURATION,                                                                 \
		  "TIME",                                                                          \
		  "a run of the command that takes longer fails",                                  \
		  .min = NS_PER_MS,                                                                \
		  .max = 86400 * NS_PER_S,                                                         \
		  AT(timeout_ns) },                                                                \
		{ "ignore-failure",                                                                \
		  0,                                                                               \
		  OPTION_FLAG,                                                                     \
		  NULL,                                                                            \
		  "take runs of the command that end with another status than 0",                  \
		  AT(ignore_failure) },                                                            \
	{                                                                                          \
		"shell", 0, OPTION_CHOICE, "HOW",                                                  \
			"sh: /bin/sh -c reads --cmd, --prepare and --cleanup; none: they are "     \
			"split into words and executed",                                           \
			"sh", .choices = shell_names, AT(shell)                                    \
	}

extern const char *const shell_names[];	      /* "sh", "none", NULL */
extern const char *const lock_sensor_names[]; /* "auto", "none", …, NULL */

#endif
