/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched.h - what the program in the kernel and its loader share. */
#ifndef ONPROC_BPF_SCHED_H
#define ONPROC_BPF_SCHED_H

#define SCHED_SLOTS 65536

/* The states as in lib/sensor/sensor.h. */
#define SCHED_UNKNOWN	0
#define SCHED_RUNNING	1
#define SCHED_PREEMPTED 2
#define SCHED_SLEEPING	3

/* A client's map has one of these. Clients map the states. */
struct sched_area {
	unsigned char state[SCHED_SLOTS];
	unsigned long long generation; /* of the client that has it */
};

/* What is kept with a task that is watched. */
struct sched_binding {
	unsigned int client;
	unsigned int slot;
	unsigned long long generation; /* a client's number is used again, this is not */
};

enum sched_request_kind {
	SCHED_IDENTIFY, /* which process is it? */
	SCHED_BIND,
	SCHED_UNBIND,
};

/* A process as the kernel knows it, whatever namespace looks at it. */
struct sched_identity {
	unsigned int process;	       /* tgid in the initial namespace */
	unsigned int namespace_inode;  /* of its pid namespace */
	unsigned long long started_ns; /* boot time; tells two processes of one number apart */
};

/* To the iterator over tasks, and back. */
struct sched_request {
	unsigned int kind;
	unsigned int thread; /* in its own pid namespace */
	struct sched_identity identity;
	struct sched_binding binding;
	unsigned int found; /* tasks that matched */
};

#endif
