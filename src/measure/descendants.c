// SPDX-License-Identifier: GPL-2.0-or-later
/* descendants.c - see descendants.h. */
#include "measure/descendants.h"

#include "base/clock.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIVE_UP_NS (10 * NS_PER_S)

/* State, parent and process group of a process, from /proc/PID/stat; false when it is gone. */
static bool process_read(int proc, const char *pid, char *state, pid_t *parent, pid_t *group)
{
	char path[32], text[512];
	const char *after;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "%.20s/stat", pid);
	fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return false;
	text[got] = 0;
	after = strrchr(text, ')'); /* the name before it may hold anything, ")" included */
	/* NOLINTNEXTLINE(cert-err34-c): numbers of the kernel's own fit */
	return after && sscanf(after + 1, " %c %d %d", state, parent, group) == 3;
}

/* One round. Returns the number of processes that were signalled or wait to be reaped. */
static unsigned int kill_round(pid_t group)
{
	pid_t self = getpid();
	unsigned int found = 0;
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	if (!proc)
		return 0;
	while ((entry = readdir(proc))) {
		pid_t pid, parent, own_group;
		char state;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		pid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (pid == self)
			continue;
		if (!process_read(dirfd(proc), entry->d_name, &state, &parent, &own_group))
			continue;
		if (parent != self && own_group != group)
			continue;
		if (state == 'Z' && parent != self)
			continue; /* its parent, killed too, hands it to us */
		found++;
		if (state != 'Z')
			kill(pid, SIGKILL);
	}
	closedir(proc);
	return found;
}

void descendants_kill(pid_t group)
{
	uint64_t deadline_ns = clock_raw_ns() + GIVE_UP_NS;

	do {
		unsigned int found = kill_round(group);
		pid_t pid;

		while ((pid = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
			;
		if (!found && pid < 0)
			return; /* ECHILD: no child is left either */
		clock_sleep_until(clock_raw_ns() + NS_PER_MS);
	} while (clock_raw_ns() < deadline_ns);
}
