// SPDX-License-Identifier: GPL-2.0-or-later
/* completion.c - the bash completion of all verbs, from the tables. */
#include "cmd/options.h"

#include <string.h>

static bool option_words(const struct option *option, bool common, void *context)
{
	FILE *out = context;

	(void)common;
	if (option->hidden)
		return true;
	fprintf(out, " --%s", option->name);
	if (option->letter)
		fprintf(out, " -%c", option->letter);
	return true;
}

/* The bash words that make a list of what `what` names. */
static void offer(const char *what, const char *const *choices, FILE *out)
{
	if (choices) {
		fputs("words='", out);
		for (; *choices; choices++)
			fprintf(out, "%s%s", *choices, choices[1] ? " " : "");
		fputs("'", out);
	} else if (!what) {
		fputs("words=", out);
	} else if (!strcmp(what, "file")) {
		fputs("files=-f", out);
	} else if (!strcmp(what, "dir")) {
		fputs("files=-d", out);
	} else {
		fprintf(out, "words=$(onproc help --complete %s 2>/dev/null)", what);
	}
}

struct value_words {
	const char *verb;
	FILE *out;
};

/* A case of "VERB OPTION" for each option that takes a value. */
static bool value_words(const struct option *option, bool common, void *context)
{
	const struct value_words *words = context;

	(void)common;
	if (option->hidden || option->kind == OPTION_FLAG)
		return true;
	fprintf(words->out, "\t'%s --%s'", words->verb, option->name);
	if (option->letter)
		fprintf(words->out, " | '%s -%c'", words->verb, option->letter);
	fputs(") ", words->out);
	offer(option->complete, option->choices, words->out);
	fputs(" ;;\n", words->out);
	return true;
}

void options_completion(FILE *out)
{
	fputs("# bash completion of onproc, generated from its option tables\n"
	      "_onproc()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tlocal verb=${COMP_WORDS[1]} words= files= options= IFS=$' \\t\\n'\n\n"
	      /* --name=value is three words for bash */
	      "\tif [ \"$word\" = = ]; then\n\t\tword=\n"
	      "\telif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
	      "\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n\tfi\n"
	      "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W '",
	      out);
	for (size_t i = 0; verbs[i]; i++)
		fprintf(out, "%s ", verbs[i]->name);
	fputs("--help --version' -- \"$word\"))\n\t\treturn\n\tfi\n\tcase $verb in\n", out);
	for (size_t i = 0; verbs[i]; i++) {
		fprintf(out, "\t%s)\n\t\toptions='", verbs[i]->name);
		options_each(verbs[i], option_words, out);
		fputs("'\n\t\t", out);
		offer(verbs[i]->complete, NULL, out);
		fputs("\n\t\t;;\n", out);
	}
	fputs("\tesac\n"
	      "\tcase \"$verb $before\" in\n",
	      out);
	for (size_t i = 0; verbs[i]; i++) {
		struct value_words words = { verbs[i]->name, out };

		options_each(verbs[i], value_words, &words);
	}
	fputs("\t*) [[ $word != -* ]] || words=$options files= ;;\n"
	      "\tesac\n"
	      "\tif [ -n \"$files\" ]; then\n"
	      "\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\tIFS=$'\\n'\n"
	      "\t\tCOMPREPLY=($(compgen \"$files\" -- \"$word\"))\n"
	      "\telse\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
	      "\tfi\n}\n"
	      "complete -F _onproc onproc\n",
	      out);
}
