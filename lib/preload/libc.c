// SPDX-License-Identifier: MIT
/*
 * libc.c - see libc.h.
 *
 * The constructor looks the functions up, while there is one thread: dlsym() takes the dynamic
 * linker's lock, which must not be taken for the first time under a lock of the program. Whoever
 * needs them earlier runs before main, and looks them up itself; looking up twice does no harm.
 */
#include "libc.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static struct libc_calls calls;
static int found;

static void *next(const char *name)
{
#if defined(__x86_64__)
	/* Those of before this version take pointers. Asking for one that is not there would
	 * allocate a message. */
	if (!strncmp(name, "pthread_cond_", 13) && strcmp(name, "pthread_cond_clockwait") != 0)
		return dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
	return dlsym(RTLD_NEXT, name);
}

static void find(void **call, const char *name)
{
	void *address = next(name);

	/* A lock that cannot be taken has no other way to say so. */
	if (!address)
		abort();
	__atomic_store_n(call, address, __ATOMIC_RELAXED);
}

const struct libc_calls *libc_calls(void)
{
	if (!__atomic_load_n(&found, __ATOMIC_ACQUIRE)) {
#define CALL(name, arguments) find((void **)&calls.name, "pthread_" #name);
		LIBC_CALLS
#undef CALL
		__atomic_store_n(&found, 1, __ATOMIC_RELEASE);
	}
	return &calls;
}

__attribute__((constructor)) static void find_early(void)
{
	libc_calls();
}
