// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - the command line of the torture program. */
#include "torture.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char usage[] =
	"usage: torture [OPTION]...\n"
	"  --seconds S     run for S seconds (default 5)\n"
	"  --seed N        the same operations as a run that printed this seed\n"
	"  --threads N,... rounds with so many threads (default 4,8,16,64; sanitized 4,8)\n"
	"  --deadline S    a thread that does not get on for S seconds hangs (default 60)\n"
	"  --broken WHAT   a lock that must be caught: exclusion, wake or torn\n"
	"  --list N        print the first N operations of each thread and run none\n"
	"  --calm          no disturbances\n";

static const char *const broken_names[] = {
	[BROKEN_NONE] = "none",
	[BROKEN_EXCLUSION] = "exclusion",
	[BROKEN_WAKE] = "wake",
	[BROKEN_TORN] = "torn",
};

static bool number(const char *text, double least, double most, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && *value >= least && *value <= most;
}

static bool take_threads(struct options *options, char *list)
{
	char *rest = NULL, *text;
	double value;

	options->rounds = 0;
	for (text = strtok_r(list, ",", &rest); text; text = strtok_r(NULL, ",", &rest)) {
		if (options->rounds == sizeof(options->threads) / sizeof(options->threads[0]) ||
		    !number(text, 4, MOST_THREADS, &value))
			return false;
		options->threads[options->rounds++] = (uint32_t)value;
	}
	return options->rounds > 0;
}

static bool take_broken(struct options *options, const char *name)
{
	uint32_t n;

	for (n = 0; n < sizeof(broken_names) / sizeof(broken_names[0]); n++) {
		if (!strcmp(name, broken_names[n])) {
			options->broken = (enum broken)n;
			return true;
		}
	}
	return false;
}

static bool take(struct options *options, int option, char *value)
{
	double number_of;
	char *end;

	switch (option) {
	case 's':
		return number(value, 0.01, 1e6, &options->seconds);
	case 'd':
		return number(value, 0.1, 1e6, &options->deadline_s);
	case 'S':
		options->seed = strtoull(value, &end, 0);
		return end != value && !*end;
	case 't':
		return take_threads(options, value);
	case 'b':
		return take_broken(options, value);
	case 'l':
		if (!number(value, 1, 1e6, &number_of))
			return false;
		options->list = (uint32_t)number_of;
		return true;
	case 'c':
		options->disturb = false;
		return true;
	}
	return false;
}

int options_parse(struct options *options, int argc, char **argv)
{
	static const struct option names[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'S' },
		{ "threads", required_argument, NULL, 't' },
		{ "deadline", required_argument, NULL, 'd' },
		{ "broken", required_argument, NULL, 'b' },
		{ "list", required_argument, NULL, 'l' },
		{ "calm", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	*options = (struct options){ .seconds = 5,
				     .deadline_s = 60,
				     .threads = { 4, 8, 16, 64 },
				     .rounds = SANITIZED_ADDRESS || SANITIZED_THREAD ? 2 : 4,
				     .disturb = true };
	if (getrandom(&options->seed, sizeof(options->seed), 0) != sizeof(options->seed))
		options->seed = now_ns();
	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 1;
		}
		if (!take(options, option, optarg)) {
			fputs(usage, stderr);
			return 129 + 1;
		}
	}
	if (optind != argc) {
		fputs(usage, stderr);
		return 129 + 1;
	}
	return 0;
}
