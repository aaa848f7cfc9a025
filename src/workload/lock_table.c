// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_table.c - the functions of each kind of lock, where its library was found. */
#include "workload/lock_kinds.h"

#define BUILT(has, symbol)  BUILT_(has, symbol)
#define BUILT_(has, symbol) BUILT_##has(symbol)
#define BUILT_0(symbol)	    NULL
#define BUILT_1(symbol)	    (&lock_kind_##symbol)

const struct lock_kind *const lock_kinds[LOCK_KIND_COUNT] = {
#define KIND(symbol, name, library, readers, help)                                                 \
	[LOCK_##symbol] = BUILT(LOCK_HAS_##library, symbol),
	LOCK_KINDS
#undef KIND
};
