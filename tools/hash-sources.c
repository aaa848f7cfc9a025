// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hash-sources.c - content hashes of the workloads' sources, made at build time.
 *
 *   hash-sources OUTPUT KEY=FILE...
 *
 * Writes one line `{ "KEY", "SHA-256" },` for each key: the hash of the tokens of its files, in the
 * order given. What does not change what a program does does not change the hash: comments, white
 * space, and the words of a workload about itself (its .title, .help and .note). Any other change
 * of a token does.
 */
#include "base/sha256.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads a file whole and joins its continued lines. Returns 0 or a negative errno. */
static int text_read(const char *path, char **text)
{
	FILE *file = fopen(path, "rb");
	size_t bytes, kept = 0;
	struct stat status;
	int rc = 0;

	*text = NULL;
	if (!file)
		return -errno;
	if (fstat(fileno(file), &status)) {
		rc = -errno;
		goto out;
	}
	*text = malloc((size_t)status.st_size + 1);
	if (!*text) {
		rc = -ENOMEM;
		goto out;
	}
	bytes = fread(*text, 1, (size_t)status.st_size, file);
	if (ferror(file)) {
		rc = -EIO;
		goto out;
	}
	for (size_t i = 0; i < bytes; i++)
		if ((*text)[i] == '\\' && i + 1 < bytes && (*text)[i + 1] == '\n')
			i++;
		else
			(*text)[kept++] = (*text)[i];
	(*text)[kept] = '\0';
out:
	fclose(file);
	return rc;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Bytes of the string or character literal that starts at `at`, its quotes included. */
static size_t literal_bytes(const char *at)
{
	size_t n = 1;

	while (at[n] && at[n] != at[0] && at[n] != '\n')
		n += at[n] == '\\' && at[n + 1] ? 2 : 1;
	return at[n] == at[0] ? n + 1 : n;
}

static size_t number_bytes(const char *at)
{
	size_t n = 1;

	while (is_word(at[n]) || at[n] == '.' ||
	       ((at[n] == '+' || at[n] == '-') && strchr("eEpP", at[n - 1])))
		n++;
	return n;
}

static size_t punctuator_bytes(const char *at)
{
	static const char *const longer[] = { "...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
					      "<=",  ">=",  "==",  "!=", "&&", "||", "*=", "/=",
					      "%=",  "+=",  "-=",  "&=", "^=", "|=", "##" };

	for (size_t i = 0; i < sizeof(longer) / sizeof(longer[0]); i++)
		if (!strncmp(at, longer[i], strlen(longer[i])))
			return strlen(longer[i]);
	return 1;
}

static size_t token_bytes(const char *at)
{
	size_t n = 1;

	if (*at == '"' || *at == '\'')
		return literal_bytes(at);
	if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
		return number_bytes(at);
	if (!is_word(*at))
		return punctuator_bytes(at);
	while (is_word(at[n]))
		n++;
	return n;
}

/* Skips blanks and comments; says whether there were any, and whether a line ended. */
static const char *space_skip(const char *at, bool *space, bool *line_end)
{
	*space = *line_end = false;
	for (;; *space = true) {
		if (at[0] == '/' && at[1] == '*') {
			const char *end = strstr(at + 2, "*/");

			at = end ? end + 2 : at + strlen(at);
		} else if (at[0] == '/' && at[1] == '/') {
			at += strcspn(at, "\n");
		} else if (isspace((unsigned char)*at)) {
			*line_end |= *at == '\n';
			at++;
		} else {
			return at;
		}
	}
}

static bool token_is(const char *at, size_t bytes, const char *token)
{
	return strlen(token) == bytes && !memcmp(at, token, bytes);
}

/* Does `at` start one of the initialisers of words, such as `.title =`? */
static bool words_start(const char *at)
{
	static const char *const fields[] = { "title", "help", "note" };
	bool space, line_end;

	if (*at != '.')
		return false;
	at = space_skip(at + 1, &space, &line_end);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		size_t bytes = strlen(fields[i]);

		if (!strncmp(at, fields[i], bytes) && !is_word(at[bytes])) {
			at = space_skip(at + bytes, &space, &line_end);
			return at[0] == '=' && at[1] != '=';
		}
	}
	return false;
}

/* The end of an initialiser: behind its comma, or at the brace that closes the list. */
static const char *words_skip(const char *at)
{
	bool space, line_end;
	int depth = 0;

	for (; *at; at = space_skip(at, &space, &line_end)) {
		size_t bytes = token_bytes(at);

		if (!depth && *at == '}')
			return at;
		if (!depth && *at == ',')
			return at + 1;
		if (strchr("({[", *at))
			depth++;
		if (strchr(")}]", *at))
			depth--;
		at += bytes;
	}
	return at;
}

/*
 * Adds every token and a newline. In a directive the end of the line is a token as well, and so is
 * the blank behind a macro's name that tells an object from a function.
 */
static void tokens_add(struct sha256 *sha, const char *at)
{
	bool space, line_end, directive = false, at_line_start = true, defining = false;

	for (;;) {
		size_t bytes;

		at = space_skip(at, &space, &line_end);
		if (directive && (line_end || !*at)) {
			sha256_add(sha, "\n", 1);
			directive = defining = false;
		}
		at_line_start |= line_end;
		if (!*at)
			return;
		if (words_start(at)) {
			at = words_skip(at);
			continue;
		}
		bytes = token_bytes(at);
		if (*at == '#' && at_line_start)
			directive = true;
		sha256_add(sha, at, bytes);
		if (defining && is_word(*at)) {
			sha256_add(sha, at[bytes] == '(' ? "(" : " ", 1);
			defining = false;
		}
		sha256_add(sha, "\n", 1);
		if (directive && token_is(at, bytes, "define"))
			defining = true;
		at_line_start = false;
		at += bytes;
	}
}

static int file_add(struct sha256 *sha, const char *path)
{
	char *text;
	int rc;

	rc = text_read(path, &text);
	if (!rc && text)
		tokens_add(sha, text);
	else
		fprintf(stderr, "hash-sources: %s: %s\n", path, strerror(-rc));
	free(text);
	return rc;
}

int main(int argc, char **argv)
{
	FILE *output;
	int rc = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: hash-sources OUTPUT KEY=FILE...\n");
		return 2;
	}
	output = fopen(argv[1], "w");
	if (!output) {
		fprintf(stderr, "hash-sources: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	for (int i = 2; i < argc && !rc;) {
		size_t key_bytes = strcspn(argv[i], "=");
		const char *key = argv[i];
		char hex[SHA256_HEX_BYTES];
		struct sha256 sha;

		sha256_init(&sha);
		for (; i < argc && !rc && !strncmp(argv[i], key, key_bytes + 1); i++) {
			if (argv[i][key_bytes] != '=') {
				fprintf(stderr, "hash-sources: %s is not KEY=FILE\n", argv[i]);
				rc = -EINVAL;
				break;
			}
			rc = file_add(&sha, argv[i] + key_bytes + 1);
		}
		sha256_hex(&sha, hex);
		fprintf(output, "\t{ \"%.*s\", \"%s\" },\n", (int)key_bytes, key, hex);
	}
	if (fclose(output) || rc) {
		fprintf(stderr, "hash-sources: %s is not written\n", argv[1]);
		remove(argv[1]);
		return 1;
	}
	return 0;
}
