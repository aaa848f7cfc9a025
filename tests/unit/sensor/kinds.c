// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kinds.c - the table of sensors, those that need no help, trust as locks see it, and fork.
 *
 * Slots here are the test's own: it tells the sensor what the threads of the library would.
 */
#include "sensor/kinds.h"
#include "onproc/sensor.h"
#include "sensor/sensor.h"
#include "sensor/slice.h"
#include "sensor/trust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN 3u

static int begin(void **state)
{
	(void)state;
	setenv("ONPROC_SENSOR_SOCKET", "/nonexistent", 1);
	setenv("ONPROC_SCHED_MODULE", "/nonexistent", 1);
	unsetenv("ONPROC_SENSOR");
	sensor_thread_begins(OWN);
	return 0;
}

static int end(void **state)
{
	(void)state;
	onproc_sensor_close();
	sensor_thread_ends(OWN);
	return 0;
}

static void kinds_have_names_and_help(void **state)
{
	const char *help;
	unsigned int i;

	(void)state;
	for (i = 0; onproc_sensor_kind_name(i, &help); i++)
		assert_true(strlen(help) > 10);
	assert_int_equal(i, 7);
	assert_null(onproc_sensor_kind_name(i + 1, NULL));
}

static void none_is_there_before_any_is_opened(void **state)
{
	char text[100];

	(void)state;
	assert_string_equal(onproc_sensor_kind(), "none");
	assert_null(sensor_states());
	assert_int_equal(onproc_sensor_state(OWN), ONPROC_UNKNOWN);
	assert_int_equal(onproc_sensor_status(text, sizeof(text)), 4);
	assert_string_equal(text, "none");
}

static void the_best_that_works_says_why_it_is_no_better(void **state)
{
	char text[512];

	(void)state;
	assert_int_equal(onproc_sensor_open(NULL), 0);
	assert_string_equal(onproc_sensor_kind(), "none");
	onproc_sensor_status(text, sizeof(text));
	assert_non_null(strstr(text, "none; not sched: no daemon at /nonexistent: No such file"));
}

static void an_unknown_name_is_refused(void **state)
{
	char text[512];

	(void)state;
	assert_int_equal(onproc_sensor_open("nonsense"), -EINVAL);
	setenv("ONPROC_SENSOR", "rubbish", 1);
	assert_int_equal(onproc_sensor_open(NULL), -EINVAL);
	onproc_sensor_status(text, sizeof(text));
	assert_non_null(strstr(text, "\"rubbish\""));
}

static void the_environment_names_one(void **state)
{
	(void)state;
	setenv("ONPROC_SENSOR", "stuck-running", 1);
	assert_int_equal(onproc_sensor_open(NULL), 0);
	assert_string_equal(onproc_sensor_kind(), "stuck-running");
	assert_int_equal(onproc_sensor_open(NULL), -EBUSY);
	assert_int_equal(onproc_sensor_probe("none", (char[8]){ 0 }, 8), -EBUSY);
}

static void a_closed_sensor_leaves_its_states_readable(void **state)
{
	const volatile uint8_t *states;

	(void)state;
	assert_int_equal(onproc_sensor_open("stuck-preempted"), 0);
	states = sensor_states();
	assert_int_equal(sensor_state_of(states, 65533), SENSOR_PREEMPTED);
	onproc_sensor_close();
	assert_null(sensor_states());
	assert_true(sensor_state_of(states, 65533) <= SENSOR_SLEEPING);
}

static void stuck_running_says_running_of_all(void **state)
{
	(void)state;
	assert_int_equal(onproc_sensor_open("stuck-running"), 0);
	for (uint32_t slot = 0; slot < 65534; slot++)
		assert_int_equal(onproc_sensor_state(slot), ONPROC_RUNNING);
	assert_int_equal(onproc_sensor_state(65534), ONPROC_UNKNOWN);
}

/* Every state of three comes about, and changes with beats. */
static void random_says_anything(void **state)
{
	uint32_t seen[4] = { 0 };

	(void)state;
	assert_int_equal(onproc_sensor_open("random"), 0);
	for (int i = 0; i < 1000; i++) {
		sensor_beat();
		seen[onproc_sensor_state(OWN)]++;
	}
	assert_int_equal(seen[ONPROC_UNKNOWN], 0);
	assert_true(seen[ONPROC_RUNNING] && seen[ONPROC_PREEMPTED] && seen[ONPROC_SLEEPING]);
}

/* TRUST_LIMIT / TRUST_PROVEN of them: this thread runs, and the sensor says that it does not. */
static void a_proven_liar_is_no_longer_believed(void **state)
{
	char text[512];
	uint32_t needed = TRUST_LIMIT / TRUST_PROVEN, told = 0;

	(void)state;
	assert_int_equal(onproc_sensor_open("stuck-preempted"), 0);
	while (sensor_states()) {
		sensor_contradicts(1);
		told++;
		assert_true(told <= 2 * needed); /* halved once where a second begins between */
	}
	assert_true(told >= needed);
	assert_string_equal(onproc_sensor_kind(), "stuck-preempted");
	onproc_sensor_status(text, sizeof(text));
	assert_non_null(strstr(text, "not trusted at present"));
	/* and never comes back, for it lies at every look */
	for (int i = 0; i < 100; i++)
		sensor_look();
	assert_null(sensor_states());
}

static void lose_trust(uint8_t *states)
{
	states[OWN] = SENSOR_PREEMPTED;
	while (sensor_states())
		sensor_contradicts(1);
	states[OWN] = SENSOR_RUNNING;
}

static void trust_comes_back_after_right_looks(void **state)
{
	(void)state;
	assert_int_equal(onproc_sensor_open("stuck-running"), 0);
	lose_trust(sensor_area_own());
	for (uint32_t i = 1; i < TRUST_LOOKS; i++)
		sensor_look();
	assert_null(sensor_states());
	sensor_look();
	assert_non_null(sensor_states());
}

static void opening_anew_trusts_anew(void **state)
{
	(void)state;
	assert_int_equal(onproc_sensor_open("stuck-preempted"), 0);
	lose_trust(sensor_area_own());
	onproc_sensor_close();
	assert_int_equal(onproc_sensor_open("stuck-preempted"), 0);
	assert_non_null(sensor_states());
}

/* A state that has become right since is none to blame the sensor for. */
static void being_late_costs_no_trust(void **state)
{
	(void)state;
	assert_int_equal(onproc_sensor_open("stuck-running"), 0);
	for (uint32_t i = 0; i < 4 * TRUST_LIMIT; i++)
		sensor_contradicts(1);
	assert_non_null(sensor_states());
}

struct beater {
	uint32_t slot;
	int go, done, stop;
};

static void *beat_when_told(void *context)
{
	struct beater *beater = context;

	sensor_thread_begins(beater->slot);
	while (!__atomic_load_n(&beater->stop, __ATOMIC_ACQUIRE)) {
		if (!__atomic_load_n(&beater->go, __ATOMIC_ACQUIRE)) {
			sched_yield();
			continue;
		}
		sensor_beat();
		__atomic_store_n(&beater->go, 0, __ATOMIC_RELEASE);
		__atomic_store_n(&beater->done, 1, __ATOMIC_RELEASE);
	}
	sensor_thread_ends(beater->slot);
	return NULL;
}

static void let_beat(struct beater *beater)
{
	__atomic_store_n(&beater->done, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&beater->go, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&beater->done, __ATOMIC_ACQUIRE))
		sched_yield();
}

/*
 * Both on one CPU: whoever beats there is on it and the other one is not. A beat older than 100 ms
 * says nothing, and a busy machine may hold one up for longer: tried until it came in time.
 */
static void a_heartbeat_marks_who_had_the_cpu_before(void **state)
{
	struct beater beater = { .slot = 9 };
	cpu_set_t before, one;
	pthread_t thread;
	int tries = 0;

	(void)state;
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(onproc_sensor_open("heartbeat"), 0);
	assert_int_equal(pthread_create(&thread, NULL, beat_when_told, &beater), 0);
	do {
		sensor_beat();
		assert_int_equal(onproc_sensor_state(OWN), ONPROC_RUNNING);
		let_beat(&beater);
		assert_int_equal(onproc_sensor_state(beater.slot), ONPROC_RUNNING);
	} while (onproc_sensor_state(OWN) != ONPROC_PREEMPTED && ++tries < 1000);
	assert_int_equal(onproc_sensor_state(OWN), ONPROC_PREEMPTED);
	/* a contradiction corrects the mark */
	sensor_contradicts(OWN);
	assert_int_equal(onproc_sensor_state(OWN), ONPROC_RUNNING);
	__atomic_store_n(&beater.stop, 1, __ATOMIC_RELEASE);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(onproc_sensor_state(beater.slot), ONPROC_UNKNOWN);
	sched_setaffinity(0, sizeof(before), &before);
}

static void *begin_and_end(void *context)
{
	sensor_thread_begins(*(uint32_t *)context);
	sensor_thread_ends(*(uint32_t *)context);
	return NULL;
}

/* Exit status of the child: 0 when all was as it should be. */
static int child_of_fork(void)
{
	uint32_t slot = 11;
	pthread_t thread;

	sensor_forked();
	if (sensor_states() || strcmp(onproc_sensor_kind(), "none") != 0)
		return 1;
	/* as the library does for the thread that forked: nothing to wait for yet */
	sensor_thread_begins(OWN);
	if (strcmp(onproc_sensor_kind(), "none") != 0)
		return 2;
	if (pthread_create(&thread, NULL, begin_and_end, &slot) || pthread_join(thread, NULL))
		return 3;
	if (strcmp(onproc_sensor_kind(), "stuck-running") != 0 || !sensor_states())
		return 4;
	return 0;
}

static void a_forked_child_opens_again_with_its_second_thread(void **state)
{
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(onproc_sensor_open("stuck-running"), 0);
	child = fork();
	if (!child)
		_exit(child_of_fork());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_non_null(sensor_states());
}

/* What the kernel would see: a request while in the section, and the CPU given back when granted.
 */
static void a_slice_is_asked_for_only_inside(void **state)
{
	struct slice_control control = { 0, 0 };

	(void)state;
	onproc_slice_begin();
	onproc_slice_end();
	slice_control = &control;
	onproc_slice_begin();
	assert_int_equal(control.request, 1);
	control.granted = 1;
	onproc_slice_end();
	assert_int_equal(control.request, 0);
	slice_control = NULL;
}

static void slices_open_or_say_why_not(void **state)
{
	char text[300] = "";
	int rc = onproc_sensor_probe("rseq-slice", text, sizeof(text));

	(void)state;
	if (rc)
		assert_true(strstr(text, "rseq") || strstr(text, "slice extension"));
	else
		assert_string_equal(text, "");
	/* it never senses */
	if (!onproc_sensor_open("rseq-slice")) {
		assert_null(sensor_states());
		assert_non_null(slice_control);
	} else {
		assert_null(slice_control);
	}
	onproc_slice_begin();
	onproc_slice_end();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(kinds_have_names_and_help),
		TEST(none_is_there_before_any_is_opened),
		TEST(the_best_that_works_says_why_it_is_no_better),
		TEST(an_unknown_name_is_refused),
		TEST(the_environment_names_one),
		TEST(a_closed_sensor_leaves_its_states_readable),
		TEST(stuck_running_says_running_of_all),
		TEST(random_says_anything),
		TEST(a_proven_liar_is_no_longer_believed),
		TEST(trust_comes_back_after_right_looks),
		TEST(opening_anew_trusts_anew),
		TEST(being_late_costs_no_trust),
		TEST(a_heartbeat_marks_who_had_the_cpu_before),
		TEST(a_forked_child_opens_again_with_its_second_thread),
		TEST(a_slice_is_asked_for_only_inside),
		TEST(slices_open_or_say_why_not),
	};

	return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
