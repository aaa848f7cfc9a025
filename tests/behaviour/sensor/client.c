// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * client.c - sensor-client WHAT: one behaviour of the sensor, seen from a process that uses it.
 *
 * Status 0: as it should be; else the first thing that is not is said on stderr. What has to come
 * about is waited for, at most PATIENCE_S. ONPROC_SENSOR and ONPROC_SENSOR_SOCKET choose.
 */
#include "machine/machine.h"
#include "onproc/mutex.h"
#include "onproc/sensor.h"
#include "sensor/protocol.h"
#include "sensor/sensor.h"

#include <errno.h>
#include <linux/bpf.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_S 100
#define AREA_BYTES 65536

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail(__LINE__, #condition);                                                \
	} while (0)

/* Polls, sleeping in between. */
#define MUST_COME(condition)                                                                       \
	do {                                                                                       \
		time_t end = time(NULL) + PATIENCE_S;                                              \
		while (!(condition)) {                                                             \
			if (time(NULL) > end)                                                      \
				fail(__LINE__, #condition);                                        \
			usleep(1000);                                                              \
		}                                                                                  \
	} while (0)

static __attribute__((noreturn)) void fail(int line, const char *condition)
{
	fprintf(stderr, "line %d: not so: %s (errno %d)\n", line, condition, errno);
	exit(1);
}

static pid_t own_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static void open_sensor(void)
{
	char text[512];

	if (onproc_sensor_open(NULL)) {
		onproc_sensor_status(text, sizeof(text));
		fprintf(stderr, "%s\n", text);
		exit(1);
	}
	MUST(!strcmp(onproc_sensor_kind(), "sched"));
}

/* A connection without the library. */
static int raw_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *path = getenv(SENSOR_SOCKET_VARIABLE);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	MUST(path && strlen(path) < sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path));
	MUST(!connect(fd, (struct sockaddr *)&address, sizeof(address)));
	return fd;
}

/* The answer; -ECONNRESET: the connection ended instead. */
static int raw_ask(int fd, const struct sensor_question *question, int *map_fd)
{
	uint8_t bytes[SENSOR_QUESTION_BYTES];
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	int answer;
	ssize_t got;

	sensor_question_write(question, bytes);
	(void)!send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL);
	got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
	if (got <= 0)
		return -ECONNRESET;
	if (map_fd && CMSG_FIRSTHDR(&message))
		memcpy(map_fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
	MUST(!sensor_answer_read(bytes, (size_t)got, &answer));
	return answer;
}

static int raw_hello(int fd, int *map_fd)
{
	return raw_ask(fd, &(struct sensor_question){ .kind = SENSOR_HELLO }, map_fd);
}

static int raw_begin(int fd, uint32_t slot, pid_t thread)
{
	return raw_ask(fd, &(struct sensor_question){ SENSOR_BEGINS, slot, (uint32_t)thread },
		       NULL);
}

static int raw_end(int fd, uint32_t slot, pid_t thread)
{
	return raw_ask(fd, &(struct sensor_question){ SENSOR_ENDS, slot, (uint32_t)thread }, NULL);
}

static const volatile uint8_t *map_states(int map_fd)
{
	void *states = mmap(NULL, AREA_BYTES, PROT_READ, MAP_SHARED, map_fd, 0);

	MUST(states != MAP_FAILED);
	return states;
}

static void pin(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	MUST(!sched_setaffinity(0, sizeof(one), &one));
}

struct other {
	uint32_t slot;
	int cpu;
	int ready, stop;
	int pipe[2];
};

static void *spin(void *context)
{
	struct other *other = context;

	pin(other->cpu);
	other->slot = m_self();
	__atomic_store_n(&other->ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&other->stop, __ATOMIC_RELAXED))
		;
	return NULL;
}

static void *block(void *context)
{
	struct other *other = context;
	char byte;

	other->slot = m_self();
	__atomic_store_n(&other->ready, 1, __ATOMIC_RELEASE);
	MUST(read(other->pipe[0], &byte, 1) == 1);
	return NULL;
}

/*
 * Is it running, as it should be, after a sleep? Not every time: some kernels do not report every
 * switch (docs/sensor.md), and then a state stays until the thread's next one.
 */
static bool own_state_is_right(void)
{
	uint32_t self = m_self();

	usleep(100);
	return onproc_sensor_state(self) == ONPROC_RUNNING;
}

static void own_state_is_running(void)
{
	int right = 0;

	open_sensor();
	for (int i = 0; i < 1000; i++)
		right += own_state_is_right();
	MUST(right > 900);
	MUST(onproc_sensor_slot() == (int)m_self());
}

static void blocked_is_sleeping(void)
{
	struct other other = { 0 };
	pthread_t thread;

	open_sensor();
	MUST(!pipe(other.pipe) && !pthread_create(&thread, NULL, block, &other));
	MUST_COME(__atomic_load_n(&other.ready, __ATOMIC_ACQUIRE));
	MUST_COME(onproc_sensor_state(other.slot) == ONPROC_SLEEPING);
	MUST(write(other.pipe[1], "", 1) == 1 && !pthread_join(thread, NULL));
	MUST(onproc_sensor_state(other.slot) == ONPROC_UNKNOWN);
}

/* Two threads that never sleep on one CPU: whoever looks, the other one is preempted. */
static void displaced_is_preempted(void)
{
	struct other other = { .cpu = sched_getcpu() };
	pthread_t thread;

	open_sensor();
	pin(other.cpu);
	MUST(!pthread_create(&thread, NULL, spin, &other));
	while (!__atomic_load_n(&other.ready, __ATOMIC_ACQUIRE))
		;
	for (int i = 0; i < 100000; i++)
		MUST(onproc_sensor_state(other.slot) == ONPROC_PREEMPTED);
	__atomic_store_n(&other.stop, 1, __ATOMIC_RELAXED);
	MUST(!pthread_join(thread, NULL));
}

static void threads_that_were_there_are_known(void)
{
	struct other other = { 0 };
	pthread_t thread;

	m_self();
	MUST(!pipe(other.pipe) && !pthread_create(&thread, NULL, block, &other));
	MUST_COME(__atomic_load_n(&other.ready, __ATOMIC_ACQUIRE));
	open_sensor();
	MUST_COME(own_state_is_right());
	/* It sleeps already or will: its next switch tells. */
	MUST(write(other.pipe[1], "", 1) == 1 && !pthread_join(thread, NULL));
	MUST(onproc_sensor_state(other.slot) == ONPROC_UNKNOWN);
}

/* It sleeps and is woken after it has given the slot back. */
static void *give_back_and_go_on(void *context)
{
	struct other *other = context;

	sensor_thread_begins(other->slot);
	usleep(100);
	sensor_thread_ends(other->slot);
	__atomic_store_n(&other->ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&other->stop, __ATOMIC_RELAXED))
		usleep(100);
	return NULL;
}

static void a_slot_given_back_is_not_written(void)
{
	struct other other = { .slot = 5 };
	pthread_t thread;

	open_sensor();
	MUST(!pthread_create(&thread, NULL, give_back_and_go_on, &other));
	while (!__atomic_load_n(&other.ready, __ATOMIC_ACQUIRE))
		sched_yield();
	for (int i = 0; i < 50; i++) {
		MUST(onproc_sensor_state(other.slot) == ONPROC_UNKNOWN);
		usleep(500);
	}
	__atomic_store_n(&other.stop, 1, __ATOMIC_RELAXED);
	MUST(!pthread_join(thread, NULL));
	usleep(2000);
	MUST(onproc_sensor_state(other.slot) == ONPROC_UNKNOWN);
}

static void *end_silently(void *context)
{
	sensor_thread_begins(*(uint32_t *)context);
	return NULL;
}

static void an_untold_end_leaves_the_state_unknown(void)
{
	uint32_t slot = 6;
	pthread_t thread;

	open_sensor();
	MUST(!pthread_create(&thread, NULL, end_silently, &slot) && !pthread_join(thread, NULL));
	MUST_COME(onproc_sensor_state(slot) == ONPROC_UNKNOWN);
	usleep(20000);
	MUST(onproc_sensor_state(slot) == ONPROC_UNKNOWN);
}

static int map_update(int map_fd)
{
	static char area[AREA_BYTES + 8];
	uint32_t first = 0;
	union bpf_attr attr = { .map_fd = (uint32_t)map_fd,
				.key = (uint64_t)(uintptr_t)&first,
				.value = (uint64_t)(uintptr_t)area };

	return (int)syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
}

static void states_cannot_be_written(void)
{
	int map_fd = -1, fd = raw_connect();
	void *mapped;

	MUST(!raw_hello(fd, &map_fd) && map_fd >= 0);
	MUST(mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0) == MAP_FAILED);
	MUST(errno == EPERM || errno == EACCES);
	MUST(map_update(map_fd) < 0 && (errno == EPERM || errno == EACCES));
	mapped = mmap(NULL, AREA_BYTES, PROT_READ, MAP_SHARED, map_fd, 0);
	MUST(mapped != MAP_FAILED);
	MUST(mprotect(mapped, AREA_BYTES, PROT_READ | PROT_WRITE) < 0 && errno == EACCES);
	MUST(pwrite(map_fd, "", 1, 0) < 0);
}

static bool all_unknown(const volatile uint8_t *states)
{
	for (int i = 0; i < AREA_BYTES - 2; i++) {
		if (states[i])
			return false;
	}
	return true;
}

/* Two connections of one process are two clients. */
static void clients_see_only_their_own_slots(void)
{
	int a_map = -1, b_map = -1, a = raw_connect(), b = raw_connect();
	const volatile uint8_t *a_states, *b_states;

	MUST(!raw_hello(a, &a_map) && !raw_hello(b, &b_map));
	a_states = map_states(a_map);
	b_states = map_states(b_map);
	MUST(!raw_begin(a, 7, own_thread()));
	MUST_COME(a_states[7] == SENSOR_RUNNING);
	for (int i = 0; i < 20; i++)
		usleep(500);
	MUST(all_unknown(b_states));
	MUST(!raw_end(a, 7, own_thread()));
	MUST(a_states[7] == SENSOR_UNKNOWN);
}

/* The second client has the number of the first, whose thread is still bound to that. */
static void a_successor_gets_nothing_of_its_predecessor(void)
{
	int a_map = -1, b_map = -1, a = raw_connect(), b;
	const volatile uint8_t *a_states, *b_states;

	MUST(!raw_hello(a, &a_map) && !raw_begin(a, 7, own_thread()));
	a_states = map_states(a_map);
	MUST_COME(a_states[7] == SENSOR_RUNNING);
	close(a);
	/* refused until the daemon has noticed */
	MUST_COME((b = raw_connect(), !raw_hello(b, &b_map)));
	b_states = map_states(b_map);
	for (int i = 0; i < 20; i++)
		usleep(500);
	MUST(all_unknown(b_states));
}

static void threads_of_others_are_refused(void)
{
	int map_fd = -1, fd = raw_connect();
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	MUST(child > 0 && !raw_hello(fd, &map_fd));
	MUST(raw_begin(fd, 1, child) == -ESRCH);
	MUST(raw_begin(fd, 1, 1) == (getpid() == 1 ? 0 : -ESRCH));
	MUST(raw_begin(fd, 1, INT32_MAX) == -ESRCH);
	MUST(!kill(child, SIGKILL) && waitpid(child, NULL, 0) == child);
	if (getpid() == 1)
		return;
	MUST(all_unknown(map_states(map_fd)));
	/* still served */
	MUST(!raw_begin(fd, 1, own_thread()));
}

static void nonsense_ends_the_connection(void)
{
	static const char nonsense[][20] = { "", "x", "SSN1", "sixteen bytes, 16", "SSN1\x09" };
	char byte;
	int fd;

	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		fd = raw_connect();
		MUST(send(fd, nonsense[i], i * 5, MSG_NOSIGNAL) == (ssize_t)i * 5);
		MUST(recv(fd, &byte, 1, 0) <= 0);
		close(fd);
	}
	/* a question before the greeting, and two greetings */
	fd = raw_connect();
	MUST(raw_begin(fd, 1, own_thread()) == -ECONNRESET);
	close(fd);
	fd = raw_connect();
	MUST(!raw_hello(fd, NULL));
	MUST(raw_hello(fd, NULL) == -ECONNRESET);
}

/* Every tenth is another process, and is killed. */
static void churn_once(int i)
{
	bool in_child = i % 10 == 0;
	pid_t child = in_child ? fork() : 0;
	int map_fd = -1, fd;

	if (in_child && child) {
		MUST(waitpid(child, NULL, 0) == child);
		return;
	}
	fd = raw_connect();
	MUST(!raw_hello(fd, &map_fd) && map_fd >= 0);
	MUST(!raw_begin(fd, (uint32_t)i, own_thread()));
	if (in_child)
		raise(SIGKILL);
	if (i % 2)
		MUST(!raw_end(fd, (uint32_t)i, own_thread()));
	close(map_fd);
	close(fd);
}

static void a_thousand_clients(void)
{
	for (int i = 0; i < 1000; i++)
		churn_once(i);
}

static void as_many_as_there_may_be(void)
{
	int count = 0, answer;

	/* until it is refused; they stay connected */
	while (!(answer = raw_hello(raw_connect(), NULL)))
		count++;
	MUST(answer == -ENOSPC);
	printf("%d\n", count);
}

/* Says so on stdout once it has the sensor, and goes on until that has gone. */
static void the_end_of_the_daemon_is_survived(void)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	char text[512];

	open_sensor();
	m_self();
	printf("open\n");
	fflush(stdout);
	MUST_COME((sensor_look(), !strcmp(onproc_sensor_kind(), "none")));
	MUST(!sensor_states());
	onproc_sensor_status(text, sizeof(text));
	MUST(strstr(text, "none; sched has gone"));
	MUST(!onproc_mutex_lock(&mutex) && !onproc_mutex_unlock(&mutex));
}

static void *begin(void *context)
{
	*(uint32_t *)context = m_self();
	MUST_COME(own_state_is_right());
	return NULL;
}

static void a_forked_child_opens_its_own(void)
{
	pid_t child;
	int status;

	open_sensor();
	m_self();
	child = fork();
	if (!child) {
		uint32_t slot;
		pthread_t thread;

		MUST(!strcmp(onproc_sensor_kind(), "none") && !sensor_states());
		MUST(!pthread_create(&thread, NULL, begin, &slot));
		MUST(!pthread_join(thread, NULL));
		MUST(!strcmp(onproc_sensor_kind(), "sched"));
		MUST_COME(own_state_is_right());
		_exit(0);
	}
	MUST(waitpid(child, &status, 0) == child);
	MUST(WIFEXITED(status) && !WEXITSTATUS(status));
	MUST(!strcmp(onproc_sensor_kind(), "sched"));
	usleep(2000);
	MUST_COME(own_state_is_right());
	sensor_look();
	MUST(!strcmp(onproc_sensor_kind(), "sched"));
}

/* A lock holder that sleeps is seen by a waiter; reading goes on while it is closed and opened. */
static void *read_states(void *context)
{
	struct other *other = context;
	uint32_t sum = 0;

	while (!__atomic_load_n(&other->stop, __ATOMIC_RELAXED)) {
		const volatile uint8_t *states = sensor_states();

		if (states)
			sum += sensor_state_of(states, 0);
	}
	return (void *)(uintptr_t)(sum * 0);
}

static void it_is_closed_and_opened_under_readers(void)
{
	struct other other = { 0 };
	pthread_t thread;

	m_self();
	MUST(!pthread_create(&thread, NULL, read_states, &other));
	for (int i = 0; i < 20; i++) {
		open_sensor();
		MUST(onproc_sensor_open(NULL) == -EBUSY);
		onproc_sensor_close();
	}
	__atomic_store_n(&other.stop, 1, __ATOMIC_RELAXED);
	MUST(!pthread_join(thread, NULL));
}

/* How many objects of that name the kernel has, of those that a command steps through. */
static void count_named(int next_id, int fd_by_id, void *info, uint32_t bytes, const char *found,
			const char *name)
{
	union bpf_attr attr = { .start_id = 0 };
	int count = 0;

	while (!syscall(SYS_bpf, next_id, &attr, sizeof(attr))) {
		/* The number stands in one place for programs and maps. */
		union bpf_attr by_id = { .prog_id = attr.next_id };
		union bpf_attr ask = { 0 };

		attr.start_id = attr.next_id;
		ask.info.bpf_fd = (uint32_t)syscall(SYS_bpf, fd_by_id, &by_id, sizeof(by_id));
		memset(info, 0, bytes);
		ask.info.info = (uint64_t)(uintptr_t)info;
		ask.info.info_len = bytes;
		if ((int)ask.info.bpf_fd < 0)
			continue; /* it has just gone */
		syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &ask, sizeof(ask));
		close((int)ask.info.bpf_fd);
		count += !strcmp(found, name);
	}
	printf("%d\n", count);
}

/* How many programs of the sensor the kernel has; needs root. */
static void count_programs(void)
{
	struct bpf_prog_info info = { 0 };

	count_named(BPF_PROG_GET_NEXT_ID, BPF_PROG_GET_FD_BY_ID, &info, sizeof(info), info.name,
		    "on_switch");
}

/* How many maps of states, of clients that are or were; needs root. */
static void count_maps(void)
{
	struct bpf_map_info info = { 0 };

	count_named(BPF_MAP_GET_NEXT_ID, BPF_MAP_GET_FD_BY_ID, &info, sizeof(info), info.name,
		    "onproc_states");
}

static void print_status(void)
{
	char text[512];

	onproc_sensor_open(NULL);
	onproc_sensor_status(text, sizeof(text));
	puts(text);
}

static const struct {
	const char *name;
	void (*run)(void);
} behaviours[] = {
#define BEHAVIOUR(name)                                                                            \
	{                                                                                          \
#		name, name                                                                        \
	}
	BEHAVIOUR(own_state_is_running),
	BEHAVIOUR(blocked_is_sleeping),
	BEHAVIOUR(displaced_is_preempted),
	BEHAVIOUR(threads_that_were_there_are_known),
	BEHAVIOUR(a_slot_given_back_is_not_written),
	BEHAVIOUR(an_untold_end_leaves_the_state_unknown),
	BEHAVIOUR(states_cannot_be_written),
	BEHAVIOUR(clients_see_only_their_own_slots),
	BEHAVIOUR(a_successor_gets_nothing_of_its_predecessor),
	BEHAVIOUR(threads_of_others_are_refused),
	BEHAVIOUR(nonsense_ends_the_connection),
	BEHAVIOUR(a_thousand_clients),
	BEHAVIOUR(as_many_as_there_may_be),
	BEHAVIOUR(the_end_of_the_daemon_is_survived),
	BEHAVIOUR(a_forked_child_opens_its_own),
	BEHAVIOUR(it_is_closed_and_opened_under_readers),
	BEHAVIOUR(count_programs),
	BEHAVIOUR(count_maps),
	BEHAVIOUR(print_status),
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(behaviours) / sizeof(behaviours[0]); i++) {
		if (argc == 2 && !strcmp(behaviours[i].name, argv[1])) {
			behaviours[i].run();
			return 0;
		}
	}
	fprintf(stderr, "sensor-client WHAT\n");
	return 2;
}
