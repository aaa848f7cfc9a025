// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe.c - the main program of the probes: "PROGRAM --list" names them, "PROGRAM NAME" runs one.
 */
#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEADLINE_S 60

void say(const char *what, int error)
{
	printf("%s: %s\n", what, error ? strerrorname_np(error) : "ok");
}

void say_number(const char *what, long number)
{
	printf("%s: %ld\n", what, number);
}

void fail(const char *what)
{
	fprintf(stderr, "%s: failed\n", what);
	exit(2);
}

void must(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(error));
	exit(2);
}

struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec at;

	clock_gettime(clock, &at);
	at.tv_sec += ms / 1000;
	at.tv_nsec += ms % 1000 * 1000000;
	if (at.tv_nsec >= 1000000000) {
		at.tv_sec++;
		at.tv_nsec -= 1000000000;
	} else if (at.tv_nsec < 0) {
		at.tv_sec--;
		at.tv_nsec += 1000000000;
	}
	return at;
}

void *elsewhere(void *(*run)(void *), void *argument)
{
	pthread_t thread;
	void *result;

	must(pthread_create(&thread, NULL, run, argument), "pthread_create");
	must(pthread_join(thread, &result), "pthread_join");
	return result;
}

static void *try_and_give_back(void *mutex)
{
	int error = pthread_mutex_trylock(mutex);

	if (!error)
		pthread_mutex_unlock(mutex);
	return (void *)(long)error;
}

int try_elsewhere(pthread_mutex_t *mutex)
{
	return (int)(long)elsewhere(try_and_give_back, mutex);
}

static void pause_a_little(time_t *until_s)
{
	struct timespec now, little = { 0, 1000000 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!*until_s)
		*until_s = now.tv_sec + DEADLINE_S;
	if (now.tv_sec > *until_s) {
		fprintf(stderr, "it did not come about within %d s\n", DEADLINE_S);
		exit(2);
	}
	nanosleep(&little, NULL);
}

void await(const int *flag)
{
	time_t until_s = 0;

	while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
		pause_a_little(&until_s);
}

void set(int *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static char state_of(int thread)
{
	char path[64], line[512], *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
	file = fopen(path, "r");
	if (!file)
		return '?';
	state = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	return state ? state[2] : '?';
}

void await_sleep(int thread)
{
	time_t until_s = 0;

	while (state_of(thread) != 'S')
		pause_a_little(&until_s);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (const struct probe *probe = probes; probe->name; probe++) {
		if (argc == 2 && !strcmp(argv[1], "--list"))
			puts(probe->name);
		else if (argc == 2 && !strcmp(argv[1], probe->name))
			return probe->run(), 0;
	}
	return argc == 2 && !strcmp(argv[1], "--list") ? 0 : 2;
}
