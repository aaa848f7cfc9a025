/* SPDX-License-Identifier: MIT */
/*
 * sched_module.h - what libonproc-sched.so offers: the program on the scheduler's switches.
 *
 * The library and the daemon load it with dlopen() when they need it, so that neither is linked to
 * libbpf. A load is one program of the machine; each client of it has a map of its own with one
 * state per slot. Not thread-safe: callers take turns. Functions return 0 or a negative errno;
 * `why` (may be NULL) gets the reason in words.
 */
#ifndef ONPROC_LIB_SENSOR_SCHED_MODULE_H
#define ONPROC_LIB_SENSOR_SCHED_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SCHED_MODULE_NAME    "libonproc-sched.so"
#define SCHED_MODULE_SYMBOL  "onproc_sched_module"
#define SCHED_MODULE_VERSION 2u

struct sched_program;

struct sched_why {
	char text[256];
};

/* The programs on a switch, for what they cost. */
enum sched_measured { SCHED_SENSOR, SCHED_EMPTY };

struct sched_module {
	uint32_t version;

	/* Loads and attaches; with_empty: also a program that does nothing, to compare with. Needs
	 * CAP_BPF and CAP_PERFMON, and the kernel's BTF. */
	int (*load)(uint32_t clients, bool with_empty, struct sched_program **program,
		    struct sched_why *why);
	void (*unload)(struct sched_program *program);

	/*
	 * A map for the process (of the caller's pid namespace). *client is its number below
	 * `clients`, *map_fd a descriptor whose map nobody can change by system calls any more.
	 * -ESRCH: no such process; -ENOSPC: as many clients as there may be.
	 */
	int (*client_begins)(struct sched_program *program, pid_t process, uint32_t *client,
			     int *map_fd);
	/* Its number may be another client's from here on, which gets a map of its own. The kernel
	 * keeps its map until tidy(). */
	void (*client_ends)(struct sched_program *program, uint32_t client);
	/* Frees the maps of all that have ended. Waits for all CPUs, some tens of milliseconds. */
	int (*tidy)(struct sched_program *program);

	/*
	 * The thread, by its number in its own pid namespace, is watched as `slot` from here on,
	 * or no longer. -ESRCH: the client's process has no such thread.
	 */
	int (*thread_begins)(struct sched_program *program, uint32_t client, pid_t thread,
			     uint32_t slot);
	int (*thread_ends)(struct sched_program *program, uint32_t client, pid_t thread);

	/* Starts the kernel's accounting of run times until unload, or reads it. */
	int (*measure)(struct sched_program *program, struct sched_why *why);
	int (*measured)(struct sched_program *program, enum sched_measured which, uint64_t *runs,
			uint64_t *run_time_ns);
};

#endif
