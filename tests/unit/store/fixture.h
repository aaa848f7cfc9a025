/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixture.h - a run with something in every member, scratch directories, and comparison by
 * document. */
#ifndef ONPROC_TESTS_STORE_FIXTURE_H
#define ONPROC_TESTS_STORE_FIXTURE_H

#include "store/record.h"
#include "store/store.h"

/* Two series (1 and 2 copies), ok, replaced, re-run and failed slots, two modes, a score. */
void fixture_run(struct run *run, const char *id);
/* Appends a slot of this rate to a series of the run. */
struct slot *fixture_slot(struct series *series, double rate);

/* The document as text, to be freed. */
char *fixture_text(const struct run *run);
/* Fails the test where both documents differ. */
void assert_same_run(const struct run *a, const struct run *b);

/* A new directory, to be removed with scratch_remove(). */
void scratch_make(char path[64]);
void scratch_remove(const char *path);
/* "DIRECTORY/name" in a static buffer of four. */
const char *scratch_file(const char *directory, const char *name);

#endif
