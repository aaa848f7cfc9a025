// SPDX-License-Identifier: GPL-2.0-or-later
/* headers.cc - C++ includes every public header, initialises every lock and links every kind. */
#include <onproc/cond.h>
#include <onproc/mutex.h>
#include <onproc/osq.h>
#include <onproc/rwsem.h>
#include <onproc/seqcount.h>
#include <onproc/seqlock.h>
#include <onproc/spinlock.h>

#include <cstdio>

static onproc_cond cond = ONPROC_COND_INITIALIZER;
static onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
static onproc_osq osq = ONPROC_OSQ_INITIALIZER;
static onproc_rwsem rwsem = ONPROC_RWSEM_INITIALIZER;
static onproc_seqcount count = ONPROC_SEQCOUNT_INITIALIZER;
static onproc_seqcount_latch latch = ONPROC_SEQCOUNT_LATCH_INITIALIZER;
static onproc_seqlock seqlock = ONPROC_SEQLOCK_INITIALIZER;
static onproc_spinlock spinlock = ONPROC_SPINLOCK_INITIALIZER;

static bool works()
{
	uint64_t word = 1, copies[2] = { 0, 0 }, copy = 0;
	uint64_t sequence = onproc_seqcount_read_begin(&count);

	onproc_seqcount_latch_write(&latch, copies, &word, 1);
	onproc_seqcount_latch_read(&latch, &copy, copies, 1);
	if (copy != 1 || onproc_seqcount_read_retry(&count, sequence))
		return false;
	if (!onproc_osq_lock(&osq, 1000))
		return false;
	onproc_osq_unlock(&osq);
	return !onproc_mutex_lock(&mutex) && !onproc_cond_signal(&cond) &&
	       !onproc_mutex_unlock(&mutex) && !onproc_rwsem_read_lock(&rwsem) &&
	       !onproc_rwsem_unlock(&rwsem) && !onproc_spinlock_lock(&spinlock) &&
	       !onproc_spinlock_unlock(&spinlock) && !onproc_seqlock_write_lock(&seqlock) &&
	       !onproc_seqlock_write_unlock(&seqlock);
}

int main()
{
	std::printf("1..1\n%s 1 - every header and lock works in C++\n", works() ? "ok" : "not ok");
	return 0;
}
