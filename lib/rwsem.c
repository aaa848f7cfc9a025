// SPDX-License-Identifier: MIT
/*
 * rwsem.c - the rwsem: readers together or one writer, nobody passed by for longer than 16 ms.
 *
 * count     bit 0      WRITER: held exclusively, by a writer or by an unlocking reader for a moment
 *           bit 1      SLEEPERS: the list may not be empty; who unlocks looks
 *           bit 2      RESERVED: a sleeper is due; who has not been invited keeps out
 *           bits 3-31  how many readers hold it
 * owner     slot + 1 of the writer, 0: none; a hint, but exact when the writer itself asks
 * spinners  tail of the optimistic spin queue (osq.c)
 * sleepers  newest of the list of sleepers (sleepers.c)
 *
 * Lock. Readers join readers and anyone takes a free lock, also past sleepers, unless RESERVED is
 * set. Whoever cannot polls, one at a time: while the writer is on a CPU, or for the time that a
 * sleep costs while readers hold it. Then it sleeps in the list, each on its own word, due after
 * 1 ms for each place, at most after 16 ms.
 *
 * Unlock. A writer that finds SLEEPERS set looks through the list before it lets go. So does the
 * last reader, which becomes the exclusive owner for that: the list belongs to whoever is. Looking
 * invites: the oldest sleeper, or, if that is a reader, all readers that are due and as many others
 * as can run, go from PARKED to AWAKE and are woken once the lock is free. While somebody polls for
 * the lock, only those that are due are invited. Nobody is made the owner; an invitation says
 * "try", and nobody else depends on what becomes of it. When the oldest is due, RESERVED keeps
 * others out until it comes. So does a due writer that finds readers, who might overlap for ever;
 * if it gives up, it takes that back.
 *
 * Any other thread may stop anywhere. A sleeper wakes when it is due, whether invited or not, and
 * then takes a free lock in spite of RESERVED: one that was invited and does not come delays others
 * until they are due themselves, and 64 ms later it is passed over. A due sleeper looks again after
 * 16 ms, then every 64 ms.
 *
 * A writer takes itself out of the list when it has the lock. A reader leaves its sleeper as LEFT,
 * for the next exclusive owner to drop; so does one whose time is over.
 *
 * Order                                Pairs with             Without it
 * R1 take, acquire                     R2, R4                 the section reads what is old
 * R2 let go exclusively, release       R1, R3                 as R1; the next owner reads old links
 * R3 the last reader takes over,       R2, R4; R1 of others   it reads old links; a writer writes
 *    acq_rel                                                  under a reader
 * R4 a reader lets go, release         R1, R3                 a writer writes under a reader
 * R5 announce a sleeper, release       R6                     the owner clears SLEEPERS and misses
 *                                                             what was pushed or parked before
 * R6 clear SLEEPERS, acquire           R5
 */
#include "osq.h"
#include "sleepers.h"
#include "times.h"

#include "onproc/rwsem.h"

#define WRITER	 1u
#define SLEEPERS 2u
#define RESERVED 4u
#define READER	 8u
#define READERS	 (~7u)

#define ANONYMOUS (M_NO_SLOT + 1)

#define SPIN_SENSING_NS 100000u	  /* while the writer is on a CPU: four wake-ups */
#define SPIN_BLIND_NS	25000u	  /* a wake-up across CPUs: what a sleep costs at least */
#define PLACE_NS	750000u	  /* due after this for each place in the list … */
#define DUE_NS		12000000u /* … at most after this */
#define LATE_NS		64000000u /* after being due: is passed over */
#define AGAIN_NS	64000000u /* looks again at least this often */
#define BATCH		64	  /* readers that one unlock invites */
#define WALK		256	  /* sleepers that one unlock looks at */

enum kind {
	READS,
	WRITES,
};

/* A lock operation that has to wait. */
struct wait {
	struct onproc_rwsem *rwsem;
	enum kind kind;
	uint32_t self;
	uint32_t number; /* of the sleeper, once listed; else M_NO_SLOT */
	bool invited;	 /* since it slept last */
	uint64_t due_ns;
	uint64_t next_ns; /* when to look again without being woken */
	uint64_t pause_ns;
};

/* Whom to wake when the lock has been let go. */
struct batch {
	uint32_t length;
	uint16_t number[BATCH];
};

static bool prefers_readers(const struct onproc_rwsem *rwsem)
{
	return m_load32(&rwsem->options, memory_order_relaxed) & ONPROC_RWSEM_PREFER_READERS;
}

static bool is_invited(const struct wait *wait)
{
	return wait->number != M_NO_SLOT &&
	       m_load32(&sleeper_of(wait->number)->state, memory_order_relaxed) == SLEEPER_AWAKE;
}

/* May it take a free lock that is reserved? NULL: a try, which does. */
static bool may_take_reserved(const struct wait *wait)
{
	return !wait || is_invited(wait) || (wait->due_ns && m_now() >= wait->due_ns);
}

/* May a reader join readers when the next place is reserved? */
static bool may_join_reserved(const struct onproc_rwsem *rwsem, const struct wait *wait)
{
	return (wait && is_invited(wait)) || prefers_readers(rwsem);
}

static bool take_write(struct onproc_rwsem *rwsem, uint32_t self, const struct wait *wait)
{
	uint32_t count = m_load32(&rwsem->count, memory_order_relaxed);

	do {
		if (count & (WRITER | READERS))
			return false;
		if ((count & RESERVED) && !may_take_reserved(wait))
			return false;
	} while (!m_compare32(&rwsem->count, &count, (count & SLEEPERS) | WRITER,
			      memory_order_acquire, memory_order_relaxed)); /* R1 */
	m_store32(&rwsem->owner, self + 1, memory_order_relaxed);
	return true;
}

/* 1: taken; 0: not; -EAGAIN: no more readers fit. */
static int take_read(struct onproc_rwsem *rwsem, const struct wait *wait)
{
	uint32_t count = m_load32(&rwsem->count, memory_order_relaxed), next;

	do {
		bool joins = (count & READERS) != 0;

		if (count & WRITER)
			return 0;
		if ((count & READERS) == READERS)
			return -EAGAIN;
		if ((count & RESERVED) &&
		    !(joins ? may_join_reserved(rwsem, wait) : may_take_reserved(wait)))
			return 0;
		/* What a free lock was reserved for has come, or was not worth waiting for. */
		next = joins ? count : count & ~RESERVED;
	} while (!m_compare32(&rwsem->count, &count, next + READER, memory_order_acquire,
			      memory_order_relaxed)); /* R1 */
	return 1;
}

static int take(struct wait *wait)
{
	return wait->kind == READS ? take_read(wait->rwsem, wait)
				   : take_write(wait->rwsem, wait->self, wait);
}

/* For the exclusive owner: tells a sleeper to try. */
static void invite(uint32_t number, struct batch *batch)
{
	uint32_t parked = SLEEPER_PARKED;

	if (m_compare32(&sleeper_of(number)->state, &parked, SLEEPER_AWAKE, memory_order_relaxed,
			memory_order_relaxed))
		batch->number[batch->length++] = (uint16_t)number;
}

/* Those that are due, and as many others as can run. */
static void invite_readers(struct onproc_rwsem *rwsem, uint32_t from, uint64_t now_ns,
			   struct batch *batch)
{
	uint32_t number = from, looked, cpus = m_cpus();

	for (looked = 0; looked < WALK && batch->length < BATCH && number != M_NO_SLOT; looked++) {
		struct sleeper *sleeper = sleeper_of(number);

		if (m_load32(&sleeper->kind, memory_order_relaxed) == READS &&
		    (batch->length < cpus ||
		     m_load64(&sleeper->due_ns, memory_order_relaxed) <= now_ns))
			invite(number, batch);
		number = sleepers_newer(&rwsem->sleepers, number);
	}
}

/* The oldest sleeper that has not failed to come when it was invited. */
static uint32_t first_in_line(struct onproc_rwsem *rwsem, uint64_t now_ns)
{
	uint32_t number = sleepers_oldest(&rwsem->sleepers), looked;

	for (looked = 0; looked < WALK && number != M_NO_SLOT; looked++) {
		struct sleeper *sleeper = sleeper_of(number);

		if (m_load32(&sleeper->state, memory_order_relaxed) != SLEEPER_AWAKE ||
		    now_ns < m_load64(&sleeper->due_ns, memory_order_relaxed) + LATE_NS)
			return number;
		number = sleepers_newer(&rwsem->sleepers, number);
	}
	return M_NO_SLOT;
}

/* For the exclusive owner: invites. Returns the flags with which to let go. */
static uint32_t look(struct onproc_rwsem *rwsem, bool stays_reader, struct batch *batch)
{
	uint64_t now_ns = m_now();
	uint32_t first = first_in_line(rwsem, now_ns), kind;
	bool is_due;

	if (first == M_NO_SLOT)
		return m_load16(&rwsem->sleepers, memory_order_relaxed) ? SLEEPERS : 0;
	kind = m_load32(&sleeper_of(first)->kind, memory_order_relaxed);
	is_due = now_ns >= m_load64(&sleeper_of(first)->due_ns, memory_order_relaxed);
	/* Whoever polls takes a free lock sooner than one that has to wake up. */
	if (!is_due && !stays_reader && m_load16(&rwsem->spinners, memory_order_relaxed))
		return SLEEPERS;
	if (kind == READS || stays_reader)
		invite_readers(rwsem, first, now_ns, batch);
	else if (batch->length < BATCH)
		invite(first, batch);
	/* Readers that stay keep a writer out, but not the readers that are invited. */
	return is_due && !(kind == READS && stays_reader) ? SLEEPERS | RESERVED : SLEEPERS;
}

static void wake(const struct batch *batch)
{
	uint32_t n;

	/* It may be someone else's sleeper by now: then that thread looks around for nothing. */
	for (n = 0; n < batch->length; n++) {
		m_count(STAT_WOKE);
		m_unpark(&sleeper_of(batch->number[n])->state, 1);
	}
}

/* The exclusive owner looks through the list and lets go; `held` readers remain: 0 or READER. */
static __attribute__((noinline)) void let_go(struct onproc_rwsem *rwsem, uint32_t held)
{
	struct batch batch = { 0 };
	uint32_t found, flags;

	do {
		m_and32(&rwsem->count, ~SLEEPERS, memory_order_acquire); /* R6 */
		flags = look(rwsem, held != 0, &batch);
		found = WRITER;
	} while (!m_compare32(&rwsem->count, &found, held | flags, memory_order_release,
			      memory_order_relaxed)); /* R2 */
	wake(&batch);
}

/* Has it nothing to hope for, however soon those that hold the lock let go? */
static bool is_kept_out(const struct wait *wait)
{
	return (m_load32(&wait->rwsem->count, memory_order_relaxed) & RESERVED) &&
	       !may_take_reserved(wait);
}

/* Whoever polls does so alone, and only while what it waits for may be near. */
static int poll_for(struct wait *wait)
{
	struct onproc_rwsem *rwsem = wait->rwsem;
	bool sensing = m_sensing();
	struct m_spin spin;
	int got;

	m_spin_begin(&spin, sensing && m_load32(&rwsem->owner, memory_order_relaxed)
				    ? SPIN_SENSING_NS
				    : SPIN_BLIND_NS);
	if (!osq_lock(&rwsem->spinners, wait->self, &spin))
		return 0;
	for (;;) {
		uint32_t owner = m_load32(&rwsem->owner, memory_order_relaxed);

		got = take(wait);
		if (got || is_kept_out(wait))
			break;
		if (sensing && owner && owner != ANONYMOUS && m_preempted(owner - 1)) {
			m_count(STAT_OWNER_OFF);
			break;
		}
		if (m_should_yield(&spin)) {
			m_count(STAT_BUDGET_SPENT);
			break;
		}
		m_pause();
	}
	osq_unlock(&rwsem->spinners, wait->self);
	return got;
}

/* From now on who unlocks knows that the caller is in the list, parked or leaving it. */
static void announce(struct onproc_rwsem *rwsem)
{
	m_or32(&rwsem->count, SLEEPERS, memory_order_release); /* R5 */
}

/* Becomes PARKED, in the list, if a sleeper is left to the thread. */
static void enlist(struct wait *wait)
{
	uint32_t number;

	if (wait->number != M_NO_SLOT) {
		uint32_t *state = &sleeper_of(wait->number)->state;

		/* Only its own thread takes a sleeper back from AWAKE. */
		if (m_load32(state, memory_order_relaxed) == SLEEPER_AWAKE) {
			wait->invited = true;
			m_store32(state, SLEEPER_PARKED, memory_order_relaxed);
		}
		announce(wait->rwsem);
		return;
	}
	if (!wait->due_ns) {
		uint64_t wait_ns =
			(sleepers_count_hint(&wait->rwsem->sleepers) + 1u) * (uint64_t)PLACE_NS;

		wait->due_ns = m_now() + (wait_ns < DUE_NS ? wait_ns : DUE_NS);
		wait->next_ns = wait->due_ns;
		wait->pause_ns = DUE_NS;
	}
	number = wait->self == M_NO_SLOT ? M_NO_SLOT : sleeper_take(wait->self);
	if (number == M_NO_SLOT)
		return;
	wait->number = number;
	sleepers_push(&wait->rwsem->sleepers, number, wait->self, wait->kind, wait->due_ns);
	announce(wait->rwsem);
}

/* A due writer does not let more readers join those that hold the lock. */
static void demand(const struct wait *wait)
{
	uint32_t count = m_load32(&wait->rwsem->count, memory_order_relaxed);

	while ((count & READERS) && (count & SLEEPERS) && !(count & RESERVED)) {
		if (m_compare32(&wait->rwsem->count, &count, count | RESERVED, memory_order_relaxed,
				memory_order_relaxed))
			return;
	}
}

/* Sleeps until it is time to try: invited, due, or its time is over. */
static void sleep_for(struct wait *wait, const struct m_deadline *until)
{
	uint64_t now_ns = m_now(), left_ns = m_left(until), span_ns = 0;
	uint32_t alone = SLEEPER_PARKED, *word = &alone;

	wait->invited = false;
	if (wait->kind == WRITES && now_ns >= wait->due_ns)
		demand(wait);
	if (now_ns >= wait->next_ns) {
		wait->next_ns = now_ns + wait->pause_ns;
		wait->pause_ns *= 2;
		if (wait->pause_ns > AGAIN_NS)
			wait->pause_ns = AGAIN_NS;
	}
	span_ns = wait->next_ns - now_ns;
	if (wait->number != M_NO_SLOT)
		word = &sleeper_of(wait->number)->state;
	else if (span_ns > PLACE_NS)
		span_ns = PLACE_NS; /* nobody will wake it */
	m_count(STAT_PARKED);
	m_park_for(word, SLEEPER_PARKED, span_ns < left_ns ? span_ns : left_ns);
}

/* The caller has the lock and is still listed. */
static void delist(const struct wait *wait)
{
	if (wait->number == M_NO_SLOT)
		return;
	if (wait->kind == READS) {
		sleeper_leave(wait->number);
		return;
	}
	sleepers_remove(&wait->rwsem->sleepers, wait->number);
	m_store32(&sleeper_of(wait->number)->state, SLEEPER_FREE, memory_order_release);
}

/*
 * As announce(), for one that goes: a writer takes back what it has demanded. Another one that is
 * due demands it anew when it wakes.
 */
static uint32_t renounce(const struct wait *wait)
{
	uint32_t count = m_load32(&wait->rwsem->count, memory_order_relaxed), next;

	do {
		next = count | SLEEPERS;
		if (wait->kind == WRITES && (count & READERS))
			next &= ~RESERVED;
	} while (!m_compare32(&wait->rwsem->count, &count, next, memory_order_release,
			      memory_order_relaxed)); /* R5 */
	return next;
}

/* The caller goes without the lock, for which it may have been invited: the next one is. */
static void give_up(const struct wait *wait)
{
	struct onproc_rwsem *rwsem = wait->rwsem;
	uint32_t count;

	m_count(STAT_TIMED_OUT);
	if (wait->number == M_NO_SLOT)
		return;
	sleeper_leave(wait->number);
	count = renounce(wait);
	while (!(count & (WRITER | READERS))) {
		if (m_compare32(&rwsem->count, &count, WRITER | SLEEPERS, memory_order_acquire,
				memory_order_relaxed)) { /* R1 */
			let_go(rwsem, 0);
			return;
		}
	}
}

static __attribute__((noinline)) int lock_slow(struct onproc_rwsem *rwsem, enum kind kind,
					       const struct m_deadline *until)
{
	struct wait wait = { .rwsem = rwsem, .kind = kind, .self = m_self(), .number = M_NO_SLOT };
	int got = take(&wait);

	if (got)
		return got < 0 ? got : 0;
	if ((m_load32(&rwsem->options, memory_order_relaxed) & ONPROC_RWSEM_ERRORCHECK) &&
	    wait.self != M_NO_SLOT &&
	    m_load32(&rwsem->owner, memory_order_relaxed) == wait.self + 1)
		return -EDEADLK;
	m_count(STAT_CONTENDED);
	for (;;) {
		got = wait.self == M_NO_SLOT ? take(&wait) : poll_for(&wait);
		if (got)
			break;
		/* Between the announcement and the sleep one more try: who let go in between did
		 * not know. */
		enlist(&wait);
		got = take(&wait);
		if (got)
			break;
		if (!m_left(until)) {
			give_up(&wait);
			return -ETIMEDOUT;
		}
		sleep_for(&wait, until);
	}
	if (got < 0) {
		give_up(&wait);
		return got;
	}
	if (wait.number == M_NO_SLOT)
		m_count(STAT_SPUN);
	delist(&wait);
	return 0;
}

static int lock_until(struct onproc_rwsem *rwsem, enum kind kind, clockid_t clock,
		      const struct timespec *at)
{
	struct m_deadline until;

	if (!deadline_set(&until, clock, at))
		return -EINVAL;
	return lock_slow(rwsem, kind, &until);
}

/* Is the caller, by an error-checking lock's account, not the writer? */
static bool is_not_writer(const struct onproc_rwsem *rwsem)
{
	uint32_t owner = m_load32(&rwsem->owner, memory_order_relaxed);

	if (!(m_load32(&rwsem->options, memory_order_relaxed) & ONPROC_RWSEM_ERRORCHECK))
		return false;
	if (!(m_load32(&rwsem->count, memory_order_relaxed) & WRITER))
		return true;
	/* Of a thread that had no slot nobody can tell. */
	return owner != ANONYMOUS && owner != m_self() + 1;
}

/* The writer lets go, `held` readers remain. */
static void write_let_go(struct onproc_rwsem *rwsem, uint32_t held)
{
	uint32_t count = WRITER;

	m_store32(&rwsem->owner, 0, memory_order_relaxed);
	if (!m_compare32(&rwsem->count, &count, held, memory_order_release,
			 memory_order_relaxed)) /* R2 */
		let_go(rwsem, held);
}

int onproc_rwsem_init(struct onproc_rwsem *rwsem, unsigned int options)
{
	if (options &
	    ~(ONPROC_RWSEM_ERRORCHECK | ONPROC_RWSEM_SHARED | ONPROC_RWSEM_PREFER_READERS))
		return -EINVAL;
	if (options & ONPROC_RWSEM_SHARED)
		return -ENOTSUP;
	m_store32(&rwsem->count, 0, memory_order_relaxed);
	m_store32(&rwsem->owner, 0, memory_order_relaxed);
	m_store16(&rwsem->spinners, 0, memory_order_relaxed);
	m_store16(&rwsem->sleepers, 0, memory_order_relaxed);
	m_store32(&rwsem->options, options, memory_order_relaxed);
	return 0;
}

int onproc_rwsem_destroy(struct onproc_rwsem *rwsem)
{
	if (!take_write(rwsem, m_self(), NULL))
		return -EBUSY;
	/* Those that have left are still listed, and want to be used again. */
	if (sleepers_oldest(&rwsem->sleepers) != M_NO_SLOT) {
		write_let_go(rwsem, 0);
		return -EBUSY;
	}
	m_store32(&rwsem->owner, 0, memory_order_relaxed);
	m_store32(&rwsem->count, 0, memory_order_relaxed);
	return 0;
}

int onproc_rwsem_read_lock(struct onproc_rwsem *rwsem)
{
	uint32_t count = m_load32(&rwsem->count, memory_order_relaxed);

	while (!(count & (WRITER | RESERVED)) && (count & READERS) != READERS) {
		if (m_compare32(&rwsem->count, &count, count + READER, memory_order_acquire,
				memory_order_relaxed)) /* R1 */
			return 0;
	}
	return lock_slow(rwsem, READS, NULL);
}

int onproc_rwsem_read_trylock(struct onproc_rwsem *rwsem)
{
	int got = take_read(rwsem, NULL);

	return got > 0 ? 0 : got ? got : -EBUSY;
}

int onproc_rwsem_read_timedlock(struct onproc_rwsem *rwsem, clockid_t clock,
				const struct timespec *at)
{
	int rc = onproc_rwsem_read_trylock(rwsem);

	return rc == -EBUSY ? lock_until(rwsem, READS, clock, at) : rc;
}

int onproc_rwsem_read_unlock(struct onproc_rwsem *rwsem)
{
	uint32_t count = m_load32(&rwsem->count, memory_order_relaxed);

	if (!(count & READERS) &&
	    (m_load32(&rwsem->options, memory_order_relaxed) & ONPROC_RWSEM_ERRORCHECK))
		return -EPERM;
	for (;;) {
		if ((count & (READERS | SLEEPERS)) == (READER | SLEEPERS)) {
			if (!m_compare32(&rwsem->count, &count, WRITER | SLEEPERS,
					 memory_order_acq_rel, memory_order_relaxed)) /* R3 */
				continue;
			let_go(rwsem, 0);
			return 0;
		}
		if (m_compare32(&rwsem->count, &count, count - READER, memory_order_release,
				memory_order_relaxed)) /* R4 */
			return 0;
	}
}

int onproc_rwsem_write_lock(struct onproc_rwsem *rwsem)
{
	uint32_t count = 0, me = m_me();

	if (me && m_compare32(&rwsem->count, &count, WRITER, memory_order_acquire,
			      memory_order_relaxed)) { /* R1 */
		m_store32(&rwsem->owner, me, memory_order_relaxed);
		return 0;
	}
	return lock_slow(rwsem, WRITES, NULL);
}

int onproc_rwsem_write_trylock(struct onproc_rwsem *rwsem)
{
	return take_write(rwsem, m_self(), NULL) ? 0 : -EBUSY;
}

int onproc_rwsem_write_timedlock(struct onproc_rwsem *rwsem, clockid_t clock,
				 const struct timespec *at)
{
	int rc = onproc_rwsem_write_trylock(rwsem);

	return rc == -EBUSY ? lock_until(rwsem, WRITES, clock, at) : rc;
}

int onproc_rwsem_write_unlock(struct onproc_rwsem *rwsem)
{
	if (is_not_writer(rwsem))
		return -EPERM;
	write_let_go(rwsem, 0);
	return 0;
}

int onproc_rwsem_downgrade(struct onproc_rwsem *rwsem)
{
	if (is_not_writer(rwsem))
		return -EPERM;
	write_let_go(rwsem, READER);
	return 0;
}

int onproc_rwsem_unlock(struct onproc_rwsem *rwsem)
{
	uint32_t count = m_load32(&rwsem->count, memory_order_relaxed);

	/* While the caller reads, nobody else can be the writer. */
	return (count & READERS) ? onproc_rwsem_read_unlock(rwsem)
				 : onproc_rwsem_write_unlock(rwsem);
}
