// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.c - see progress.h. */
#include "cmd/progress.h"
#include "base/clock.h"
#include "cmd/options.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PLAIN_EVERY_NS (10 * NS_PER_S)
#define PLAIN_COLUMNS  80

void progress_begin(struct progress *progress, const char *verb)
{
	*progress = (struct progress){ .verb = verb, .is_terminal = isatty(STDERR_FILENO) };
}

/* "unixbench6/pipe@1" as "pipe". */
static void short_name(const char *id, char *name, size_t bytes)
{
	const char *slash = strrchr(id, '/');

	snprintf(name, bytes, "%s", slash ? slash + 1 : id);
	name[strcspn(name, "@")] = '\0';
}

/* A part that does not fit is left out whole. */
static void add_part(char *text, size_t bytes, int columns, const char *part)
{
	size_t used = strlen(text), room = columns >= 0 ? (size_t)columns : bytes - 1;

	if (used + strlen(part) <= room && used + strlen(part) < bytes)
		memcpy(text + used, part, strlen(part) + 1);
}

/* "block 9, look 2 at 12, 4m left; widest +-0.6% pipe; pipe better, syscall ?" */
static void sides_text(const struct bench_progress *now, int columns, char *text, size_t bytes)
{
	char left[24], name[24], look[48] = "", worst[64] = "";

	if (now->look)
		snprintf(look, sizeof(look), ", look %" PRIu32 " at %" PRIu32, now->look,
			 now->look_n);
	if (now->worst_test && isfinite(now->worst_half_width)) {
		short_name(now->worst_test, name, sizeof(name));
		snprintf(worst, sizeof(worst), "; widest +-%.1f%% %s", 100 * now->worst_half_width,
			 name);
	}
	snprintf(text, bytes, "block %" PRIu32 "%s, %s left", now->block, look,
		 duration_text(now->left_ns, left, sizeof(left)));
	add_part(text, bytes, columns, worst);
	/* of many tests as much as there is room for */
	snprintf(text + strlen(text), bytes - strlen(text), "; %s", now->verdicts);
}

static void slots_text(const struct bench_progress *now, int columns, char *text, size_t bytes)
{
	char left[24], test[24] = "", worst[24], part[64];

	snprintf(text, bytes, "%zu/%zu %s, %s left", now->done, now->total,
		 now->total == 1 ? "slot" : "slots",
		 duration_text(now->left_ns, left, sizeof(left)));
	if (now->test) {
		short_name(now->test, test, sizeof(test));
		snprintf(part, sizeof(part), "; %s, %" PRIu32 " %s", test, now->copies,
			 now->copies == 1 ? "copy" : "copies");
		add_part(text, bytes, columns, part);
	}
	if (now->worst_test && isfinite(now->worst_half_width)) {
		short_name(now->worst_test, worst, sizeof(worst));
		snprintf(part, sizeof(part), "; widest +-%.1f%% %s", 100 * now->worst_half_width,
			 worst);
		add_part(text, bytes, columns, part);
	}
}

void progress_text(const struct bench_progress *now, int columns, char *text, size_t bytes)
{
	if (now->verdicts)
		sides_text(now, columns, text, bytes);
	else
		slots_text(now, columns, text, bytes);
	if (columns >= 0 && (size_t)columns < bytes)
		text[columns] = '\0';
}

static int terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return PLAIN_COLUMNS - 1;
	/* the last column free: some terminals break the line when it is filled */
	return size.ws_col - 1;
}

void progress_show(const struct bench_progress *now, void *context)
{
	struct progress *progress = context;
	uint64_t now_ns = clock_raw_ns();
	char text[512];

	if (progress->is_terminal) {
		progress_text(now, terminal_columns(), text, sizeof(text));
		fprintf(stderr, "\r%s\033[K", text);
		fflush(stderr);
		progress->line_is_drawn = true;
		return;
	}
	if (!progress->last_ns)
		progress->last_ns = now_ns;
	if (now_ns - progress->last_ns < PLAIN_EVERY_NS)
		return;
	progress->last_ns = now_ns;
	progress_text(now, PLAIN_COLUMNS - 14, text, sizeof(text));
	verb_note(progress->verb, "%s", text);
}

void progress_end(struct progress *progress)
{
	if (progress->line_is_drawn)
		fputs("\r\033[K", stderr);
	progress->line_is_drawn = false;
}
