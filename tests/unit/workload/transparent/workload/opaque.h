/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opaque.h - stands in for the real one: the compiler sees through it, and removes loops. */
static inline int opaque_int(int value)
{
	return value;
}

static inline void *opaque_pointer(void *pointer)
{
	return pointer;
}
