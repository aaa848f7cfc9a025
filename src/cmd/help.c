// SPDX-License-Identifier: GPL-2.0-or-later
/* help.c - --help of a verb and of onproc, from the tables; at most 80 columns. */
#include "base/escape.h"
#include "cmd/options.h"

#include <string.h>

#define HELP_COLUMNS 80
#define HELP_INDENT  26 /* where the help of an option starts */

/*
 * Writes text from column `at` on, lines broken at spaces before HELP_COLUMNS, further lines
 * indented. An empty line of text stays one.
 */
static void wrap(const char *text, int indent, int at, FILE *out)
{
	int column = at;

	while (*text) {
		size_t length = strcspn(text, " \n");
		char word[256];

		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		if (column > indent && column + 1 + (int)escape_columns(word) > HELP_COLUMNS) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fputs(word, out);
		column += (int)escape_columns(word);
		text += length;
		if (text[0] == '\n' && text[1] == '\n') {
			fprintf(out, "\n\n%*s", indent, "");
			column = indent;
			text++;
		}
		if (*text)
			text++;
	}
	fputc('\n', out);
}

static void one_of(const struct option *option, char *text, size_t bytes)
{
	size_t used = (size_t)snprintf(text, bytes, "%s", option->help);

	for (const char *const *choice = option->choices; choice && *choice; choice++) {
		used += (size_t)snprintf(text + used, bytes - used, "%s%s",
					 choice == option->choices ? ": " : ", ", *choice);
	}
	if (option->fallback)
		snprintf(text + used, bytes - used, " (default: %s)", option->fallback);
}

static bool help_option(const struct option *option, bool common, void *context)
{
	FILE *out = context;
	char text[512];
	int column;

	(void)common;
	if (option->hidden)
		return true;
	if (option->letter)
		column = fprintf(out, "  -%c, --%s", option->letter, option->name);
	else
		column = fprintf(out, "      --%s", option->name);
	if (option->argument)
		column += fprintf(out, " %s", option->argument);
	if (column < HELP_INDENT - 1)
		fprintf(out, "%*s", HELP_INDENT - column, "");
	else
		fprintf(out, "\n%*s", HELP_INDENT, "");
	one_of(option, text, sizeof(text));
	wrap(text, HELP_INDENT, HELP_INDENT, out);
	return true;
}

static void help_examples(const char *line, FILE *out)
{
	fputs("\nExamples:\n", out);
	while (*line) {
		size_t length = strcspn(line, "\n");
		size_t command = strcspn(line, "\t\n");

		fprintf(out, "  %.*s\n", (int)command, line);
		if (command < length)
			fprintf(out, "      %.*s\n", (int)(length - command - 1),
				line + command + 1);
		line += length + (line[length] == '\n');
	}
}

void options_help(const struct verb *verb, FILE *out)
{
	fprintf(out, "Usage: onproc %s [OPTION...]%s%s\n\n", verb->name, verb->operands ? " " : "",
		verb->operands ? verb->operands : "");
	wrap(verb->description, 0, 0, out);
	fputs("\nOptions:\n", out);
	options_each(verb, help_option, out);
	if (verb->examples)
		help_examples(verb->examples, out);
}

void options_help_verbs(FILE *out)
{
	fputs("Usage: onproc VERB [OPTION...] [OPERAND...]\n\n"
	      "How fast is this Linux machine, with an interval on every number.\n\n"
	      "Verbs:\n",
	      out);
	for (size_t i = 0; verbs[i]; i++)
		fprintf(out, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
	fputs("\nonproc VERB --help shows the options of a verb; onproc --version the version.\n"
	      "Exit status: 0 done, 1 a regression (gate alone), 125 something could not be\n"
	      "measured or decided, 128 the machine or onproc failed, 129 wrong usage, 130\n"
	      "interrupted with results kept.\n",
	      out);
}
