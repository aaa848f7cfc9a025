// SPDX-License-Identifier: GPL-2.0-or-later
/* failed.c - what a verb says on stderr, and the exit code that goes with an error; see options.h.
 */
#include "base/escape.h"
#include "cmd/options.h"

#include <errno.h>
#include <stdarg.h>

static void say(const char *verb, const char *text)
{
	fputs("onproc", stderr);
	if (verb) {
		fputc(' ', stderr);
		escape_print(verb, stderr);
	}
	fputs(": ", stderr);
	escape_print(text, stderr);
	fputc('\n', stderr);
}

enum exit_code verb_failed(const char *verb, const struct error *err)
{
	/* the reader of a pipe who has left has seen enough */
	if (err->code != -EPIPE)
		say(verb, err->text);
	return err->code == -EINTR ? EXIT_INTERRUPTED : EXIT_ENVIRONMENT;
}

enum exit_code usage_failed(const char *verb, const struct error *err)
{
	say(verb, err->text);
	fprintf(stderr, "Try: onproc %s%s--help\n", verb ? verb : "", verb ? " " : "");
	return EXIT_USAGE;
}

void verb_note(const char *verb, const char *format, ...)
{
	char text[ERROR_TEXT_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say(verb, text);
}
