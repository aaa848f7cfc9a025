/* SPDX-License-Identifier: MIT */
/* symbol.h - the name of an address in this process: of a variable, or of a place in the code. */
#ifndef ONPROC_PRELOAD_SYMBOL_H
#define ONPROC_PRELOAD_SYMBOL_H

#include <stddef.h>

/*
 * Writes "object: symbol+0x10", or "object+0x1234" where there is no symbol, and returns 0.
 * -ENOENT: the address is in no loaded object. Allocates nothing; reads the object's file.
 */
int symbol_name(const void *address, char *text, size_t bytes);

#endif
