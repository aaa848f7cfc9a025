// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched.bpf.c - writes down which of the watched threads are on a CPU, at every switch.
 *
 * A thread is watched when it has a binding in its task-local storage: the client (a process, or
 * rather one opening of the sensor) and its slot there. Each client has a map of its own with one
 * state per slot, an element of `clients`. A switch costs one load for a task without any storage;
 * for a watched one the look-up of its binding, two look-ups in arrays and one store.
 *
 * No state is written on behalf of who no longer has the slot: unbinding takes the binding away
 * before the slot can be another thread's; an exit that was not told does the same; and a binding
 * to a client that has ended finds no map, or one of another generation.
 *
 * Bindings are made by an iterator over tasks, so that it is the kernel's own record of the task
 * that is checked (its process, and its number in its own pid namespace) and not a number that may
 * mean another task by now.
 */
#include "sched.h"

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "GPL";

/* Of the kernel's types what is used; the loader puts in the offsets of the running kernel. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct ns_common {
	unsigned int inum;
};
struct pid_namespace {
	struct ns_common ns;
};
struct upid {
	int nr;
	struct pid_namespace *ns;
};
struct pid {
	unsigned int level;
	struct upid numbers[1];
};
struct bpf_local_storage;
struct task_struct {
	unsigned int __state;
	int on_cpu;
	int tgid;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	__u64 start_boottime;
	struct bpf_local_storage *bpf_storage;
};
/* Its name before 5.14. */
struct task_struct___old {
	volatile long state;
};
struct bpf_iter_meta;
struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};
#pragma clang attribute pop

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct sched_binding);
} bindings SEC(".maps");

struct area_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct sched_area));
};

/* The loader sets how many. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct area_map);
} clients SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sched_request);
} request SEC(".maps");

static const __u32 first;

static __always_inline struct sched_area *area_of(const struct sched_binding *binding)
{
	__u32 client = binding->client;
	struct sched_area *area;
	void *map = bpf_map_lookup_elem(&clients, &client);

	if (!map)
		return NULL;
	area = bpf_map_lookup_elem(map, &first);
	return area && area->generation == binding->generation ? area : NULL;
}

static __always_inline void write_state(const struct sched_binding *binding, unsigned char state)
{
	struct sched_area *area = area_of(binding);

	if (area)
		area->state[binding->slot & (SCHED_SLOTS - 1)] = state;
}

static __always_inline void note(struct task_struct *task, unsigned char state)
{
	struct sched_binding *binding;

	/* Most tasks of a machine have no storage: spare them the call. */
	if (!task->bpf_storage)
		return;
	binding = bpf_task_storage_get(&bindings, task, NULL, 0);
	if (binding)
		write_state(binding, state);
}

static __always_inline bool is_runnable(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return !task->__state;
	return !BPF_CORE_READ((struct task_struct___old *)task, state);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	/* Preempted: also who yields or is throttled; it would run if it could. */
	note(prev, preempt || is_runnable(prev) ? SCHED_PREEMPTED : SCHED_SLEEPING);
	note(next, SCHED_RUNNING);
	return 0;
}

/* To compare with: what a program on every switch costs before it does anything. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(on_switch_empty, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return 0;
}

static __always_inline void unbind(struct task_struct *task)
{
	struct sched_binding *binding = bpf_task_storage_get(&bindings, task, NULL, 0);

	if (!binding)
		return;
	write_state(binding, SCHED_UNKNOWN);
	/* Of no client any more, also where the kernel is too busy to delete it. */
	binding->generation = 0;
	bpf_task_storage_delete(&bindings, task);
}

/* Before the last switch of the thread, which then finds no binding. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	if (task->bpf_storage)
		unbind(task);
	return 0;
}

/* The number of the task in its own, innermost, pid namespace, and that namespace. */
static __always_inline unsigned int own_number(struct task_struct *task, unsigned int *inode)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	struct pid_namespace *ns = NULL;
	unsigned int level;
	struct upid *upid;
	int number = 0;

	if (!pid)
		return 0;
	level = BPF_CORE_READ(pid, level);
	upid = (void *)pid + bpf_core_field_offset(pid->numbers) +
	       (unsigned long)level * bpf_core_type_size(struct upid);
	bpf_core_read(&number, sizeof(number), &upid->nr);
	bpf_core_read(&ns, sizeof(ns), &upid->ns);
	if (inode && ns)
		*inode = BPF_CORE_READ(ns, ns.inum);
	return number;
}

static __always_inline bool is_of(struct task_struct *task, const struct sched_identity *identity)
{
	return (unsigned int)task->tgid == identity->process &&
	       BPF_CORE_READ(task, group_leader, start_boottime) == identity->started_ns;
}

/*
 * What does not run is unknown until it has been switched to. One that begins to run between the
 * first look and the binding is looked at again: no switch has told of it. One that is right in its
 * switch then stays unknown until the next.
 */
static __always_inline void bind(struct task_struct *task, struct sched_request *asked)
{
	struct sched_area *area = area_of(&asked->binding);
	struct sched_binding *binding;
	unsigned int slot = asked->binding.slot & (SCHED_SLOTS - 1);

	unbind(task);
	if (!area)
		return;
	area->state[slot] = task->on_cpu ? SCHED_RUNNING : SCHED_UNKNOWN;
	binding = bpf_task_storage_get(&bindings, task, &asked->binding,
				       BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!binding)
		return;
	/* The one before may still be there, of no client. */
	binding->client = asked->binding.client;
	binding->slot = asked->binding.slot;
	binding->generation = asked->binding.generation;
	asked->found++;
	if (task->on_cpu && area->state[slot] == SCHED_UNKNOWN)
		area->state[slot] = SCHED_RUNNING;
}

SEC("iter/task")
int on_task(struct bpf_iter__task *ctx)
{
	struct sched_request *asked = bpf_map_lookup_elem(&request, &first);
	struct task_struct *task = ctx->task;

	if (!asked || !task)
		return 0;
	if (asked->kind == SCHED_IDENTIFY) {
		asked->identity.process = task->tgid;
		asked->identity.started_ns = BPF_CORE_READ(task, group_leader, start_boottime);
		own_number(task, &asked->identity.namespace_inode);
		asked->found++;
	} else if (is_of(task, &asked->identity) && own_number(task, NULL) == asked->thread) {
		if (asked->kind == SCHED_BIND) {
			bind(task, asked);
		} else {
			unbind(task);
			asked->found++;
		}
	}
	return 0;
}
