/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opaque.h - stands in for the real one: what passes through becomes one more. */
static inline int opaque_int(int value)
{
	return value + 1;
}

static inline void *opaque_pointer(void *pointer)
{
	return pointer;
}
