/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - a whole small file in one reusable buffer, without stdio.
 *
 * For /proc and /sys: their size is not known before they are read, and one buffer that stays is
 * what makes reading a thousand of them cheap.
 */
#ifndef ONPROC_BASE_TEXT_H
#define ONPROC_BASE_TEXT_H

#include <stddef.h>

#define TEXT_MOST_BYTES (16u << 20) /* a larger file is none of ours: -EFBIG */

struct text {
	char *bytes; /* zero-terminated once read; may hold zeros of its own */
	size_t len, room;
};

/*
 * Reads path (relative to the directory descriptor dir, or AT_FDCWD) from its start to its end. A
 * file that holds something else than a regular or kernel-made file (a fifo) does not block. 0 or a
 * negative errno; the earlier content is gone in both cases. text starts zeroed and is freed once.
 */
int text_read(struct text *text, int dir, const char *path);

/* Cuts white space and zeros off the end. Returns the bytes. */
const char *text_trim(struct text *text);

void text_free(struct text *text);

#endif
