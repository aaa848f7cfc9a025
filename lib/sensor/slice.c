// SPDX-License-Identifier: MIT
/*
 * slice.c - the kind rseq-slice: no sensing, but prevention. A thread in a short section asks the
 * kernel to let it finish (onproc_slice_begin()) before its CPU is given to another thread. The
 * locks do not ask by themselves: how long a section is only its author knows.
 *
 * Linux 7.0 brought it, as a byte that the thread sets in its rseq area; 7.1 admits it only for
 * areas that libc registered with at least RSEQ_V2_BYTES, aligned to 64. Nothing is assumed: the
 * kernel's feature size, what libc registered, and prctl(2) are asked, and the first that says no
 * is the reason. It only defers the end of a slice: a thread that sleeps, is throttled or loses its
 * virtual CPU is not helped, so locks keep their time limits.
 */
#include "sensor/slice.h"
#include "onproc/sensor.h"
#include "sensor/kinds.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The headers of 2022 do not have these. */
#ifndef AT_RSEQ_FEATURE_SIZE
#	define AT_RSEQ_FEATURE_SIZE 27
#endif
#ifndef PR_RSEQ_SLICE_EXTENSION
#	define PR_RSEQ_SLICE_EXTENSION	    79
#	define PR_RSEQ_SLICE_EXTENSION_SET 2
#	define PR_RSEQ_SLICE_EXT_ENABLE    1
#endif
#ifndef SYS_rseq_slice_yield
#	define SYS_rseq_slice_yield 471
#endif

#define SLICE_OFFSET  28u
#define RSEQ_V2_BYTES 33u

/* Of libc from 2.35 on. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

__thread __attribute__((tls_model("initial-exec"))) struct slice_control *slice_control;

void onproc_slice_begin(void)
{
	struct slice_control *control = slice_control;

	if (control) {
		__atomic_store_n(&control->request, 1, __ATOMIC_RELAXED);
		__atomic_signal_fence(__ATOMIC_SEQ_CST); /* the kernel looks on this CPU */
	}
}

void onproc_slice_end(void)
{
	struct slice_control *control = slice_control;

	if (control) {
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		__atomic_store_n(&control->request, 0, __ATOMIC_RELAXED);
		/* Used: the CPU goes back early. */
		if (__atomic_load_n(&control->granted, __ATOMIC_RELAXED))
			syscall(SYS_rseq_slice_yield);
	}
}

static int slice_probe(struct sensor_why *why)
{
	unsigned long feature_bytes = getauxval(AT_RSEQ_FEATURE_SIZE);

	if (feature_bytes < RSEQ_V2_BYTES)
		return sensor_why(why, -ENOTSUP,
				  "this kernel has no slice extension: its rseq has %lu bytes, %u "
				  "are needed (Linux 7.1)",
				  feature_bytes, RSEQ_V2_BYTES);
	if (!&__rseq_size || !__rseq_size)
		return sensor_why(why, -ENOTSUP, "libc has not registered rseq");
	if (__rseq_size < RSEQ_V2_BYTES)
		return sensor_why(why, -ENOTSUP, "libc registered %u bytes of rseq, %u are needed",
				  __rseq_size, RSEQ_V2_BYTES);
	return 0;
}

/* For the calling thread: the kernel keeps it per thread. */
static int slice_enable(struct sensor_why *why)
{
	if (prctl(PR_RSEQ_SLICE_EXTENSION, PR_RSEQ_SLICE_EXTENSION_SET, PR_RSEQ_SLICE_EXT_ENABLE, 0,
		  0))
		return sensor_why(why, -errno, "the kernel refuses the slice extension: %s",
				  strerror(errno));
	slice_control = (void *)((char *)__builtin_thread_pointer() + __rseq_offset + SLICE_OFFSET);
	return 0;
}

static int slice_open(struct sensor_why *why)
{
	int rc = slice_probe(why);

	return rc ? rc : slice_enable(why);
}

/* A thread can ask only for itself; those that had begun before go without. */
static int slice_thread_begins(uint32_t slot, pid_t thread)
{
	(void)slot;
	return thread == (pid_t)syscall(SYS_gettid) ? slice_enable(NULL) : -ESRCH;
}

static int slice_thread_ends(uint32_t slot, pid_t thread)
{
	(void)slot;
	(void)thread;
	slice_control = NULL;
	return 0;
}

static void slice_close(void)
{
	slice_control = NULL;
}

const struct sensor_kind sensor_kind_slice = {
	.name = "rseq-slice",
	.help = "asks the kernel to let short sections finish; senses nothing",
	.open = slice_open,
	.close = slice_close,
	.thread_begins = slice_thread_begins,
	.thread_ends = slice_thread_ends,
};
