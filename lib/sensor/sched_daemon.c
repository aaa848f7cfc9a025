// SPDX-License-Identifier: MIT
/*
 * sched_daemon.c - a client of the sensor daemon (protocol.h).
 *
 * Whatever the daemon does or fails to do, the worst is that there is no sensor: every wait for it
 * ends after ANSWER_S, and one that was late once is not asked again.
 */
#include "sensor/protocol.h"
#include "sensor/sched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_S 10 /* a machine may be that busy; a daemon that is stopped costs it once */

static int connection = -1;
static struct sockaddr_un address;

static int set_address(struct sensor_why *why)
{
	const char *path = secure_getenv(SENSOR_SOCKET_VARIABLE);

	if (!path || !*path)
		path = SENSOR_SOCKET;
	if (strlen(path) >= sizeof(address.sun_path))
		return sensor_why(why, -ENAMETOOLONG,
				  "the path of the daemon's socket is too long");
	address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memcpy(address.sun_path, path, strlen(path));
	return 0;
}

/* States from somebody else's process could be a file that is cut short under our feet. */
static int check_peer(struct sensor_why *why)
{
	struct ucred peer;
	socklen_t bytes = sizeof(peer);

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes))
		return sensor_why(why, -errno, "who is the daemon? %s", strerror(errno));
	if (peer.uid && peer.uid != geteuid())
		return sensor_why(why, -EPERM, "%s belongs to user %u, neither root nor us",
				  address.sun_path, peer.uid);
	return 0;
}

static int call_daemon(struct sensor_why *why)
{
	const struct timeval limit = { .tv_sec = ANSWER_S };

	connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (connection < 0)
		return sensor_why(why, -errno, "a socket: %s", strerror(errno));
	if (setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) ||
	    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)))
		return sensor_why(why, -errno, "a time limit: %s", strerror(errno));
	if (connect(connection, (struct sockaddr *)&address, sizeof(address)))
		return sensor_why(why, -errno, "no daemon at %.80s: %s", address.sun_path,
				  strerror(errno));
	return check_peer(why);
}

/* The descriptor that came with a message, -1: none. Others are closed. */
static int descriptor_of(struct msghdr *message)
{
	int fd = -1;

	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part;
	     part = CMSG_NXTHDR(message, part)) {
		size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			int got;

			memcpy(&got, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
			if (fd < 0)
				fd = got;
			else
				close(got);
		}
	}
	return fd;
}

/* *map_fd: the descriptor that came along, or -1. 0 or what the daemon said; -ENOTCONN: nothing. */
static int ask(const struct sensor_question *question, int *map_fd)
{
	uint8_t bytes[SENSOR_QUESTION_BYTES];
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control;
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	ssize_t got;
	int answer;

	*map_fd = -1;
	sensor_question_write(question, bytes);
	/* One that was turned away finds the answer though it cannot ask any more. */
	if (send(connection, bytes, SENSOR_QUESTION_BYTES, MSG_NOSIGNAL) != SENSOR_QUESTION_BYTES &&
	    errno != EPIPE)
		return -ENOTCONN;
	got = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
	if (got < 0)
		return -ENOTCONN;
	*map_fd = descriptor_of(&message);
	if (sensor_answer_read(bytes, (size_t)got, &answer))
		return -ENOTCONN;
	return answer;
}

static void daemon_close(void)
{
	if (connection >= 0)
		close(connection);
	connection = -1;
}

static int say_hello(struct sensor_why *why)
{
	const struct sensor_question hello = { .kind = SENSOR_HELLO };
	int map_fd, rc = ask(&hello, &map_fd);

	if (rc == -ENOTCONN)
		return sensor_why(why, rc, "the daemon at %.80s does not answer", address.sun_path);
	if (rc)
		sensor_why(why, rc, "the daemon at %.80s refuses: %s", address.sun_path,
			   rc == -ENOSPC ? "as many clients as it takes" : strerror(-rc));
	else if (map_fd < 0)
		rc = sensor_why(why, -EPROTO, "the daemon sent no states");
	else
		rc = sensor_area_map(map_fd, why);
	if (map_fd >= 0)
		close(map_fd);
	return rc;
}

static int daemon_open(struct sensor_why *why)
{
	int rc = set_address(why);

	if (!rc)
		rc = call_daemon(why);
	if (!rc)
		rc = say_hello(why);
	if (rc)
		daemon_close();
	return rc;
}

/* Any descriptor is let go, for none belongs to this. */
static int tell(enum sensor_question_kind kind, uint32_t slot, pid_t thread)
{
	const struct sensor_question question = { kind, slot, (uint32_t)thread };
	int map_fd, rc = ask(&question, &map_fd);

	if (map_fd >= 0)
		close(map_fd);
	return rc;
}

static int daemon_thread_begins(uint32_t slot, pid_t thread)
{
	return tell(SENSOR_BEGINS, slot, thread);
}

static int daemon_thread_ends(uint32_t slot, pid_t thread)
{
	return tell(SENSOR_ENDS, slot, thread);
}

/* Nothing but answers ever comes, and those are waited for: all else is an end. */
static bool daemon_is_alive(void)
{
	char byte;

	return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

static void daemon_describe(char *text, size_t bytes)
{
	snprintf(text, bytes, "by the daemon at %.100s", address.sun_path);
}

const struct sched_way sched_by_daemon = {
	.open = daemon_open,
	.close = daemon_close,
	.thread_begins = daemon_thread_begins,
	.thread_ends = daemon_thread_ends,
	.is_alive = daemon_is_alive,
	.describe = daemon_describe,
};
