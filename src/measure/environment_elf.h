/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment_elf.h - how a program is linked, from the first bytes of its ELF file.
 */
#ifndef ONPROC_MEASURE_ENVIRONMENT_ELF_H
#define ONPROC_MEASURE_ENVIRONMENT_ELF_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct linkage {
	bool is_position_independent;
	bool is_dynamic;       /* has an interpreter */
	char interpreter[128]; /* "/lib64/ld-linux-x86-64.so.2", "" when static */
};

/*
 * bytes: the file or at least its head with the program headers. 64-bit ELF of this machine's byte
 * order; anything else is -EINVAL with what was expected.
 */
int elf_linkage(const void *bytes, size_t len, struct linkage *linkage, struct error *err);

#endif
