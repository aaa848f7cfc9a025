// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * daemon.c - serves clients of the sensor, one question at a time.
 *
 * A client is a process: the one that connected, held by a pidfd so that its number cannot come to
 * mean another one. It gets a map of its own, and can have threads of its own watched; whether a
 * thread is its own the kernel's record of the thread tells (bpf/sched.bpf.c). Its connection or
 * its process ending frees all it had: its map a second later, together with those of others that
 * end meanwhile, since that makes all wait. Nothing is kept that a client could make grow.
 */
#include "sensord/daemon.h"

#include "base/clock.h"
#include "base/signals.h"
#include "sensor/protocol.h"
#include "sensor/sched_module.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#	define SO_PEERPIDFD 77 /* Linux 6.5 */
#endif

#define TIDY_AFTER_NS  1000000000ull /* since the first client ended whose map is still there */
#define PER_USER_SHARE 4	     /* a user other than root has at most one in so many */
#define LISTENER       UINT64_MAX
#define IS_PROCESS     1u /* lowest bit of what epoll keeps: which descriptor of the client */

struct client {
	bool used;
	bool has_map;
	int connection;
	int pidfd;
	struct ucred peer;
	uint32_t number; /* of the program's clients, once it has a map */
};

struct daemon {
	const struct daemon_plan *plan;
	const struct sched_module *module;
	struct sched_program *program;
	int listener;
	int epoll;
	struct client *clients;
	uint64_t tidy_at_ns; /* 0: no map of a client that has ended is left */
};

static void client_end(struct daemon *daemon, struct client *client)
{
	if (client->has_map) {
		daemon->module->client_ends(daemon->program, client->number);
		if (!daemon->tidy_at_ns)
			daemon->tidy_at_ns = clock_raw_ns() + TIDY_AFTER_NS;
	}
	close(client->connection);
	close(client->pidfd);
	*client = (struct client){ .used = false };
}

static bool is_alive(int pidfd)
{
	struct pollfd wait = { .fd = pidfd, .events = POLLIN };

	return poll(&wait, 1, 0) == 0;
}

/* 0 or a negative errno: whether it got there is the client's affair, who does not read ends. */
static int answer(const struct client *client, int value, int map_fd)
{
	uint8_t bytes[SENSOR_ANSWER_BYTES];
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	sensor_answer_write(value, bytes);
	if (map_fd >= 0) {
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &map_fd, sizeof(int));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
	}
	return sendmsg(client->connection, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int give_map(struct daemon *daemon, struct client *client)
{
	int map_fd = -1, rc;

	if (client->has_map)
		return -EEXIST;
	rc = daemon->module->client_begins(daemon->program, client->peer.pid, &client->number,
					   &map_fd);
	if (rc)
		return answer(client, rc, -1);
	client->has_map = true;
	/* Alive now, so it was the one that was looked up by its number. */
	rc = is_alive(client->pidfd) ? answer(client, 0, map_fd) : -ESRCH;
	close(map_fd);
	return rc;
}

/* 0, or a negative errno that ends the client. */
static int serve_question(struct daemon *daemon, struct client *client,
			  const struct sensor_question *question)
{
	pid_t thread = (pid_t)question->thread;

	if (question->kind == SENSOR_HELLO)
		return give_map(daemon, client);
	if (!client->has_map)
		return -EBADMSG;
	if (question->kind == SENSOR_BEGINS)
		return answer(client,
			      daemon->module->thread_begins(daemon->program, client->number, thread,
							    question->slot),
			      -1);
	return answer(client, daemon->module->thread_ends(daemon->program, client->number, thread),
		      -1);
}

/* Descriptors that come along are closed by the kernel: there is no place for them. */
static int read_question(const struct client *client, struct sensor_question *question)
{
	uint8_t bytes[SENSOR_QUESTION_BYTES + 1];
	ssize_t got = recv(client->connection, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (got < 0)
		return -errno;
	return got ? sensor_question_read(bytes, (size_t)got, question) : -ECONNRESET;
}

static void client_event(struct daemon *daemon, uint64_t key)
{
	struct client *client = &daemon->clients[key >> 1];
	struct sensor_question question = { .slot = 0 };
	int rc;

	if (!client->used)
		return;
	rc = key & IS_PROCESS ? -ESRCH : read_question(client, &question);
	if (rc == -EAGAIN || rc == -EINTR)
		return;
	if (!rc)
		rc = serve_question(daemon, client, &question);
	if (rc)
		client_end(daemon, client);
}

/*
 * The process that connected. Before 6.5 the kernel gives its number alone, which may be another
 * process's by now: that one is not taken unless it is of the same user.
 */
static int hold_peer(int connection, const struct ucred *peer)
{
	socklen_t bytes = sizeof(int);
	struct stat status;
	char path[32];
	int pidfd;

	if (peer->pid <= 0)
		return -ESRCH; /* of another pid namespace that we do not see into */
	if (!getsockopt(connection, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &bytes))
		return pidfd;
	if (errno != ENOPROTOOPT)
		return -errno;
	pidfd = (int)syscall(SYS_pidfd_open, peer->pid, 0);
	if (pidfd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/%d", (int)peer->pid);
	if (stat(path, &status) || status.st_uid != peer->uid) {
		close(pidfd);
		return -EPERM;
	}
	return pidfd;
}

static uint32_t count_of_user(const struct daemon *daemon, uid_t user)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < daemon->plan->clients; i++)
		count += daemon->clients[i].used && daemon->clients[i].peer.uid == user;
	return count;
}

/* A place for a client of this user; NULL: it has its share, or there is none. */
static struct client *find_place(struct daemon *daemon, uid_t user)
{
	uint32_t most = daemon->plan->clients;

	if (user && count_of_user(daemon, user) >= (most + PER_USER_SHARE - 1) / PER_USER_SHARE)
		return NULL;
	for (uint32_t i = 0; i < most; i++) {
		if (!daemon->clients[i].used)
			return &daemon->clients[i];
	}
	return NULL;
}

static int watch(const struct daemon *daemon, int fd, uint64_t key)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = key };

	return epoll_ctl(daemon->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* An answer is lost when its connection closes with a question unread. */
static void turn_away(const struct client *client, int reason)
{
	char question[SENSOR_QUESTION_BYTES];

	shutdown(client->connection, SHUT_RD);
	while (recv(client->connection, question, sizeof(question), MSG_DONTWAIT) > 0)
		;
	answer(client, reason, -1);
	close(client->connection);
}

static void client_accept(struct daemon *daemon)
{
	struct client made = { .used = true, .pidfd = -1 }, *place;
	socklen_t bytes = sizeof(made.peer);
	uint64_t key;
	int rc;

	made.connection = accept4(daemon->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (made.connection < 0)
		return;
	rc = getsockopt(made.connection, SOL_SOCKET, SO_PEERCRED, &made.peer, &bytes) ? -errno : 0;
	place = rc ? NULL : find_place(daemon, made.peer.uid);
	if (!place)
		rc = -ENOSPC;
	if (!rc)
		made.pidfd = hold_peer(made.connection, &made.peer);
	if (!rc && made.pidfd < 0)
		rc = made.pidfd;
	if (rc) {
		turn_away(&made, rc);
		return;
	}
	*place = made;
	key = (uint64_t)(place - daemon->clients) << 1;
	if (watch(daemon, made.connection, key) || watch(daemon, made.pidfd, key | IS_PROCESS))
		client_end(daemon, place);
}

/* How long an event may be waited for, in ms: until there is something to tidy up; -1: for ever. */
static int patience_ms(const struct daemon *daemon)
{
	uint64_t now = clock_raw_ns();

	if (!daemon->tidy_at_ns)
		return -1;
	return now < daemon->tidy_at_ns ? (int)((daemon->tidy_at_ns - now) / 1000000) + 1 : 0;
}

/* What cannot be freed now is when the place is needed, or with the next that ends. */
static void tidy(struct daemon *daemon)
{
	if (!daemon->tidy_at_ns || clock_raw_ns() < daemon->tidy_at_ns)
		return;
	daemon->tidy_at_ns = 0;
	daemon->module->tidy(daemon->program);
}

/* One event at a time: what it ends has no other event in hand. Ready ones take turns. */
static int loop(struct daemon *daemon, struct error *err)
{
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGHUP);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	while (!signal_stop) {
		struct epoll_event event;
		int count = epoll_pwait(daemon->epoll, &event, 1, patience_ms(daemon), &before);

		if (count < 0 && errno != EINTR)
			return error_errno(err, -errno, "waiting for clients");
		tidy(daemon);
		if (count <= 0)
			continue;
		if (event.data.u64 == LISTENER)
			client_accept(daemon);
		else
			client_event(daemon, event.data.u64);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return 0;
}

int daemon_serve(int listener, const struct daemon_plan *plan, const struct sched_module *module,
		 struct sched_program *program, struct error *err)
{
	struct daemon daemon = {
		.plan = plan, .module = module, .program = program, .listener = listener
	};
	int rc;

	daemon.clients = calloc(plan->clients, sizeof(*daemon.clients));
	daemon.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!daemon.clients || daemon.epoll < 0) {
		rc = error_set(err, -ENOMEM, "no memory for %u clients", plan->clients);
		goto out;
	}
	rc = watch(&daemon, listener, LISTENER);
	rc = rc ? error_errno(err, rc, "watching the socket") : loop(&daemon, err);
	for (uint32_t i = 0; i < plan->clients; i++) {
		if (daemon.clients[i].used)
			client_end(&daemon, &daemon.clients[i]);
	}
out:
	free(daemon.clients);
	if (daemon.epoll >= 0)
		close(daemon.epoll);
	return rc;
}
