// SPDX-License-Identifier: GPL-2.0-or-later
/* evidence_json.c - see evidence_json.h. */
#include "measure/evidence_json.h"

#include "measure/evidence.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define NAMED_MOST    16 /* a slot's evidence is for readers */
#define ONE_CPU_SHARE 0.9

/* Millionths are finer than any clock tick in a slot. */
static json_t *share_json(double value)
{
	return json_real(round(value * 1e6) / 1e6);
}

/* Adds value, or null and NAME_reason when reason is not NULL. */
static int put(json_t *object, const char *name, json_t *value, const char *reason)
{
	char reason_name[64];

	if (!reason)
		return json_object_set_new(object, name, value);
	json_decref(value);
	snprintf(reason_name, sizeof(reason_name), "%s_reason", name);
	return json_object_set_new(object, name, json_null()) |
	       json_object_set_new(object, reason_name, json_string(reason));
}

/* Why a part is missing; NULL: both snapshots have it. */
static const char *missing(const struct error *before, const struct error *after)
{
	if (before->code)
		return before->text;
	return after->code ? after->text : NULL;
}

static const char *policy_name(uint64_t policy)
{
	switch (policy) {
	case SCHED_OTHER:
		return "other";
	case SCHED_FIFO:
		return "fifo";
	case SCHED_RR:
		return "rr";
	case SCHED_BATCH:
		return "batch";
	case SCHED_IDLE:
		return "idle";
	case SCHED_DEADLINE:
		return "deadline";
	case 7: /* SCHED_EXT since Linux 6.12 */
		return "ext";
	default:
		return "unknown";
	}
}

/* A process may call itself anything; JSON holds UTF-8 only. */
static json_t *comm_json(const char *comm)
{
	json_t *string = json_string(comm);
	char ascii[COMM_BYTES];
	size_t len = 0;

	if (string)
		return string;
	for (; len < sizeof(ascii) - 1 && comm[len]; len++)
		ascii[len] = (unsigned char)comm[len] < 0x80 ? comm[len] : '?';
	ascii[len] = '\0';
	return json_string(ascii);
}

static int named_add(const struct evidence_parts *parts, const struct foreign *foreign,
		     json_t *external)
{
	const struct process *process = foreign->process;
	double interval = parts->account->scan_interval_ns;
	json_t *entry = json_object();
	int failed;

	failed = json_object_set_new(entry, "kind", json_string("foreign")) |
		 json_object_set_new(entry, "comm", comm_json(process->stat.comm)) |
		 json_object_set_new(entry, "pid", json_integer(process->stat.pid)) |
		 json_object_set_new(entry, "cpu", share_json(foreign->ns / interval)) |
		 json_object_set_new(
			 entry, "policy",
			 json_string(policy_name(process_policy(parts->sources, process))));
	if (foreign->children_ns > foreign->ns / 2) /* it is not the one who works */
		failed |= json_object_set_new(entry, "children",
					      share_json(foreign->children_ns / interval));
	return failed | json_array_append_new(external, entry);
}

static int nameless_add(json_t *external, double cpu, const char *reason)
{
	return json_array_append_new(external,
				     json_pack("{s:s,s:n,s:n,s:o,s:s}", "kind", "foreign", "comm",
					       "pid", "cpu", share_json(cpu), "reason", reason));
}

static int foreign_add(const struct evidence_parts *parts, json_t *external)
{
	const struct account *account = parts->account;
	double interval = account->scan_interval_ns, small = 0;
	size_t i, n_small = 0;
	char reason[64];
	int failed = 0;

	for (i = 0; i < account->n_foreign; i++) {
		const struct foreign *foreign = &account->foreign[i];

		if (foreign->ns > NAMED_CPU_SHARE * interval && i < NAMED_MOST) {
			failed |= named_add(parts, foreign, external);
		} else {
			small += foreign->ns;
			n_small++;
		}
	}
	if (small > NAMED_CPU_SHARE * interval) {
		snprintf(reason, sizeof(reason), "%zu smaller processes together", n_small);
		failed |= nameless_add(external, small / interval, reason);
	}
	if (account->hidden_ns > 0)
		failed |= nameless_add(external, account->hidden_ns / account->cpu_interval_ns,
				       "short-lived or in another pid namespace");
	return failed;
}

/* Largest growth on the way up: a group waits while any of its ancestors is throttled. */
static int throttling_put(const struct evidence_parts *parts, json_t *object, json_t *external)
{
	const char *reason =
		missing(&parts->before->throttling_error, &parts->after->throttling_error);
	uint64_t most_ns = 0, most_periods = 0;
	size_t most_level = 0;
	json_t *entry;

	if (reason)
		return put(object, "throttled_ns", NULL, reason);
	for (size_t i = 0; i < parts->cgroup->levels; i++) {
		const struct throttling *before = &parts->before->level[i];
		const struct throttling *after = &parts->after->level[i];
		uint64_t ns = after->ns > before->ns ? after->ns - before->ns : 0;
		uint64_t periods =
			after->periods > before->periods ? after->periods - before->periods : 0;

		if (ns > most_ns || (ns == most_ns && periods > most_periods)) {
			most_ns = ns;
			most_periods = periods;
			most_level = i;
		}
	}
	if (most_ns > INT64_MAX || most_periods > INT64_MAX)
		return put(object, "throttled_ns", NULL, "cpu.stat: expected a time below 2^63 ns");
	if (put(object, "throttled_ns", json_integer((json_int_t)most_ns), NULL))
		return -1;
	if (!most_ns && !most_periods)
		return 0;
	entry = json_pack("{s:s,s:I,s:I}", "kind", "throttled", "ns", (json_int_t)most_ns,
			  "periods", (json_int_t)most_periods);
	if (json_object_set_new(entry, "cgroup",
				json_string(cgroup_level_name(parts->cgroup, most_level))))
		json_object_set_new(entry, "cgroup", json_null());
	return json_array_append_new(external, entry);
}

static int frequency_put(const struct evidence_parts *parts, json_t *object, json_t *external)
{
	const struct frequency *frequency = parts->frequency;
	int failed;

	if (parts->frequency_error->code)
		return put(object, "frequency_khz", NULL, parts->frequency_error->text);
	failed = put(object, "frequency_khz", json_integer((json_int_t)frequency->khz), NULL);
	if (frequency->khz < frequency->was_khz * (1 - EVIDENCE_FREQUENCY_DROP))
		failed |= json_array_append_new(
			external, json_pack("{s:s,s:I,s:I}", "kind", "frequency", "khz",
					    (json_int_t)frequency->khz, "was_khz",
					    (json_int_t)frequency->was_khz));
	return failed;
}

static int pressure_put(const struct evidence_parts *parts, json_t *object)
{
	const char *reason = missing(&parts->before->pressure_error, &parts->after->pressure_error);
	uint64_t before = parts->before->pressure_us, after = parts->after->pressure_us;
	double interval_us = parts->account->cpu_interval_ns / 1000;
	double share =
		after > before && interval_us > 0 ? (double)(after - before) / interval_us : 0;

	return put(object, "psi_cpu_some", reason ? NULL : share_json(share < 1 ? share : 1),
		   reason);
}

static int placement_put(const struct account *account, const char *reason, json_t *object)
{
	/* Below a hundredth of the interval there is nothing to place. */
	if (!reason && account->our_ns < account->cpu_interval_ns / 100)
		reason = "nothing of the slot's own ran";
	if (reason)
		return put(object, "placement", NULL, reason) |
		       put(object, "cpus_used", NULL, reason);
	return put(object, "placement",
		   json_string(account->our_busiest_ns >= ONE_CPU_SHARE * account->our_ns
				       ? "one-cpu"
				       : "spread"),
		   NULL) |
	       put(object, "cpus_used",
		   json_integer((json_int_t)(account->n_used ? account->n_used : 1)), NULL);
}

int evidence_json(const struct evidence_parts *parts, json_t **object)
{
	static const char by_harness[] = "not counted by the harness";
	const struct account *account = parts->account;
	const char *no_cpus = missing(&parts->before->cpu_error, &parts->after->cpu_error);
	const char *no_processes =
		missing(&parts->before->process_error, &parts->after->process_error);
	double room = account->cpu_interval_ns * (double)account->n_allowed;
	double scan_room = account->scan_interval_ns * (double)account->n_allowed;
	double steal = 0, foreign = 0;
	json_t *external = json_array();
	int failed;

	*object = json_object();
	if (!no_cpus && !(room > 0))
		no_cpus = "none of the allowed CPUs is in /proc/stat";
	if (!no_processes && no_cpus)
		no_processes = no_cpus;
	if (!no_cpus)
		steal = account->steal_ns / room;
	if (!no_processes)
		foreign = account->foreign_ns / scan_room + account->hidden_ns / room;

	failed = put(*object, "steal", share_json(steal), no_cpus) |
		 put(*object, "foreign", share_json(foreign), no_processes) |
		 put(*object, "busy", no_cpus ? NULL : share_json(account->busy_ns / room),
		     no_cpus) |
		 put(*object, "idle", no_cpus ? NULL : share_json(account->idle_ns / room),
		     no_cpus) |
		 throttling_put(parts, *object, external) | pressure_put(parts, *object) |
		 frequency_put(parts, *object, external) |
		 put(*object, "voluntary_switches", NULL, by_harness) |
		 put(*object, "involuntary_switches", NULL, by_harness) |
		 put(*object, "migrations", NULL, by_harness) |
		 placement_put(account, no_cpus, *object);
	if (steal + foreign > EVIDENCE_EXTERNAL_SHARE) {
		double steal_cpu = steal * (double)account->n_allowed;

		if (!no_processes)
			failed |= foreign_add(parts, external);
		if (steal_cpu > NAMED_CPU_SHARE || !json_array_size(external))
			failed |= json_array_append_new(external,
							json_pack("{s:s,s:o}", "kind", "steal",
								  "cpu", share_json(steal_cpu)));
	}
	failed |= json_object_set_new(*object, "external", external);
	if (!failed)
		return 0;
	json_decref(*object);
	*object = NULL;
	return -ENOMEM;
}
