// SPDX-License-Identifier: GPL-2.0-or-later
/* command_words.c - see command_words.h. */
#include "measure/command_words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* One word at *at, which moves behind it, unquoted to *to, which moves too. */
static int one_word(const char **at, char **to, struct error *err)
{
	const char *from = *at;
	char quote = 0;

	for (; *from && (quote || !is_blank(*from)); from++) {
		if (quote ? *from == quote : *from == '\'' || *from == '"') {
			quote = quote ? 0 : *from;
			continue;
		}
		if (*from == '\\' &&
		    (!quote || (quote == '"' && (from[1] == '"' || from[1] == '\\')))) {
			from++;
			if (!*from)
				return error_set(err, -EINVAL,
						 "expected a character after the last backslash");
		}
		*(*to)++ = *from;
	}
	if (quote)
		return error_set(err, -EINVAL, "expected a closing %c", quote);
	*(*to)++ = '\0';
	*at = from;
	return 0;
}

int command_words(const char *text, char ***words, struct error *err)
{
	size_t length = strlen(text), most = length / 2 + 2, count = 0;
	/* The pointers, then the text of the words: no longer than what they are made of. */
	char **list = malloc(most * sizeof(*list) + length + 1);
	char *to;
	int rc;

	*words = NULL;
	if (!list)
		return error_set(err, -ENOMEM, "no memory for a command");
	to = (char *)(list + most);
	for (;;) {
		while (is_blank(*text))
			text++;
		if (!*text)
			break;
		list[count++] = to;
		rc = one_word(&text, &to, err);
		if (rc) {
			free(list);
			return rc;
		}
	}
	if (!count) {
		free(list);
		return error_set(err, -EINVAL, "expected a command, found nothing");
	}
	list[count] = NULL;
	*words = list;
	return 0;
}
