// SPDX-License-Identifier: GPL-2.0-or-later
/* evidence_snapshot.c - see evidence_snapshot.h. */
#include "measure/evidence_snapshot.h"

#include "base/clock.h"
#include "measure/topology_cpulist.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a file below the root; on failure the part's error names it and 0 or -ENOMEM is returned.
 */
static int part_read(struct sources *sources, const char *path, struct error *part)
{
	int rc;

	*part = (struct error){ 0 };
	if (!sources->proc) {
		*part = sources->proc_error;
		return 0;
	}
	rc = text_read(&sources->text, dirfd(sources->proc), path);
	if (rc)
		error_errno(part, rc, "/proc/%s", path);
	return rc == -ENOMEM ? rc : 0;
}

/* Cpus_allowed_list of /proc/self/status: affinity and cpuset together. */
static void allowed_read(struct sources *sources)
{
	static const char name[] = "Cpus_allowed_list:";
	struct error *err = &sources->allowed_error;
	struct scan scan;

	if (part_read(sources, "self/status", err) || err->code)
		return;
	scan = scan_start(sources->text.bytes, sources->text.len);
	while (!scan_is_end(&scan) && !scan_word_is(&scan, name))
		scan_line(&scan);
	if (scan_is_end(&scan)) {
		scan_expected(&scan, err, "a line \"Cpus_allowed_list:\"");
	} else {
		struct slice list;

		scan_blanks(&scan);
		list = scan_line(&scan);
		cpu_list_parse(list.at, list.len, &sources->allowed, &sources->n_allowed, err);
	}
	if (err->code)
		error_context(err, "/proc/self/status");
}

/* The caller's number as this /proc counts it; processes cannot be told apart by another's numbers.
 */
static void caller_read(struct sources *sources)
{
	char number[24] = "";
	struct scan scan;
	uint64_t caller;
	ssize_t len;

	sources->caller = getpid();
	len = readlinkat(dirfd(sources->proc), "self", number, sizeof(number) - 1);
	if (len <= 0)
		return; /* a tree made for a test: self is a directory */
	scan = scan_start(number, (size_t)len);
	if (!scan_u64(&scan, &caller) || caller != (uint64_t)sources->caller) {
		closedir(sources->proc);
		sources->proc = NULL;
		error_set(&sources->proc_error, -EXDEV,
			  "/proc belongs to another pid namespace than the caller");
	}
}

int sources_open(const char *root, struct sources *sources, struct error *err)
{
	char *path;

	*sources = (struct sources){ 0 };
	sources->tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	sources->root = strdup(root);
	if (!sources->root || asprintf(&path, "%s/proc", root) < 0) {
		sources_close(sources);
		return error_set(err, -ENOMEM, "no memory");
	}
	sources->proc = opendir(path);
	if (sources->proc)
		caller_read(sources);
	else
		error_errno(&sources->proc_error, -errno, "/proc");
	free(path);
	allowed_read(sources);
	return 0;
}

void sources_close(struct sources *sources)
{
	if (sources->proc)
		closedir(sources->proc);
	free(sources->root);
	free(sources->allowed);
	text_free(&sources->text);
	*sources = (struct sources){ 0 };
}

/* One more than the highest allowed CPU; without a list every CPU that may be there. */
static size_t cpu_count(const struct sources *sources)
{
	size_t count = 0;

	if (sources->allowed_error.code)
		return CPU_NUMBERS;
	for (size_t i = 0; i < sources->n_allowed; i++) {
		if ((size_t)sources->allowed[i] >= count)
			count = (size_t)sources->allowed[i] + 1;
	}
	return count;
}

int snapshot_cpus(struct sources *sources, struct snapshot *snapshot)
{
	int rc;

	if (!snapshot->cpu) {
		snapshot->n_cpus = cpu_count(sources);
		snapshot->cpu = calloc(snapshot->n_cpus + 1, sizeof(*snapshot->cpu));
		if (!snapshot->cpu)
			return -ENOMEM;
	}
	rc = part_read(sources, "stat", &snapshot->cpu_error);
	snapshot->cpu_at_ns = clock_raw_ns();
	if (rc || snapshot->cpu_error.code)
		return rc;
	if (cpu_times_parse(sources->text.bytes, sources->text.len, snapshot->cpu, snapshot->n_cpus,
			    &snapshot->cpu_error))
		error_context(&snapshot->cpu_error, "/proc/stat");
	return 0;
}

int snapshot_pressure(struct sources *sources, struct snapshot *snapshot)
{
	int rc = part_read(sources, "pressure/cpu", &snapshot->pressure_error);

	if (rc || snapshot->pressure_error.code)
		return rc;
	if (pressure_parse(sources->text.bytes, sources->text.len, &snapshot->pressure_us,
			   &snapshot->pressure_error))
		error_context(&snapshot->pressure_error, "/proc/pressure/cpu");
	return 0;
}

int snapshot_throttling(struct sources *sources, const struct cgroup *cgroup,
			struct snapshot *snapshot)
{
	struct throttling *level;

	snapshot->throttling_error = (struct error){ 0 };
	level = reallocarray(snapshot->level, cgroup->levels + 1, sizeof(*level));
	if (!level)
		return -ENOMEM;
	snapshot->level = level;
	snapshot->n_levels = cgroup->levels;
	for (size_t i = 0; i < cgroup->levels; i++) {
		struct error *part = &snapshot->throttling_error;
		char *path;
		int rc;

		if (asprintf(&path, "%s/cpu.stat", cgroup->level[i]) < 0)
			return -ENOMEM;
		level[i] = (struct throttling){ 0 };
		rc = text_read(&sources->text, AT_FDCWD, path);
		if (rc == -ENOENT && cgroup->version == 2)
			rc = 0; /* the top of version 2 has none in older kernels */
		else if (rc)
			error_errno(part, rc, "%s", path + strlen(sources->root));
		else if (throttling_parse(sources->text.bytes, sources->text.len, &level[i], part))
			error_context(part, "%s", path + strlen(sources->root));
		free(path);
		if (rc == -ENOMEM)
			return rc;
	}
	return 0;
}

/* "NUMBER/FILE"; false for a directory that is no process. */
static bool process_path(const char *number, const char *file, char *path, size_t bytes)
{
	size_t digits = strspn(number, "0123456789");

	return digits && !number[digits] &&
	       (size_t)snprintf(path, bytes, "%s/%s", number, file) < bytes;
}

static int process_add(struct snapshot *snapshot, struct process **process)
{
	if (snapshot->n_processes == snapshot->room_processes) {
		size_t room = snapshot->room_processes ? snapshot->room_processes * 2 : 256;
		struct process *grown = reallocarray(snapshot->process, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		snapshot->process = grown;
		snapshot->room_processes = room;
	}
	*process = &snapshot->process[snapshot->n_processes];
	**process = (struct process){ 0 };
	return 0;
}

/* 1: read; 0: gone in the meantime, or of somebody who hides it; the process is then not counted.
 */
static int process_read(struct sources *sources, const char *number, struct process *process,
			struct error *part)
{
	struct text *text = &sources->text;
	int dir = dirfd(sources->proc);
	struct error err = { 0 };
	char path[48];
	int rc;

	if (!process_path(number, "stat", path, sizeof(path)))
		return 0;
	rc = text_read(text, dir, path);
	if (rc)
		return rc == -ENOMEM ? rc : 0;
	if (process_stat_parse(text->bytes, text->len, &process->stat, &err)) {
		/* An empty file is what is left of a process that just went. */
		if (!part->code && text->len)
			error_set(part, err.code, "/proc/%s: %.200s", path, err.text);
		return 0;
	}
	process_path(number, "schedstat", path, sizeof(path));
	process->run_is_known = !text_read(text, dir, path) &&
				!run_time_parse(text->bytes, text->len, &process->run_ns, NULL);
	return 1;
}

static int process_order(const void *a, const void *b)
{
	const struct process *first = a, *second = b;

	return (first->stat.pid > second->stat.pid) - (first->stat.pid < second->stat.pid);
}

int snapshot_processes(struct sources *sources, struct snapshot *snapshot)
{
	bool in_order = true;
	struct dirent *entry;

	snapshot->n_processes = 0;
	snapshot->process_error = sources->proc_error;
	snapshot->scan_at_ns = clock_raw_ns();
	if (!sources->proc)
		return 0;
	rewinddir(sources->proc);
	while ((entry = readdir(sources->proc))) {
		struct process *process;
		int rc;

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		rc = process_add(snapshot, &process);
		if (!rc)
			rc = process_read(sources, entry->d_name, process,
					  &snapshot->process_error);
		if (rc < 0)
			return rc;
		if (!rc)
			continue;
		if (snapshot->n_processes && process_order(process - 1, process) >= 0)
			in_order = false;
		snapshot->n_processes++;
	}
	if (!in_order) /* the kernel's order is ascending, a test's tree any */
		qsort(snapshot->process, snapshot->n_processes, sizeof(*snapshot->process),
		      process_order);
	return 0;
}

const struct process *snapshot_find(const struct snapshot *snapshot, pid_t pid)
{
	struct process wanted = { .stat.pid = pid };

	if (!snapshot->n_processes)
		return NULL;
	return bsearch(&wanted, snapshot->process, snapshot->n_processes,
		       sizeof(*snapshot->process), process_order);
}

void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->cpu);
	free(snapshot->process);
	free(snapshot->level);
	*snapshot = (struct snapshot){ 0 };
}

static bool policy_is_real_time(uint64_t policy)
{
	return policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE;
}

uint64_t process_policy(struct sources *sources, const struct process *process)
{
	uint64_t policy = process->stat.policy;
	char path[48];
	struct dirent *entry;
	DIR *tasks;
	int fd;

	if (process->stat.threads < 2 || policy_is_real_time(policy))
		return policy;
	snprintf(path, sizeof(path), "%d/task", (int)process->stat.pid);
	fd = openat(dirfd(sources->proc), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tasks = fd < 0 ? NULL : fdopendir(fd);
	if (!tasks) {
		if (fd >= 0)
			close(fd);
		return policy;
	}
	while ((entry = readdir(tasks))) {
		struct process_stat thread;

		if (process_path(entry->d_name, "stat", path, sizeof(path)) &&
		    !text_read(&sources->text, fd, path) &&
		    !process_stat_parse(sources->text.bytes, sources->text.len, &thread, NULL) &&
		    policy_is_real_time(thread.policy))
			policy = thread.policy;
	}
	closedir(tasks);
	return policy;
}
