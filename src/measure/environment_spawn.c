// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_spawn.c - see environment_spawn.h. */
#include "measure/environment_spawn.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_BYTES 1048576u

static int text_room(struct text *text)
{
	char *bytes;

	if (text->room >= OUTPUT_BYTES + 1)
		return 0;
	bytes = realloc(text->bytes, OUTPUT_BYTES + 1);
	if (!bytes)
		return -ENOMEM;
	text->bytes = bytes;
	text->room = OUTPUT_BYTES + 1;
	return 0;
}

static int child_start(const char *const *argv, int output, pid_t *pid)
{
	static const char prefix[] = "PATH=";
	const char *path = getenv("PATH");
	char *path_entry = NULL;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int rc;

	if (asprintf(&path_entry, "%s%s", prefix, path ? path : "/usr/bin:/bin") < 0)
		return -ENOMEM;
	rc = posix_spawn_file_actions_init(&actions);
	if (rc)
		goto out_path;
	rc = posix_spawnattr_init(&attributes);
	if (rc)
		goto out_actions;
	sigemptyset(&none);
	/* A group of its own, so that what it starts is killed with it. */
	rc = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	if (!rc)
		rc = posix_spawnattr_setsigmask(&attributes, &none);
	if (!rc)
		rc = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, output, 1);
	if (!rc)
		rc = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (!rc) {
		char locale[] = "LC_ALL=C";
		char *envp[] = { path_entry, locale, NULL };

		rc = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, envp);
	}
	posix_spawnattr_destroy(&attributes);
out_actions:
	posix_spawn_file_actions_destroy(&actions);
out_path:
	free(path_entry);
	return -rc;
}

/* Reads to the end of the output. -ETIME: the deadline came first. */
static int output_read(int fd, uint64_t deadline_ns, struct text *text)
{
	for (;;) {
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		uint64_t now = clock_raw_ns();
		ssize_t got;

		if (now >= deadline_ns)
			return -ETIME;
		if (poll(&ready, 1, (int)((deadline_ns - now) / NS_PER_MS) + 1) <= 0)
			continue;
		/* What is more than the room is read and dropped, so that the writer ends. */
		if (text->len == OUTPUT_BYTES) {
			char dropped[4096];

			got = read(fd, dropped, sizeof(dropped));
		} else {
			got = read(fd, text->bytes + text->len, OUTPUT_BYTES - text->len);
			if (got > 0)
				text->len += (size_t)got;
		}
		if (got == 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return -errno;
	}
}

/* Status of the child, or -ETIME. */
static int child_wait(pid_t pid, uint64_t deadline_ns, int *status)
{
	for (;;) {
		pid_t ended = waitpid(pid, status, WNOHANG);

		if (ended == pid)
			return 0;
		if (ended < 0 && errno != EINTR)
			return -errno;
		if (clock_raw_ns() >= deadline_ns)
			return -ETIME;
		usleep(1000);
	}
}

static int status_check(int status, struct error *err)
{
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (WIFEXITED(status))
		return error_set(err, -ENOEXEC, "exit status %d", WEXITSTATUS(status));
	return error_set(err, -ENOEXEC, "ended by signal %d", WTERMSIG(status));
}

int spawn_read(const char *const *argv, struct text *text, struct error *err)
{
	uint64_t deadline_ns = clock_raw_ns() + SPAWN_DEADLINE_NS;
	int output[2] = { -1, -1 }, status = 0;
	pid_t pid = 0;
	int rc;

	text->len = 0;
	rc = text_room(text);
	if (rc)
		return error_set(err, rc, "no memory");
	if (pipe2(output, O_CLOEXEC))
		return error_errno(err, -errno, "pipe");
	rc = child_start(argv, output[1], &pid);
	close(output[1]);
	if (rc) {
		close(output[0]);
		return error_errno(err, rc, "cannot be run");
	}
	rc = output_read(output[0], deadline_ns, text);
	close(output[0]);
	text->bytes[text->len] = '\0';
	if (!rc)
		rc = child_wait(pid, deadline_ns, &status);
	if (!rc)
		return status_check(status, err);
	kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (rc == -ETIME)
		return error_set(err, rc, "no end within 2 s");
	return error_errno(err, rc, "cannot be run");
}
