/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - a target is one function over bytes: libFuzzer calls it with -Dfuzz=true, the driver
 * over the corpus in every other build.
 */
#ifndef ONPROC_TESTS_FUZZ_H
#define ONPROC_TESTS_FUZZ_H

#include "store/import_formats.h"
#include "store/record.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Aborts unless the run's document reads back to the same document: whatever a parser accepts can
 * be kept. */
void fuzz_check_run(const struct run *run);

/*
 * The bytes as a file of this format, and as a file whose format is looked for: all runs of it can
 * be kept.
 */
void fuzz_check_import(const uint8_t *bytes, size_t count,
		       int (*read)(const struct import_source *source, struct imported *imported,
				   struct error *err));

#endif
