// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_glibc.c - the locks of the C library, as the lock tests measure them. */
#include "workload/lock_kinds.h"

#include <errno.h>
#include <pthread.h>

static int mutex_init(void *lock, int type, int protocol)
{
	pthread_mutexattr_t attributes;
	int rc;

	rc = pthread_mutexattr_init(&attributes);
	if (rc)
		return -rc;
	rc = pthread_mutexattr_settype(&attributes, type);
	if (!rc)
		rc = pthread_mutexattr_setprotocol(&attributes, protocol);
	if (!rc)
		rc = pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return -rc;
}

static int default_init(void *lock)
{
	return mutex_init(lock, PTHREAD_MUTEX_DEFAULT, PTHREAD_PRIO_NONE);
}

static int adaptive_init(void *lock)
{
	return mutex_init(lock, PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE);
}

static int pi_init(void *lock)
{
	return mutex_init(lock, PTHREAD_MUTEX_DEFAULT, PTHREAD_PRIO_INHERIT);
}

static void mutex_destroy(void *lock)
{
	pthread_mutex_destroy(lock);
}

static void mutex_lock(void *lock, void *node)
{
	(void)node;
	pthread_mutex_lock(lock);
}

static void mutex_unlock(void *lock, void *node)
{
	(void)node;
	pthread_mutex_unlock(lock);
}

#define MUTEX                                                                                      \
	.bytes = sizeof(pthread_mutex_t), .destroy = mutex_destroy, .lock = mutex_lock,            \
	.unlock = mutex_unlock

const struct lock_kind lock_kind_glibc_mutex = {
	.name = "glibc-mutex",
	.init = default_init,
	MUTEX,
};

const struct lock_kind lock_kind_glibc_adaptive = {
	.name = "glibc-adaptive",
	.init = adaptive_init,
	MUTEX,
};

const struct lock_kind lock_kind_glibc_pi = {
	.name = "glibc-pi",
	.init = pi_init,
	MUTEX,
};

/* The lock is volatile: through its own type, as pthread_spin_lock() wants it. */
static pthread_spinlock_t *spin_of(void *lock)
{
	return lock;
}

static int spin_init(void *lock)
{
	return -pthread_spin_init(spin_of(lock), PTHREAD_PROCESS_PRIVATE);
}

static void spin_destroy(void *lock)
{
	pthread_spin_destroy(spin_of(lock));
}

static void spin_lock(void *lock, void *node)
{
	(void)node;
	pthread_spin_lock(spin_of(lock));
}

static void spin_unlock(void *lock, void *node)
{
	(void)node;
	pthread_spin_unlock(spin_of(lock));
}

const struct lock_kind lock_kind_glibc_spin = {
	.name = "glibc-spin",
	.bytes = sizeof(pthread_spinlock_t),
	.init = spin_init,
	.destroy = spin_destroy,
	.lock = spin_lock,
	.unlock = spin_unlock,
};

static int rwlock_init(void *lock)
{
	return -pthread_rwlock_init(lock, NULL);
}

static void rwlock_destroy(void *lock)
{
	pthread_rwlock_destroy(lock);
}

static void rwlock_lock(void *lock, void *node)
{
	(void)node;
	pthread_rwlock_wrlock(lock);
}

static void rwlock_read_lock(void *lock, void *node)
{
	(void)node;
	pthread_rwlock_rdlock(lock);
}

static void rwlock_unlock(void *lock, void *node)
{
	(void)node;
	pthread_rwlock_unlock(lock);
}

const struct lock_kind lock_kind_glibc_rwlock = {
	.name = "glibc-rwlock",
	.bytes = sizeof(pthread_rwlock_t),
	.init = rwlock_init,
	.destroy = rwlock_destroy,
	.lock = rwlock_lock,
	.unlock = rwlock_unlock,
	.read_lock = rwlock_read_lock,
	.read_unlock = rwlock_unlock,
};
