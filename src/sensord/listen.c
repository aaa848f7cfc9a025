// SPDX-License-Identifier: GPL-2.0-or-later
/* listen.c - the socket and the limits of the sensor daemon. See daemon.h. */
#include "base/file.h"
#include "sensord/daemon.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG		128
#define OWN_DESCRIPTORS 64 /* besides the two of each client */

/* Does somebody answer there? What nobody does is left over. */
static int clear_place(const struct sockaddr_un *address, struct error *err)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct stat status;
	int rc = 0;

	if (fd < 0)
		return error_errno(err, -errno, "a socket");
	if (!connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		rc = error_set(err, -EADDRINUSE, "%s: a daemon serves there", address->sun_path);
	else if (errno == ECONNREFUSED && !lstat(address->sun_path, &status) &&
		 S_ISSOCK(status.st_mode) && unlink(address->sun_path))
		rc = error_errno(err, -errno, "%s: removing what an earlier daemon left",
				 address->sun_path);
	close(fd);
	return rc;
}

static int bind_private(int fd, const struct sockaddr_un *address)
{
	mode_t mask = umask(0177);
	int rc = bind(fd, (const struct sockaddr *)address, sizeof(*address)) ? -errno : 0;

	umask(mask);
	return rc;
}

int daemon_listen(const struct daemon_plan *plan, struct error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, rc;

	if (strlen(plan->socket) >= sizeof(address.sun_path))
		return error_set(err, -ENAMETOOLONG, "%s: too long for a socket", plan->socket);
	memcpy(address.sun_path, plan->socket, strlen(plan->socket));
	rc = make_parent_directories(plan->socket, 0755, err);
	if (!rc)
		rc = clear_place(&address, err);
	if (rc)
		return rc;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return error_errno(err, -errno, "a socket");
	rc = bind_private(fd, &address);
	/* Nobody can connect before it listens, and then its rights are those asked for. */
	if (!rc && plan->group != (gid_t)-1 && lchown(plan->socket, (uid_t)-1, plan->group))
		rc = -errno;
	if (!rc && chmod(plan->socket, plan->mode))
		rc = -errno;
	if (!rc && listen(fd, BACKLOG))
		rc = -errno;
	if (rc) {
		close(fd);
		return error_errno(err, rc, "%s: the socket of the daemon", plan->socket);
	}
	return fd;
}

int daemon_make_room(const struct daemon_plan *plan, struct error *err)
{
	rlim_t needed = 2 * (rlim_t)plan->clients + OWN_DESCRIPTORS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return error_errno(err, -errno, "the limit of descriptors");
	if (limit.rlim_cur >= needed)
		return 0;
	limit.rlim_cur = needed;
	if (limit.rlim_max < needed)
		limit.rlim_max = needed;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return error_errno(err, -errno, "%u clients need %llu descriptors", plan->clients,
				   (unsigned long long)needed);
	return 0;
}
