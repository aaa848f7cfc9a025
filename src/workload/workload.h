/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.h - what a test declares about itself.
 *
 * One file holds a test (or a close family of them): its declaration and its loop. The file is
 * compiled twice: into onproc, which reads the declaration and never runs the loop, and with the
 * workload flags into the small program that runs it. Adding a test is adding a file and a line in
 * the table of its program (table.c).
 */
#ifndef ONPROC_WORKLOAD_WORKLOAD_H
#define ONPROC_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct work; /* work.h: a running copy */

enum workload_class {
	CLASS_CPU,
	CLASS_IPC,
	CLASS_EXEC, /* execl, spawn, sysexec */
	CLASS_FILE,
	CLASS_SHELL,
	CLASS_SYSCALL,
	CLASS_LOCK,
};

/* How iterations become a rate. */
enum rate_method {
	RATE_COUNTED,	 /* counts read at both edges of the common window / its length */
	RATE_STAMPED,	 /* counts between the stamps of the last completions before both edges */
	RATE_SELF_TIMED, /* counts / the time the workload itself took (self_ns), at both edges */
	RATE_CARRIED,	 /* the workload keeps count and stamps itself through exec and publishes
			  * carried_* once the window has ended */
	RATE_WHOLE_RUN,	 /* as RATE_SELF_TIMED, and the slot lasts for at least one complete run */
};

/* A reason in words that a user can act on: "dc: not found in PATH; install the package dc". */
struct reason {
	char text[256];
};

struct workload_param {
	const char *name;
	const char *help;
	const char *unit; /* NULL for a plain number or a switch */
	int64_t value;	  /* default */
	int64_t min, max;
	const char *const *choices; /* names of the values 0, 1, …, ended by NULL; NULL: a number */
};

/* What supported() may look at. */
struct workload_request {
	const int64_t *param;
	uint32_t copies;
	const char *dir; /* where files will be made */
};

struct workload {
	const char *id;	   /* "unixbench6/pipe@1": suite, name, version of what an iteration does */
	const char *title; /* "Pipe Throughput": UnixBench's label where there is one */
	const char *help;  /* one line: what one iteration does */
	const char *unit;  /* "lps", "KBps", "MWIPS", "lpm", "msg/s" */
	const char *program;	    /* "ipc": runs in the program onproc-work-ipc */
	const char *file;	    /* "pipe": source file, key of the content hash */
	const char *note;	    /* known limit kept for comparability, printed; or NULL */
	double baseline;	    /* score with index 10; 0: outside any index */
	double units_per_iteration; /* rate in units = iterations per second × this (60: per minute)
				     */
	enum workload_class class;
	enum rate_method rate;
	uint32_t processes;	  /* most processes one copy has at once, itself included */
	int classic_s;		  /* seconds of a pass of UnixBench 6, 0: not one of its tests */
	int classic_passes;	  /* passes of a pass plan of UnixBench 6 (10 or 3) */
	const char *const *tools; /* external programs run, NULL-terminated; NULL: none */
	const struct workload_param *params; /* ended by a NULL name; NULL: none */
	/* Placement for tests of two parties; the harness fills line.cpu[]. */
	enum workload_pair {
		PAIR_FREE = 0,	/* the scheduler decides */
		PAIR_SAME_CPU,	/* both parties on one CPU */
		PAIR_SMT,	/* two hardware threads of one core */
		PAIR_CROSS_CPU, /* two cores, nearest first */
		PAIR_NODE,	/* two NUMA nodes */
	} pair;

	/*
	 * Threads of a copy that count for themselves, in page_counter(), by its parameters; then
	 * the copy has a page_report() too. NULL: it counts in its line.
	 */
	uint32_t (*counters)(const int64_t *param);
	const char *report; /* member of a slot's evidence that the page_report() becomes */

	/* NULL: always. Otherwise 0, or a negative errno with the reason. Runs in onproc. */
	int (*supported)(const struct workload_request *request, struct reason *why);

	/* These run in the workload program. 0 or a negative errno, after work_fail(). */
	int (*setup)(struct work *work); /* before the barrier, not timed */
	int (*loop)(struct work *work);	 /* owns its loop: counts, looks at the stop word */
	int (*verify)(
		const struct work *work);   /* did it do the work? NULL only if loop checks each */
	void (*cleanup)(struct work *work); /* after verify or a failure; NULL: nothing to do */
	/* Only in the bare form, before cleanup: more about the run, on stderr. NULL: nothing. */
	void (*explain)(const struct work *work);
};

/* Every workload of onproc, NULL-terminated, in the order of the default index list first. */
extern const struct workload *const workload_table[];

/* By full id ("unixbench6/pipe@1", "unixbench6/pipe") or by name ("pipe"). NULL: none. */
const struct workload *workload_find(const char *name);

/* "pipe" of "unixbench6/pipe@1", into name. Returns name. */
const char *workload_name(const struct workload *workload, char *name, int bytes);

/* Is name the workload's full id, its id without the version, or its name? */
bool workload_answers_to(const struct workload *workload, const char *name);

/*
 * Content hash: sources of the workload (comments and white space left out, made at build time),
 * its id and its parameter values. hex has room for SHA256_HEX_BYTES.
 */
void workload_hash(const struct workload *workload, const int64_t *param, char *hex);

/* Number of parameters. */
int workload_param_count(const struct workload *workload);

/* Threads of a copy that count for themselves, 0: none. */
uint32_t workload_counters(const struct workload *workload, const int64_t *param);

/*
 * A group or suite name ("index", "fs", "shell", "unixbench5", "dhry" …) as a NULL-terminated list
 * of test names; NULL when there is no such group. The names are those UnixBench users know.
 */
struct workload_group {
	const char *name;
	const char *help;
	const char *const *tests;
	bool is_suite; /* has an index of its own: all its tests with a baseline */
};
extern const struct workload_group workload_groups[]; /* ended by a NULL name */
const struct workload_group *workload_group_find(const char *name);

#endif
