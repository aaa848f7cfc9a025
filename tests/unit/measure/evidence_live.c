// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evidence_live.c - disturbances planted on this machine are named.
 *
 * No test waits for a time and hopes: each window is held open until the planted process has, by
 * its own CPU clock, a share that must be seen however busy the machine is.
 */
#include "measure/evidence.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define SHARE_SEEN   0.05	       /* of all CPUs: above the 3 % that mark a slot */
#define CPU_LEAST_NS (100 * NS_PER_MS) /* ten clock ticks */
#define WINDOWS	     20
#define GIVE_UP_NS   (120 * NS_PER_S) /* only for a planted process that does not run at all */

/* Shared with a planted process. */
struct planted {
	volatile pid_t pid;
	volatile uint64_t cpu_ns; /* of it, its threads and the children it waited for */
	volatile bool stop;
	volatile int failed; /* errno of what it could not set up */
};

typedef void (*plant)(struct planted *planted);

static uint64_t time_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

static uint64_t children_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * NS_PER_S +
	       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000;
}

static void cpu_publish(struct planted *planted)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	planted->cpu_ns = time_ns(&used) + children_ns();
}

static void burn_us(unsigned us)
{
	struct timespec start, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (time_ns(&now) - time_ns(&start) < us * 1000ull);
}

static void plant_hog(struct planted *planted)
{
	/* where allowed, so that the wait is short on a busy machine */
	setpriority(PRIO_PROCESS, 0, -10);
	while (!planted->stop) {
		burn_us(1000);
		cpu_publish(planted);
	}
}

/* Never more than half of a CPU: a real-time task must leave room for the test that stops it. */
static void plant_real_time(struct planted *planted)
{
	struct sched_param priority = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &priority)) {
		planted->failed = errno;
		return;
	}
	while (!planted->stop) {
		burn_us(500);
		usleep(500);
		cpu_publish(planted);
	}
}

static void *real_time_thread(void *planted)
{
	plant_real_time(planted);
	return NULL;
}

static void plant_real_time_thread(struct planted *planted)
{
	pthread_t thread;

	planted->failed = pthread_create(&thread, NULL, real_time_thread, planted);
	if (!planted->failed)
		pthread_join(thread, NULL);
}

static void plant_short_lived_children(struct planted *planted)
{
	setpriority(PRIO_PROCESS, 0, -10);
	while (!planted->stop) {
		pid_t child = fork();

		if (child == 0) {
			burn_us(20000); /* much more than the fork */
			_exit(0);
		}
		waitpid(child, NULL, 0);
		cpu_publish(planted);
	}
}

static struct planted *planted_new(void)
{
	struct planted *planted = mmap(NULL, sizeof(*planted), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(planted != MAP_FAILED);
	return planted;
}

/* Forked twice, so that it belongs to somebody else: its parent ends at once. */
static struct planted *plant_foreign(plant run)
{
	struct planted *planted = planted_new();
	pid_t between = fork();

	assert_true(between >= 0);
	if (between == 0) {
		if (fork() == 0) {
			setsid();
			alarm(300); /* outlives no test that was killed */
			prctl(PR_SET_NAME, "onproc planted");
			planted->pid = getpid();
			run(planted);
			_exit(0);
		}
		_exit(0);
	}
	waitpid(between, NULL, 0);
	while (!planted->pid)
		usleep(1000);
	return planted;
}

static void uproot(struct planted *planted)
{
	planted->stop = true;
	kill(planted->pid, SIGKILL);
	munmap(planted, sizeof(*planted));
}

/* Until the planted process has its share of the time since start_ns. */
static void wait_for_share(struct planted *planted, uint64_t start_ns)
{
	uint64_t cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t cpu_start_ns = planted->cpu_ns;

	for (;;) {
		uint64_t wall_ns = clock_raw_ns() - start_ns;
		uint64_t cpu_ns = planted->cpu_ns - cpu_start_ns;

		if (planted->failed)
			return;
		if (cpu_ns >= CPU_LEAST_NS &&
		    (double)cpu_ns >= SHARE_SEEN * (double)(wall_ns * cpus))
			return;
		if (wall_ns > GIVE_UP_NS)
			fail_msg("the planted process got %llu ns of CPU time in 120 s",
				 (unsigned long long)cpu_ns);
		usleep(10000);
	}
}

static const json_t *entry_of(const json_t *evidence, pid_t pid)
{
	const json_t *entries = json_object_get(evidence, "external");

	for (size_t i = 0; i < json_array_size(entries); i++) {
		const json_t *entry = json_array_get(entries, i);

		if (json_integer_value(json_object_get(entry, "pid")) == pid)
			return entry;
	}
	return NULL;
}

/* Evidence of a window in which the planted process had its share. NULL: it could not be set up. */
static json_t *window_beside(struct planted *planted, pid_t own_group)
{
	struct evidence *evidence;
	json_t *object = NULL;
	uint64_t start_ns;

	assert_int_equal(evidence_open("", &evidence, NULL), 0);
	start_ns = clock_raw_ns();
	assert_int_equal(evidence_before(evidence, own_group, NULL), 0);
	wait_for_share(planted, start_ns);
	if (!planted->failed)
		assert_int_equal(evidence_after(evidence, own_group, &object, NULL), 0);
	evidence_close(evidence);
	return object;
}

/* Beside many other processes that end, the time of children cannot be told in every window. */
static json_t *window_of_foreign(struct planted *planted, bool by_children)
{
	json_t *object = window_beside(planted, 0);

	for (int i = 1; i < WINDOWS && by_children &&
			!json_object_get(entry_of(object, planted->pid), "children");
	     i++) {
		json_decref(object);
		object = window_beside(planted, 0);
	}
	return object;
}

static void foreign_is_named(plant run, const char *policy, bool by_children)
{
	struct planted *planted = plant_foreign(run);
	json_t *object = window_of_foreign(planted, by_children);
	const json_t *entry = entry_of(object, planted->pid);
	int failed = planted->failed;
	bool is_external = evidence_is_external(object);
	bool is_named = entry && strcmp(json_string_value(json_object_get(entry, "comm")),
					"onproc planted") == 0;
	bool has_policy =
		entry && strcmp(json_string_value(json_object_get(entry, "policy")), policy) == 0;
	bool has_children = entry && json_object_get(entry, "children");
	double share = json_number_value(json_object_get(object, "foreign"));

	uproot(planted);
	json_decref(object);
	if (failed) {
		print_message("# skipped: %s\n", strerror(failed));
		skip();
	}
	assert_true(is_external);
	assert_true(is_named);
	assert_true(has_policy);
	assert_true(has_children == by_children);
	assert_true(share > EVIDENCE_EXTERNAL_SHARE);
}

static void a_cpu_hog_is_named(void **state)
{
	(void)state;
	foreign_is_named(plant_hog, "other", false);
}

static void a_real_time_task_is_named(void **state)
{
	(void)state;
	foreign_is_named(plant_real_time, "fifo", false);
}

static void a_real_time_thread_of_a_process_is_named(void **state)
{
	(void)state;
	foreign_is_named(plant_real_time_thread, "fifo", false);
}

static void a_parent_of_short_lived_hogs_is_named(void **state)
{
	(void)state;
	foreign_is_named(plant_short_lived_children, "other", true);
}

static struct planted *plant_own(plant run, pid_t *pid)
{
	struct planted *planted = planted_new();

	*pid = fork();
	assert_true(*pid >= 0);
	if (*pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		planted->pid = getpid();
		run(planted);
		_exit(0);
	}
	while (!planted->pid)
		usleep(1000);
	return planted;
}

static void a_child_of_the_caller_is_not_foreign(void **state)
{
	struct planted *planted;
	json_t *object;
	bool is_named;
	pid_t pid;

	(void)state;
	planted = plant_own(plant_hog, &pid);
	object = window_beside(planted, 0);
	is_named = entry_of(object, pid);
	uproot(planted);
	waitpid(pid, NULL, 0);
	json_decref(object);
	assert_false(is_named);
}

static void a_member_of_the_slots_group_is_not_foreign(void **state)
{
	struct planted *planted = plant_foreign(plant_hog);
	json_t *object = window_beside(planted, planted->pid);
	bool is_named = entry_of(object, planted->pid);

	(void)state;
	uproot(planted);
	json_decref(object);
	assert_false(is_named);
}

static bool text_put(const char *dir, const char *file, const char *text)
{
	char path[256];
	bool is_put;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	is_put = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return is_put;
}

static unsigned long throttled_periods(const char *dir)
{
	unsigned long periods = 0;
	char path[256], line[128];
	FILE *in;

	snprintf(path, sizeof(path), "%s/cpu.stat", dir);
	in = fopen(path, "r");
	while (in && fgets(line, sizeof(line), in)) {
		if (strncmp(line, "nr_throttled ", 13) == 0)
			periods = strtoul(line + 13, NULL, 10);
	}
	if (in)
		fclose(in);
	return periods;
}

/* A group in the CPU controller of version 1 with a tenth of a CPU, and an empty one in it. */
static bool quota_make(char *outer, size_t bytes, char *inner, size_t inner_bytes)
{
	snprintf(outer, bytes, "/sys/fs/cgroup/cpu/onproc-test-%d", (int)getpid());
	snprintf(inner, inner_bytes, "%s/inner", outer);
	if (mkdir(outer, 0755))
		return false;
	return text_put(outer, "cpu.cfs_period_us", "20000") &&
	       text_put(outer, "cpu.cfs_quota_us", "2000") && !mkdir(inner, 0755);
}

static bool process_put(const char *dir, pid_t pid)
{
	char number[24];

	snprintf(number, sizeof(number), "%d", (int)pid);
	return text_put(dir, "cgroup.procs", number);
}

/* A dead process leaves its group a little after it was waited for. */
static void quota_remove(const char *outer, const char *inner)
{
	for (int i = 0; i < 1000 && rmdir(inner) && errno == EBUSY; i++)
		usleep(1000);
	for (int i = 0; i < 1000 && rmdir(outer) && errno == EBUSY; i++)
		usleep(1000);
}

static void a_cpu_quota_of_an_ancestor_is_named(void **state)
{
	char outer[128], inner[160];
	struct evidence *evidence;
	struct planted *planted;
	json_t *object = NULL;
	const json_t *entry;
	unsigned long start;
	bool is_throttled = false, names_group = false;
	pid_t pid;

	(void)state;
	if (!quota_make(outer, sizeof(outer), inner, sizeof(inner))) {
		print_message("# skipped: no CPU quota of cgroup version 1 can be set here: %s\n",
			      strerror(errno));
		quota_remove(outer, inner);
		skip();
	}
	planted = plant_own(plant_hog, &pid);
	assert_int_equal(evidence_open("", &evidence, NULL), 0);
	if (process_put(inner, pid)) {
		assert_int_equal(evidence_before(evidence, pid, NULL), 0);
		start = throttled_periods(outer);
		while (throttled_periods(outer) < start + 3)
			usleep(10000);
		assert_int_equal(evidence_after(evidence, pid, &object, NULL), 0);
	}
	uproot(planted);
	waitpid(pid, NULL, 0);
	quota_remove(outer, inner);
	for (size_t i = 0; i < json_array_size(json_object_get(object, "external")); i++) {
		entry = json_array_get(json_object_get(object, "external"), i);
		if (strcmp(json_string_value(json_object_get(entry, "kind")), "throttled") != 0)
			continue;
		is_throttled = json_integer_value(json_object_get(entry, "periods")) >= 3;
		names_group = strcmp(json_string_value(json_object_get(entry, "cgroup")),
				     strrchr(outer, '/')) == 0;
	}
	json_decref(object);
	evidence_close(evidence);
	assert_true(is_throttled);
	assert_true(names_group);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_hog_is_named),
		cmocka_unit_test(a_real_time_task_is_named),
		cmocka_unit_test(a_real_time_thread_of_a_process_is_named),
		cmocka_unit_test(a_parent_of_short_lived_hogs_is_named),
		cmocka_unit_test(a_child_of_the_caller_is_not_foreign),
		cmocka_unit_test(a_member_of_the_slots_group_is_not_foreign),
		cmocka_unit_test(a_cpu_quota_of_an_ancestor_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
