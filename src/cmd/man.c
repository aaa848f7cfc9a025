// SPDX-License-Identifier: GPL-2.0-or-later
/* man.c - man pages as scdoc source, from the tables. */
#include "cmd/options.h"

#include <string.h>

/*
 * Text as scdoc takes it literally: its marks escaped, and at the start of a line those that would
 * make it a heading, a list, a table or a comment.
 */
static void escaped(const char *text, size_t length, bool starts_line, FILE *out)
{
	for (size_t i = 0; i < length; i++) {
		if (strchr("\\*_~", text[i]) ||
		    (starts_line && i == 0 && strchr("#-|[];`.", text[i])))
			fputc('\\', out);
		fputc(text[i], out);
	}
}

static void escaped_all(const char *text, bool starts_line, FILE *out)
{
	escaped(text, strlen(text), starts_line, out);
}

static bool man_option(const struct option *option, bool common, void *context)
{
	FILE *out = context;

	(void)common;
	if (option->hidden)
		return true;
	if (option->letter)
		fprintf(out, "*-%c*, ", option->letter);
	fprintf(out, "*--%s*", option->name);
	if (option->argument) {
		fputs(" _", out);
		escaped_all(option->argument, false, out);
		fputc('_', out);
	}
	fputs("\n\t", out);
	escaped_all(option->help, true, out);
	for (const char *const *choice = option->choices; choice && *choice; choice++)
		fprintf(out, "%s*%s*", choice == option->choices ? ": " : ", ", *choice);
	if (option->fallback) {
		fputs(" (default: ", out);
		escaped_all(option->fallback, false, out);
		fputc(')', out);
	}
	fputs(".\n\n", out);
	return true;
}

static void man_examples(const char *line, FILE *out)
{
	fputs("# EXAMPLES\n\n", out);
	while (*line) {
		size_t length = strcspn(line, "\n");
		size_t command = strcspn(line, "\t\n");

		fputc('*', out);
		escaped(line, command, false, out);
		fputs("*\n", out);
		if (command < length) {
			fputc('\t', out);
			escaped(line + command + 1, length - command - 1, true, out);
			fputc('\n', out);
		}
		fputc('\n', out);
		line += length + (line[length] == '\n');
	}
}

/* Paragraphs keep their empty lines; a line break inside one is of no meaning. */
static void man_paragraphs(const char *text, FILE *out)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (length)
			escaped(text, length, true, out);
		fputc('\n', out);
		text += length + (text[length] == '\n');
	}
	fputc('\n', out);
}

static void man_exit_status(FILE *out)
{
	fputs("# EXIT STATUS\n\n"
	      "*0*\n\tDone.\n\n"
	      "*125*\n\tWhat was asked for could not be measured, or not completely. "
	      "*git bisect run* skips.\n\n"
	      "*128*\n\tThe machine, the database or onproc itself failed.\n\n"
	      "*129*\n\tWrong usage.\n\n"
	      "*130*\n\tInterrupted; results are kept.\n\n",
	      out);
}

static void man_verb(const struct verb *verb, FILE *out)
{
	fprintf(out, "onproc-%s(1)\n\n# NAME\n\nonproc-%s - ", verb->name, verb->name);
	escaped_all(verb->summary, false, out);
	fprintf(out, "\n\n# SYNOPSIS\n\n*onproc %s* [_OPTION_...]", verb->name);
	if (verb->operands) {
		fputc(' ', out);
		escaped_all(verb->operands, false, out);
	}
	fputs("\n\n# DESCRIPTION\n\n", out);
	man_paragraphs(verb->description, out);
	fputs("# OPTIONS\n\n", out);
	options_each(verb, man_option, out);
	if (verb->examples)
		man_examples(verb->examples, out);
	man_exit_status(out);
	fputs("# SEE ALSO\n\n*onproc*(1)\n", out);
}

static void man_onproc(FILE *out)
{
	fputs("onproc(1)\n\n# NAME\n\n"
	      "onproc - how fast is this Linux machine, with an interval on every number\n\n"
	      "# SYNOPSIS\n\n*onproc* _VERB_ [_OPTION_...] [_OPERAND_...]\n\n"
	      "# DESCRIPTION\n\n"
	      "onproc measures a Linux machine, virtual machine or container with the tests of "
	      "UnixBench and more, keeps every run in a database and shows it. Each number comes "
	      "with an interval, and with what else ran on the machine meanwhile.\n\n"
	      "# VERBS\n\n",
	      out);
	for (size_t i = 0; verbs[i]; i++) {
		fprintf(out, "*onproc-%s*(1)\n\t", verbs[i]->name);
		escaped_all(verbs[i]->summary, true, out);
		fputs(".\n\n", out);
	}
	man_exit_status(out);
	fputs("# ENVIRONMENT\n\n"
	      "*XDG\\_DATA\\_HOME*\n\tWhere the database lies, below _onproc/onproc.db_; "
	      "_~/.local/share_ when not set.\n\n"
	      "*ONPROC\\_SENSOR*, *ONPROC\\_SENSOR\\_SOCKET*\n\tThe sensor of the lock library; "
	      "see "
	      "*onproc-sensor*(1).\n\n"
	      "*TMPDIR*\n\tWhere tests of files write when _/var/tmp_ cannot be used.\n\n"
	      "# SEE ALSO\n\n",
	      out);
	for (size_t i = 0; verbs[i]; i++)
		fprintf(out, "%s*onproc-%s*(1)", i ? ", " : "", verbs[i]->name);
	fputc('\n', out);
}

void options_man(const struct verb *verb, FILE *out)
{
	if (verb)
		man_verb(verb, out);
	else
		man_onproc(out);
}
