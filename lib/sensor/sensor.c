// SPDX-License-Identifier: MIT
/*
 * sensor.c - opens, closes and watches over the one sensor of the process.
 *
 * The records (which kind, which threads) are changed under a guard; what locks read is one
 * pointer. It is NULL while there is no sensor, while its kind does not sense, and while it is not
 * trusted (trust.h). The threads of this process are remembered whether a sensor is open or not, so
 * that one that opens later knows them, without asking whoever gives out the slots.
 */
#include "onproc/sensor.h"
#include "machine/machine.h"
#include "sensor/guard.h"
#include "sensor/kinds.h"
#include "sensor/trust.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(M_SLOTS <= SENSOR_SLOTS, "every slot has a state");

static struct sensor {
	struct sensor_guard guard;
	const struct sensor_kind *kind;		  /* NULL: none is open */
	const struct sensor_kind *kind_of_parent; /* to be opened by the next thread that begins */
	struct sensor_trust trust;
	struct sensor_why why_not; /* why it is not a better one, or why it has gone */
	uint32_t slots_used;
} sensor;

const volatile uint8_t *sensor_state_bytes;
void (*sensor_beat_function)(void);

/* The thread of each slot, 0: none. */
static pid_t threads[M_SLOTS];
static __thread __attribute__((tls_model("initial-exec"))) uint32_t own_slot_plus_one;
/* What a kind calls (dlopen() for one) may use a lock for the first time in this thread. */
static __thread __attribute__((tls_model("initial-exec"))) bool inside;

const struct sensor_kind *const sensor_kinds[] = {
	&sensor_kind_sched,	    &sensor_kind_heartbeat,
	&sensor_kind_slice,	    &sensor_kind_none,
	&sensor_kind_stuck_running, &sensor_kind_stuck_preempted,
	&sensor_kind_random,	    NULL,
};

const struct sensor_kind sensor_kind_none = {
	.name = "none",
	.help = "no sensor: waits are limited by time alone",
	.by_default = true,
};

int sensor_why(struct sensor_why *why, int code, const char *format, ...)
{
	va_list args;

	if (!why)
		return code;
	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return code;
}

uint32_t sensor_own_slot_plus_one(void)
{
	return own_slot_plus_one;
}

uint32_t sensor_slots_used(void)
{
	return __atomic_load_n(&sensor.slots_used, __ATOMIC_RELAXED);
}

static void enter(struct sensor_guarded *guarded)
{
	guard_enter(&sensor.guard, guarded);
	inside = true;
}

static void leave(const struct sensor_guarded *guarded)
{
	inside = false;
	guard_leave(&sensor.guard, guarded);
}

/* Shows the locks what they may rely on now. */
static void publish(void)
{
	const struct sensor_kind *kind = sensor.kind;
	const volatile uint8_t *states = NULL;

	if (kind && kind->states && !trust_is_lost(&sensor.trust))
		states = kind->states();
	__atomic_store_n(&sensor_beat_function, kind ? kind->beat : NULL, __ATOMIC_RELEASE);
	__atomic_store_n(&sensor_state_bytes, states, __ATOMIC_RELEASE);
}

static void drop(void (*how)(void))
{
	__atomic_store_n(&sensor.kind, NULL, __ATOMIC_RELAXED);
	publish();
	if (how)
		how();
	sensor_area_unmap();
}

static void lose(const char *reason)
{
	sensor_why(&sensor.why_not, 0, "%s has gone: %s", sensor.kind->name, reason);
	drop(sensor.kind->close);
}

static void tell_begin(uint32_t slot)
{
	const struct sensor_kind *kind = sensor.kind;

	if (kind && kind->thread_begins && kind->thread_begins(slot, threads[slot]) == -ENOTCONN)
		lose("its daemon does not answer");
}

static int open_kind(const struct sensor_kind *kind, struct sensor_why *why)
{
	int rc = kind->open ? kind->open(why) : 0;

	if (rc)
		return rc;
	__atomic_store_n(&sensor.kind, kind, __ATOMIC_RELAXED);
	trust_begin(&sensor.trust);
	for (uint32_t slot = 0; slot < sensor.slots_used; slot++) {
		if (threads[slot])
			tell_begin(slot);
	}
	if (!sensor.kind)
		return sensor_why(why, -ENOTCONN, "%s", sensor.why_not.text);
	publish();
	return 0;
}

static const struct sensor_kind *find(const char *name)
{
	for (size_t i = 0; sensor_kinds[i]; i++) {
		if (!strcmp(sensor_kinds[i]->name, name))
			return sensor_kinds[i];
	}
	return NULL;
}

/* The best that works; the reason why the first one does not is kept. */
static int open_best(void)
{
	struct sensor_why first = { "" };

	for (size_t i = 0; sensor_kinds[i]; i++) {
		const struct sensor_kind *kind = sensor_kinds[i];
		struct sensor_why why = { "" };

		if (!kind->by_default)
			continue;
		if (!open_kind(kind, &why))
			break;
		if (!first.text[0])
			sensor_why(&first, 0, "not %s: %.240s", kind->name, why.text);
	}
	sensor.why_not = first;
	return 0;
}

static int open_named(const char *name)
{
	const struct sensor_kind *kind;
	struct sensor_why why = { "" };
	int rc;

	if (!name || !*name)
		name = secure_getenv("ONPROC_SENSOR");
	if (!name || !*name)
		return open_best();
	sensor.why_not.text[0] = 0;
	kind = find(name);
	if (!kind)
		return sensor_why(&sensor.why_not, -EINVAL, "no sensor of the name \"%.60s\"",
				  name);
	rc = open_kind(kind, &why);
	if (rc)
		sensor_why(&sensor.why_not, 0, "not %s: %.240s", kind->name, why.text);
	return rc;
}

int onproc_sensor_open(const char *kind)
{
	struct sensor_guarded guarded;
	int rc = -EBUSY;

	enter(&guarded);
	sensor.kind_of_parent = NULL;
	if (!sensor.kind)
		rc = open_named(kind);
	leave(&guarded);
	return rc;
}

void onproc_sensor_close(void)
{
	struct sensor_guarded guarded;

	enter(&guarded);
	sensor.kind_of_parent = NULL;
	sensor.why_not.text[0] = 0;
	if (sensor.kind)
		drop(sensor.kind->close);
	leave(&guarded);
}

static void remember(uint32_t slot)
{
	own_slot_plus_one = slot + 1;
	threads[slot] = (pid_t)syscall(SYS_gettid);
	if (slot >= sensor.slots_used)
		__atomic_store_n(&sensor.slots_used, slot + 1, __ATOMIC_RELAXED);
}

void sensor_thread_begins(uint32_t slot)
{
	bool known = own_slot_plus_one == slot + 1;
	const struct sensor_kind *again;
	struct sensor_guarded guarded;

	if (inside) {
		remember(slot);
		return;
	}
	enter(&guarded);
	remember(slot);
	/* not yet for the one that a forked child started with: it waits for nobody */
	again = known ? NULL : sensor.kind_of_parent;
	if (again)
		sensor.kind_of_parent = NULL;
	if (again && open_kind(again, &sensor.why_not) == 0)
		sensor.why_not.text[0] = 0;
	else
		tell_begin(slot);
	leave(&guarded);
}

void sensor_thread_ends(uint32_t slot)
{
	const struct sensor_kind *kind;
	struct sensor_guarded guarded;

	enter(&guarded);
	kind = sensor.kind;
	if (kind && kind->thread_ends && kind->thread_ends(slot, threads[slot]) == -ENOTCONN)
		lose("its daemon does not answer");
	threads[slot] = 0;
	own_slot_plus_one = 0;
	leave(&guarded);
}

/*
 * Only the calling thread is left, and the guard may be held by one that is not. The child's own
 * thread has a new id; the sensor itself comes back when there is somebody to wait for.
 */
void sensor_forked(void)
{
	const struct sensor_kind *kind = sensor.kind;
	uint32_t own = own_slot_plus_one;

	sensor.guard.word = 0;
	for (uint32_t slot = 0; slot < sensor.slots_used; slot++)
		threads[slot] = 0;
	if (own)
		threads[own - 1] = (pid_t)syscall(SYS_gettid);
	sensor.slots_used = own;
	if (!kind)
		return;
	sensor.kind_of_parent = kind;
	drop(kind->forked ? kind->forked : kind->close);
}

static uint64_t second_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec;
}

/* The caller runs: does its own state say so? With no slot there is nothing to be wrong. */
static bool own_state_is_right(const volatile uint8_t *states)
{
	uint32_t own = own_slot_plus_one;

	return !own || sensor_state_of(states, own - 1) < SENSOR_OFF_CPU;
}

static uint32_t weight_of(const volatile uint8_t *states, uint32_t slot)
{
	sensor_beat();
	if (!own_state_is_right(states))
		return TRUST_PROVEN;
	return sensor_state_of(states, slot) >= SENSOR_OFF_CPU;
}

void sensor_contradicts(uint32_t slot)
{
	const struct sensor_kind *kind = __atomic_load_n(&sensor.kind, __ATOMIC_RELAXED);
	const volatile uint8_t *states = sensor_states();
	struct sensor_guarded guarded;
	bool lost;

	if (!states || !kind)
		return;
	lost = trust_lower(&sensor.trust, weight_of(states, slot), second_now());
	if (kind->contradicted)
		kind->contradicted(slot);
	if (!lost || !guard_try(&sensor.guard, &guarded))
		return;
	if (sensor.kind == kind && !trust_is_lost(&sensor.trust)) {
		trust_lose(&sensor.trust);
		publish();
	}
	leave(&guarded);
}

void sensor_look(void)
{
	const struct sensor_kind *kind;
	struct sensor_guarded guarded;

	if (!__atomic_load_n(&sensor.kind, __ATOMIC_RELAXED) || !guard_try(&sensor.guard, &guarded))
		return;
	kind = sensor.kind;
	if (kind && kind->is_alive && !kind->is_alive())
		lose("its daemon has ended");
	else if (kind && trust_is_lost(&sensor.trust) &&
		 trust_look(&sensor.trust, own_state_is_right(kind->states())))
		publish();
	leave(&guarded);
}

const char *onproc_sensor_kind(void)
{
	const struct sensor_kind *kind = __atomic_load_n(&sensor.kind, __ATOMIC_RELAXED);

	return kind ? kind->name : sensor_kind_none.name;
}

int onproc_sensor_status(char *text, size_t bytes)
{
	const struct sensor_kind *kind;
	struct sensor_guarded guarded;
	char by[160] = "";
	int length;

	enter(&guarded);
	kind = sensor.kind ? sensor.kind : &sensor_kind_none;
	if (kind->describe)
		kind->describe(by, sizeof(by));
	length = snprintf(text, bytes, "%s%s%s%s%s%s", kind->name, by[0] ? " " : "", by,
			  trust_is_lost(&sensor.trust) ? ", not trusted at present" : "",
			  sensor.why_not.text[0] ? "; " : "", sensor.why_not.text);
	leave(&guarded);
	return length;
}

const char *onproc_sensor_kind_name(unsigned int number, const char **help)
{
	if (number >= sizeof(sensor_kinds) / sizeof(sensor_kinds[0]) - 1)
		return NULL;
	if (help)
		*help = sensor_kinds[number]->help;
	return sensor_kinds[number]->name;
}

int onproc_sensor_probe(const char *name, char *text, size_t bytes)
{
	const struct sensor_kind *kind = find(name);
	struct sensor_guarded guarded;
	struct sensor_why why = { "" };
	int rc = -EBUSY;

	if (!kind) {
		snprintf(text, bytes, "no such kind");
		return -EINVAL;
	}
	enter(&guarded);
	sensor_why(&why, 0, "a sensor is open");
	if (!sensor.kind) {
		why.text[0] = 0;
		rc = open_kind(kind, &why);
		if (!rc && kind->describe)
			kind->describe(why.text, sizeof(why.text));
		if (!rc)
			drop(kind->close);
	}
	leave(&guarded);
	snprintf(text, bytes, "%s", why.text);
	return rc;
}

enum onproc_state onproc_sensor_state(uint32_t slot)
{
	const volatile uint8_t *states = sensor_states();

	return states && slot < M_SLOTS ? (enum onproc_state)sensor_state_of(states, slot)
					: ONPROC_UNKNOWN;
}

int onproc_sensor_slot(void)
{
	return own_slot_plus_one ? (int)own_slot_plus_one - 1 : -ENOENT;
}
