/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ab_note.h - a note beside the database of which side the machine was last switched to:
 * <database>.sides.d/<run>.json, mode 0600, held with flock(2) while its writer lives.
 *
 * It is written before a switch and removed once side A is back, so that after kill -9 the next
 * onproc can say what may still be set.
 */
#ifndef ONPROC_MEASURE_AB_NOTE_H
#define ONPROC_MEASURE_AB_NOTE_H

#include "base/error.h"
#include "measure/ab_sides.h"

#include <stdbool.h>
#include <stddef.h>

struct ab_note;

/* Makes the note of a run, or takes over the one that a killed onproc left of it. */
int ab_note_open(const char *database, const char *run, struct ab_note **note, struct error *err);

/* The machine is about to be switched to side A or B. On the disk when it returns 0. */
int ab_note_write(struct ab_note *note, const struct sides *sides, int side, struct error *err);

const char *ab_note_path(const struct ab_note *note);

/* It was taken over: a side may still be set. */
bool ab_note_was_left(const struct ab_note *note);

/* is_restored: the note is removed; otherwise it stays for the next onproc. NULL is fine. */
void ab_note_close(struct ab_note *note, bool is_restored);

/* What a killed onproc, or one that could not restore, left. Texts are valid during the call. */
struct ab_left {
	const char *run;
	const char *letter;  /* NULL: the note cannot be read */
	const char *name;    /* of the side, NULL: none */
	const char *restore; /* the command that puts the machine back */
	const char *path;    /* of the note */
};

/* "`COMMAND`", or of a long one the beginning and where it stands whole (path NULL: the record). */
void ab_restore_words(const char *restore, const char *path, char *text, size_t bytes);

/* "side B (patched)"; name NULL: it has none. */
void side_words(const char *letter, const char *name, char *text, size_t bytes);

/* Calls each for every note whose writer is gone. */
void ab_notes_left(const char *database, void (*each)(const struct ab_left *left, void *context),
		   void *context);

/* Throws the note of a run away unless its writer lives. True: there was one. */
bool ab_note_forget(const char *database, const char *run);

#endif
