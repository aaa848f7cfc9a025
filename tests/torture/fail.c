// SPDX-License-Identifier: GPL-2.0-or-later
/* fail.c - says what went wrong, what every thread waits for and since when, and ends. */
#include "torture.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What /proc/PID/stat has after the name: the letter of the state, …, ticks of CPU. */
#define FIELD_STATE  0
#define FIELD_USER   11
#define FIELD_SYSTEM 12

/* State letter and processor time of a thread, as the kernel tells them. */
static void kernel_state(uint32_t tid, char *text, size_t bytes)
{
	char path[64], line[512], letter = '?', *field, *rest = NULL;
	unsigned long ticks = 0;
	ssize_t got;
	int file, n;

	snprintf(path, sizeof(path), "/proc/self/task/%u/stat", tid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	got = file < 0 ? -1 : read(file, line, sizeof(line) - 1);
	if (file >= 0)
		close(file);
	line[got < 0 ? 0 : got] = '\0';
	field = strrchr(line, ')');
	field = field ? strtok_r(field + 1, " ", &rest) : NULL;
	for (n = FIELD_STATE; field && n <= FIELD_SYSTEM; n++) {
		if (n == FIELD_STATE)
			letter = *field;
		else if (n == FIELD_USER || n == FIELD_SYSTEM)
			ticks += strtoul(field, NULL, 10);
		field = strtok_r(NULL, " ", &rest);
	}
	snprintf(text, bytes, "state %c, %lu ticks of CPU", letter, ticks);
}

static void print_operation(const struct torture *torture, const struct worker *worker,
			    uint32_t operation)
{
	uint32_t index = __atomic_load_n(&worker->lock, __ATOMIC_RELAXED);
	uint64_t since_ns = __atomic_load_n(&worker->since_ns, __ATOMIC_RELAXED), now = now_ns();

	fprintf(stderr, "%s", operations[operation].name);
	if (index)
		fprintf(stderr, " of %s%u", kinds_of_locks[torture->locks[index - 1].kind].name,
			torture->locks[index - 1].number);
	fprintf(stderr, " for %.3f s", (double)(now > since_ns ? now - since_ns : 0) / 1e9);
	if (__atomic_load_n(&worker->inside_handler, __ATOMIC_RELAXED))
		fprintf(stderr, ", inside a signal handler");
	fprintf(stderr, "\n");
}

static void print_worker(const struct torture *torture, const struct worker *worker)
{
	uint32_t operation = __atomic_load_n(&worker->operation, __ATOMIC_RELAXED);
	char state[128];

	kernel_state(__atomic_load_n(&worker->tid, __ATOMIC_RELAXED), state, sizeof(state));
	fprintf(stderr, "thread %u.%u, slot %u, tid %u, %s: ", worker->index, worker->incarnation,
		__atomic_load_n(&worker->slot, __ATOMIC_RELAXED),
		__atomic_load_n(&worker->tid, __ATOMIC_RELAXED), state);
	if (__atomic_load_n(&worker->ended, __ATOMIC_RELAXED))
		fprintf(stderr, "has ended\n");
	else if (!operation)
		fprintf(stderr, "between operations\n");
	else
		print_operation(torture, worker, operation - 1);
}

static void print_lock(const struct lock *lock)
{
	char text[400];

	kinds_of_locks[lock->kind].describe(lock, text, sizeof(text));
	fprintf(stderr, "%s%u: %s\n", kinds_of_locks[lock->kind].name, lock->number, text);
}

void fail(struct torture *torture, const struct worker *worker, const struct lock *lock,
	  const char *format, ...)
{
	static uint32_t failed;
	va_list arguments;
	uint32_t n;

	/* Printing is a cancellation point, and a thread that is cancelled comes here once more. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	/* One says it; the others, whose complaint may follow from the first, wait for the end. */
	while (__atomic_exchange_n(&failed, 1, __ATOMIC_RELAXED))
		sleep_ns(1000000000);
	fprintf(stderr,
		"torture: FAILED (seed %llu): ", (unsigned long long)torture->options->seed);
	if (worker)
		fprintf(stderr, "thread %u.%u: ", worker->index, worker->incarnation);
	if (lock)
		fprintf(stderr, "%s%u: ", kinds_of_locks[lock->kind].name, lock->number);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\n");
	for (n = 0; n < torture->threads; n++)
		print_worker(torture, &torture->workers[n]);
	for (n = 0; n < torture->lock_count; n++)
		print_lock(&torture->locks[n]);
	fprintf(stderr, "signal handlers' mutex: word %08x, sleepers %u\n",
		__atomic_load_n(&torture->handler_mutex.word, __ATOMIC_RELAXED),
		torture->handler_mutex.sleepers);
	fflush(NULL);
	disturb_leave_quota();
	_exit(1);
}
