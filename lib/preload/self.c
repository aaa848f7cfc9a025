// SPDX-License-Identifier: MIT
/* self.c - see self.h. */
#include "self.h"

__thread uint64_t self_token_of_thread;

uint64_t self_token_first(void)
{
	static uint64_t last;

	self_token_of_thread = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	return self_token_of_thread;
}
