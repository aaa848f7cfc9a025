/* SPDX-License-Identifier: MIT */
/*
 * client.h - what a model-checking client uses beside C11 and pthreads.
 *
 * A client is a plain program: main() starts two to four threads that use a lock, joins them and
 * asserts. Compiled with -DONPROC_MACHINE_C11 it is C11 and pthreads alone, for any model checker
 * of C11; with -DONPROC_MACHINE_CHECK the explorer in tests/explorer runs it.
 *
 *  CLIENT(.sensing = true, …)    options for the explorer (tests/explorer/explore.h)
 *  PLAIN(x), PLAIN_SET(x, value) a read and a write of plain data that the lock guards; they are
 *                                not static: gcc takes a static object that a function does not
 *                                store to as unchanged by a call of it, whoever its atomics let go
 *  REACHED("…")                  says that something was reached, for the report
 *  IS_FROZEN(n)                  has thread n (in order of creation, from 1) stopped for ever?
 *  OWNS(bool)                    the calling thread owns the lock from here on, or no longer
 *  PEEK(p)                       the newest value of *p, for .owner only
 */
#ifndef ONPROC_TESTS_MODEL_CLIENT_H
#define ONPROC_TESTS_MODEL_CLIENT_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

#if defined(ONPROC_MACHINE_CHECK)
#	include "explorer/explore.h"

#	define CLIENT(...) const struct explore_options explore_options = { __VA_ARGS__ }
#	define PLAIN(x)                                                                           \
		((__typeof__(x))explore_plain_read(&(x), (unsigned int)sizeof(x), #x, __FILE__,    \
						   __LINE__))
#	define PLAIN_SET(x, value)                                                                \
		explore_plain_write(&(x), (unsigned int)sizeof(x), (uint64_t)(value), #x,          \
				    __FILE__, __LINE__)
#	define REACHED(outcome)  explore_reached(outcome)
#	define IS_FROZEN(thread) explore_is_frozen(thread)
#	define OWNS(owns)	  explore_owns(owns)
#	define PEEK(p)		  explore_peek((p), (unsigned int)sizeof(*(p)))
#	define pthread_create(thread, attributes, function, argument)                             \
		explore_create((thread), (function), (argument))
#	define pthread_join(thread, result) explore_join((thread), (result))
#	undef assert
#	define assert(holds) explore_assert((holds), #	      holds, __FILE__, __LINE__)
#	define main	      client_main
#else
#	define CLIENT(...)	    extern int client_has_no_options
#	define PLAIN(x)	    (x)
#	define PLAIN_SET(x, value) ((x) = (value))
#	define REACHED(outcome)    ((void)0)
#	define IS_FROZEN(thread)   false
#	define OWNS(owns)	    ((void)0)
#endif

#endif
