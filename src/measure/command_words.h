/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_words.h - a command line as words, for --shell=none: no shell reads it.
 *
 * Spaces, tabs and newlines part words. Within '…' everything stands for itself; within "…" a
 * backslash takes the meaning of a " or a backslash that follows; elsewhere it takes the meaning of
 * any character. Nothing else has a meaning: no variables, patterns, redirections or comments.
 */
#ifndef ONPROC_MEASURE_COMMAND_WORDS_H
#define ONPROC_MEASURE_COMMAND_WORDS_H

#include "base/error.h"

/*
 * A NULL-terminated array of at least one word, in one block to be freed. -EINVAL for a quote that
 * does not end, a backslash at the end, or no word.
 */
int command_words(const char *text, char ***words, struct error *err);

#endif
