/* SPDX-License-Identifier: MIT */
/*
 * sensor.h - the sensor: it knows which threads of this process are on a CPU.
 *
 * The locks of this library ask it before they wait for another thread by polling. With none they
 * work as well, with a time limit in its place. One sensor serves the whole process. What each
 * kind can tell, costs and needs: onproc-sensor(1) and docs/sensor.md.
 *
 * All functions may be called from any thread, not from a signal handler.
 */
#ifndef ONPROC_SENSOR_H
#define ONPROC_SENSOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A state is a hint: it may be late, and is never older than the thread's last switch. */
enum onproc_state {
	ONPROC_UNKNOWN = 0,
	ONPROC_RUNNING = 1,   /* on a CPU */
	ONPROC_PREEMPTED = 2, /* would run, but has no CPU */
	ONPROC_SLEEPING = 3,  /* waits for something else than a CPU */
};

/*
 * Opens the sensor of this name ("sched", "heartbeat", "rseq-slice", "none"); NULL or "": the one
 * that the environment variable ONPROC_SENSOR names, and without it the best that works, which may
 * be "none". Threads that already use locks are registered. 0; -EBUSY: one is open; -EINVAL: no
 * such kind; else a negative errno, and onproc_sensor_status() says why.
 */
int onproc_sensor_open(const char *kind);

/* Back to none. Locks may be in use. */
void onproc_sensor_close(void);

/* The name of the kind that is open; "none" with none. */
const char *onproc_sensor_kind(void);

/*
 * Writes one line, without a newline, as snprintf() does: the kind, what it is served by, whether
 * it is trusted, and why no better one was taken. Returns its length.
 */
int onproc_sensor_status(char *text, size_t bytes);

/*
 * Kinds by number, best first; NULL from there on. *help (may be NULL): a phrase of what it is.
 * Those for tests come last and have names with "stuck-" or "random".
 */
const char *onproc_sensor_kind_name(unsigned int number, const char **help);

/*
 * Would this kind open here and now? 0, or a negative errno with the reason in text (as
 * snprintf()). Opens and closes it, so it is -EBUSY while one is open.
 */
int onproc_sensor_probe(const char *kind, char *text, size_t bytes);

/*
 * The state of a thread by its slot, the number that onproc_sensor_slot() gives to the thread
 * itself: -ENOENT when it has used no lock yet.
 */
enum onproc_state onproc_sensor_state(uint32_t slot);
int onproc_sensor_slot(void);

/*
 * Opens a short section in which the kernel is asked not to take the CPU away, with the sensor
 * "rseq-slice"; with all others it does nothing. For a few microseconds between two steps that
 * others wait for, as the holding of a lock: begin before the lock is taken, end after it was given
 * back, no other section in between. The kernel need not grant it, and takes the CPU anyway after
 * some microseconds; a system call in between ends what was granted.
 *
 * A thread asks from its first contended lock on, or from its own onproc_sensor_open() on.
 */
void onproc_slice_begin(void);

/* Ends the section of onproc_slice_begin(), and gives the CPU to who waited for it meanwhile. */
void onproc_slice_end(void);

#ifdef __cplusplus
}
#endif

#endif
