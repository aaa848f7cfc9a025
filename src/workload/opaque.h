/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opaque.h - values that the compiler must take as unknown; no instruction is made for it. */
#ifndef ONPROC_WORKLOAD_OPAQUE_H
#define ONPROC_WORKLOAD_OPAQUE_H

static inline int opaque_int(int value)
{
	__asm__ volatile("" : "+r"(value));
	return value;
}

/* The address: through it an object can be read or changed, as far as the compiler knows. */
static inline void *opaque_pointer(void *pointer)
{
	__asm__ volatile("" : "+r"(pointer) : : "memory");
	return pointer;
}

#endif
