// SPDX-License-Identifier: MIT
/*
 * heartbeat.c - a sensor without any help of the kernel: threads publish when and where they run.
 *
 * How it works. A thread that waits by polling beats: it writes its slot and the time down for the
 * CPU it is on. A CPU runs one thread at a time: the thread whose beat stood there is not on that
 * CPU now. If it has not beaten on another one since, and its beat is younger than BEAT_STALE_NS,
 * it is marked as preempted. Its own next beat makes it running again.
 *
 * What it costs. Where no sensor beats: nothing but the test of a pointer per µs of polling. A beat
 * is the number of the CPU (rseq: about 2 ns), the coarse clock (about 8 ns) and, if the CPU has
 * not changed hands, two loads; else two stores into lines that others read.
 *
 * When it lies. It never sees a thread that lost its CPU to another process, or whose CPU is idle,
 * or whose successor takes no contended lock: those stay running until the time limit of the wait.
 * It says "preempted" of a thread that has its CPU back until that thread beats again or a lock
 * reports the contradiction, which corrects the mark at once. It cannot tell sleeping from
 * preempted. A thread that moved to another CPU and took no contended lock there may be marked by
 * the thread that came after it. For all that it is not a default: it has to be asked for.
 *
 * The idea of judging waiters by published time stamps: He, Scherer and Scott, "Preemption
 * adaptivity in time-published queue-based spin locks", 2005; here the CPU decides, not an age.
 */
#include "sensor/kinds.h"
#include "sensor/sensor.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Older beats say nothing: in so long a thread without contention may have gone anywhere. Some 25
 * slices of 4 ms. */
#define BEAT_STALE_NS 100000000ull
#define NO_CPU	      0u

/* Who beat last on a CPU, and when; written by whoever is on it. */
struct beat_cpu {
	uint32_t slot_plus_one;
	uint64_t at_ns;
} __attribute__((aligned(128)));

/* Never freed while a thread might beat: kept for the next time it is opened. */
static struct beat_cpu *beat_cpus;
static uint32_t beat_cpu_count;
static uint32_t *beat_cpu_of_slot; /* number + 1 of the CPU of its last beat, NO_CPU: none */

static uint64_t coarse_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

/* The CPU is the caller's now; the one before is judged. */
static void take_over(struct beat_cpu *cpu, uint32_t cpu_plus_one, uint32_t before_plus_one,
		      uint64_t now_ns)
{
	uint64_t at_ns = __atomic_load_n(&cpu->at_ns, __ATOMIC_RELAXED);
	uint32_t before = before_plus_one - 1;

	if (!before_plus_one || now_ns - at_ns > BEAT_STALE_NS)
		return;
	if (__atomic_load_n(&beat_cpu_of_slot[before], __ATOMIC_RELAXED) == cpu_plus_one)
		sensor_state_set(sensor_area_own(), before, SENSOR_PREEMPTED);
}

static void heartbeat_beat(void)
{
	uint32_t own_plus_one = sensor_own_slot_plus_one();
	int number = sched_getcpu();
	uint64_t now_ns = coarse_ns();
	struct beat_cpu *cpu;
	uint32_t before;

	if (!own_plus_one || number < 0 || (uint32_t)number >= beat_cpu_count)
		return;
	cpu = &beat_cpus[number];
	before = __atomic_load_n(&cpu->slot_plus_one, __ATOMIC_RELAXED);
	if (before != own_plus_one) {
		take_over(cpu, (uint32_t)number + 1, before, now_ns);
		__atomic_store_n(&cpu->slot_plus_one, own_plus_one, __ATOMIC_RELAXED);
	}
	if (__atomic_load_n(&cpu->at_ns, __ATOMIC_RELAXED) != now_ns)
		__atomic_store_n(&cpu->at_ns, now_ns, __ATOMIC_RELAXED);
	if (__atomic_load_n(&beat_cpu_of_slot[own_plus_one - 1], __ATOMIC_RELAXED) !=
	    (uint32_t)number + 1)
		__atomic_store_n(&beat_cpu_of_slot[own_plus_one - 1], (uint32_t)number + 1,
				 __ATOMIC_RELAXED);
	if (__atomic_load_n(&sensor_area_own()[own_plus_one - 1], __ATOMIC_RELAXED) !=
	    SENSOR_RUNNING)
		sensor_state_set(sensor_area_own(), own_plus_one - 1, SENSOR_RUNNING);
}

static int make_records(struct sensor_why *why)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	void *memory;

	if (beat_cpus)
		return 0;
	if (cpus < 1)
		return sensor_why(why, -ENOTSUP, "the number of CPUs is not known");
	/* A number of a CPU may be higher than there are CPUs, by gaps. */
	beat_cpu_count = (uint32_t)cpus + 64;
	memory =
		mmap(NULL,
		     beat_cpu_count * sizeof(*beat_cpus) + SENSOR_SLOTS * sizeof(*beat_cpu_of_slot),
		     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return sensor_why(why, -ENOMEM, "no memory for the beats");
	beat_cpus = memory;
	beat_cpu_of_slot = (void *)&beat_cpus[beat_cpu_count];
	return 0;
}

static int heartbeat_open(struct sensor_why *why)
{
	int rc = make_records(why);

	if (rc)
		return rc;
	if (sched_getcpu() < 0)
		return sensor_why(why, -errno, "the kernel does not tell a thread its CPU");
	for (uint32_t i = 0; i < beat_cpu_count; i++)
		__atomic_store_n(&beat_cpus[i].slot_plus_one, 0, __ATOMIC_RELAXED);
	for (uint32_t slot = 0; slot < SENSOR_SLOTS; slot++)
		sensor_state_set(sensor_area_own(), slot, SENSOR_UNKNOWN);
	return 0;
}

static const uint8_t *own_states(void)
{
	return sensor_area_own();
}

static int heartbeat_thread(uint32_t slot, pid_t thread)
{
	(void)thread;
	__atomic_store_n(&beat_cpu_of_slot[slot], NO_CPU, __ATOMIC_RELAXED);
	sensor_state_set(sensor_area_own(), slot, SENSOR_UNKNOWN);
	return 0;
}

static void heartbeat_contradicted(uint32_t slot)
{
	sensor_state_set(sensor_area_own(), slot, SENSOR_RUNNING);
}

const struct sensor_kind sensor_kind_heartbeat = {
	.name = "heartbeat",
	.help = "threads publish when and on which CPU they poll; needs no privileges",
	.states = own_states,
	.open = heartbeat_open,
	.thread_begins = heartbeat_thread,
	.thread_ends = heartbeat_thread,
	.beat = heartbeat_beat,
	.contradicted = heartbeat_contradicted,
};
