// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - onproc: finds the verb, parses its options, runs it.
 *
 * setlocale() is never called: numbers are those of the C locale whatever LC_ALL says.
 */
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct verb *const verbs[] = {
	&verb_bench, &verb_ab,	   &verb_compare, &verb_gate,	 &verb_history, &verb_list,
	&verb_show,  &verb_tag,	   &verb_export,  &verb_import,	 &verb_resume,	&verb_rm,
	&verb_run,   &verb_sensor, &verb_help,	  &verb_version, NULL,
};

/*
 * A descriptor of the three that is closed would be given to the next file opened, a journal for
 * one, and messages would land in it. It is opened the wrong way round, so that its use fails.
 * SQLite does the same for its own files; nothing else does.
 */
static void hold_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			abort();
	}
}

static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789-_./,:=+@%")];
}

/* The command line as one could type it again; NULL: no memory. */
static char *command_typed(int argc, char **argv)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	for (int i = 0; i < argc; i++) {
		const char *word = argv[i];

		if (i)
			fputc(' ', out);
		if (is_plain(word)) {
			fputs(word, out);
			continue;
		}
		fputc('\'', out);
		for (; *word; word++)
			fputs(*word == '\'' ? "'\\''" : (char[2]){ *word }, out);
		fputc('\'', out);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static enum exit_code run_verb(const struct verb *verb, int argc, char **argv)
{
	struct verb_call call = { .command = command_typed(argc, argv) };
	struct error err = { 0 };
	enum exit_code code;
	int rc;

	rc = options_parse(verb, argc - 2, argv + 2, &call, &err);
	if (rc == -EINVAL) {
		code = usage_failed(verb->name, &err);
	} else if (rc) {
		code = verb_failed(verb->name, &err);
	} else if (call.help) {
		options_help(verb, stdout);
		code = output_finish(&err) ? verb_failed(verb->name, &err) : EXIT_OK;
	} else {
		if (verb != &verb_help && verb != &verb_version && verb != &verb_run)
			runs_mention_sides(verb->name, call.db);
		code = verb->run(&call);
	}
	options_free(verb, &call);
	free(call.command);
	return code;
}

/* "-V" is --version: the first letter says it. */
static const char *near_option(const char *word)
{
	static const char *const names[] = { "help", "version", NULL };

	for (size_t i = 0; names[i] && strlen(word) == 1; i++) {
		if ((word[0] | 0x20) == names[i][0])
			return names[i];
	}
	return near_name(word, names);
}

static enum exit_code option_unknown(const char *typed)
{
	const char *nearest = near_option(typed + strspn(typed, "-"));
	struct error err = { 0 };

	if (nearest)
		error_set(&err, -EINVAL, "%s: unknown option; did you mean --%s?", typed, nearest);
	else
		error_set(&err, -EINVAL, "%s: unknown option; those of a verb follow it", typed);
	return usage_failed(NULL, &err);
}

int main(int argc, char **argv)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	const struct verb *verb;
	const char *name;

	hold_standard_descriptors();
	if (argc < 2) {
		options_help_verbs(stderr);
		return EXIT_USAGE;
	}
	name = argv[1];
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		name = "help";
	else if (!strcmp(name, "--version"))
		name = "version";
	verb = verb_find(name);
	if (!verb)
		return name[0] == '-' ? option_unknown(name) : verb_unknown(name);
	/* a reader that has left is an error of writing, told or not at its place */
	if (!verb->becomes_another)
		sigaction(SIGPIPE, &ignore, NULL);
	return run_verb(verb, argc, argv);
}
