// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * module.c - libonproc-sched.so: loads sched.bpf.c, makes maps for clients, binds threads.
 *
 * See lib/sensor/sched_module.h. The object file of the program is inside this library.
 *
 * A client's map is frozen as soon as it has its generation: from then on no system call changes
 * it, through whatever descriptor, and no mapping can be writable; the program still writes. That
 * is more than a descriptor that is read-only, which its holder could pin and open again.
 */
#include "sched.h"
#include "sched_object.h"
#include "sensor/sched_module.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Maps are made and put into their places for so many clients ahead: each change of an array of
 * maps waits until all CPUs have left the programs that may be using it, tens of milliseconds on a
 * busy machine, and a batch waits once. For the same reason the maps of clients that have ended are
 * taken out of their places together, by tidy() or because the places are needed.
 */
#define PREPARED_AT_ONCE 16u

/* A client of the program. */
struct client {
	enum { CLIENT_FREE, CLIENT_PREPARED, CLIENT_USED } use;
	int map_fd;    /* while it is prepared */
	bool has_area; /* its map, also when it has ended, is in its place */
	pid_t process; /* in the pid namespace of this process */
	struct sched_identity identity;
	uint64_t generation;
};

struct sched_program {
	struct bpf_object *object;
	struct bpf_link *links[3];
	size_t link_count;
	struct bpf_program *iterator, *sensor, *empty;
	int clients_fd, request_fd, stats_fd;
	int nobody_fd; /* what takes the place of the map of who has ended; -1: not made yet */
	unsigned int own_namespace_inode;
	uint64_t generation; /* of the newest client */
	uint32_t client_count;
	struct client clients[];
};

/* What libbpf says last is mostly the reason. No thread but the one that loads listens. */
static __thread char last_words[200];

__attribute__((format(printf, 2, 0))) static int listen_to_libbpf(enum libbpf_print_level level,
								  const char *format, va_list args)
{
	if (level == LIBBPF_WARN && !last_words[0]) {
		vsnprintf(last_words, sizeof(last_words), format, args);
		last_words[strcspn(last_words, "\n")] = 0;
	}
	return 0;
}

static int fail(struct sched_why *why, int code, const char *what)
{
	if (why && last_words[0])
		snprintf(why->text, sizeof(why->text), "%s: %s", what, last_words);
	else if (why)
		snprintf(why->text, sizeof(why->text), "%s: %s", what, strerror(-code));
	return code;
}

static int attach(struct sched_program *program, struct bpf_program *what, struct sched_why *why)
{
	struct bpf_link *link = what ? bpf_program__attach(what) : NULL;

	if (!link)
		return fail(why, what ? -errno : -ENOENT, "attaching the program to the scheduler");
	program->links[program->link_count++] = link;
	return 0;
}

static int prepare(struct sched_program *program, uint32_t clients, bool with_empty,
		   struct sched_why *why)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "onproc_sched");
	struct bpf_map *map;
	int rc;

	program->object = bpf_object__open_mem(sched_object, sizeof(sched_object), &options);
	if (!program->object)
		return fail(why, -errno, "reading the program");
	map = bpf_object__find_map_by_name(program->object, "clients");
	program->iterator = bpf_object__find_program_by_name(program->object, "on_task");
	program->sensor = bpf_object__find_program_by_name(program->object, "on_switch");
	program->empty = bpf_object__find_program_by_name(program->object, "on_switch_empty");
	if (!map || !program->iterator || !program->sensor || !program->empty)
		return fail(why, -ENOENT, "reading the program");
	rc = bpf_map__set_max_entries(map, clients);
	if (!rc)
		rc = bpf_program__set_autoload(program->empty, with_empty);
	if (!rc)
		rc = bpf_object__load(program->object);
	if (rc)
		return fail(why, rc, "loading the program");
	program->clients_fd = bpf_map__fd(map);
	program->request_fd = bpf_object__find_map_fd_by_name(program->object, "request");
	return program->request_fd < 0 ? fail(why, program->request_fd, "the request map") : 0;
}

static void sched_unload(struct sched_program *program)
{
	if (!program)
		return;
	while (program->link_count)
		bpf_link__destroy(program->links[--program->link_count]);
	if (program->stats_fd >= 0)
		close(program->stats_fd);
	if (program->nobody_fd >= 0)
		close(program->nobody_fd);
	for (uint32_t i = 0; i < program->client_count; i++) {
		if (program->clients[i].use == CLIENT_PREPARED)
			close(program->clients[i].map_fd);
	}
	bpf_object__close(program->object);
	free(program);
}

/*
 * Runs the iterator with the request over one task, or over all of a process where thread is 0.
 * 0: at least one matched, and *asked holds the answer; -ESRCH: none did.
 */
static int ask(struct sched_program *program, struct sched_request *asked, pid_t process,
	       pid_t thread)
{
	union bpf_iter_link_info filter = { 0 };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &filter,
		    .link_info_len = sizeof(filter));
	const uint32_t first = 0;
	struct bpf_link *link;
	char nothing[64];
	int fd, rc;

	if (thread)
		filter.task.tid = (uint32_t)thread;
	else
		filter.task.pid = (uint32_t)process;
	asked->found = 0;
	rc = bpf_map_update_elem(program->request_fd, &first, asked, BPF_ANY);
	if (rc)
		return rc;
	link = bpf_program__attach_iter(program->iterator, &options);
	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	rc = fd < 0 ? -errno : 0;
	while (!rc && read(fd, nothing, sizeof(nothing)) > 0)
		;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	if (!rc)
		rc = bpf_map_lookup_elem(program->request_fd, &first, asked);
	if (rc)
		return rc;
	return asked->found ? 0 : -ESRCH;
}

static int identify(struct sched_program *program, pid_t process, struct sched_identity *identity)
{
	struct sched_request asked = { .kind = SCHED_IDENTIFY };
	int rc = ask(program, &asked, process, process);

	*identity = asked.identity;
	return rc;
}

static int sched_load(uint32_t clients, bool with_empty, struct sched_program **made,
		      struct sched_why *why)
{
	struct sched_program *program;
	struct sched_identity self;
	int rc;

	*made = NULL;
	last_words[0] = 0;
	libbpf_set_print(listen_to_libbpf);
	program = calloc(1, sizeof(*program) + clients * sizeof(program->clients[0]));
	if (!program)
		return fail(why, -ENOMEM, "loading the program");
	program->client_count = clients;
	program->stats_fd = program->nobody_fd = -1;
	rc = prepare(program, clients, with_empty, why);
	if (!rc)
		rc = attach(program, program->sensor, why);
	if (!rc)
		rc = attach(program, bpf_object__find_program_by_name(program->object, "on_exit"),
			    why);
	if (!rc && with_empty)
		rc = attach(program, program->empty, why);
	if (!rc) {
		rc = identify(program, getpid(), &self);
		if (rc)
			fail(why, rc, "looking a process up (Linux 6.1 or later is needed)");
		program->own_namespace_inode = self.namespace_inode;
	}
	if (rc) {
		sched_unload(program);
		return rc;
	}
	*made = program;
	return 0;
}

/* The first from `from` on that is in that use; client_count: none. */
static uint32_t find_client(const struct sched_program *program, uint32_t from, int use)
{
	while (from < program->client_count && (int)program->clients[from].use != use)
		from++;
	return from;
}

/* A map with nothing but its generation, which no system call can change. Its descriptor or
 * -errno. */
static int make_area(const char *name, uint64_t generation)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_MMAPABLE);
	struct sched_area *area = calloc(1, sizeof(*area));
	const uint32_t first = 0;
	int fd, rc;

	if (!area)
		return -ENOMEM;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(first), sizeof(*area), 1, &options);
	rc = fd < 0 ? -errno : 0;
	area->generation = generation;
	if (!rc)
		rc = bpf_map_update_elem(fd, &first, area, BPF_ANY);
	if (!rc)
		rc = bpf_map_freeze(fd);
	free(area);
	if (rc && fd >= 0)
		close(fd);
	return rc ? rc : fd;
}

struct batch {
	uint32_t clients[PREPARED_AT_ONCE];
	int fds[PREPARED_AT_ONCE];
	uint64_t generations[PREPARED_AT_ONCE];
	uint32_t count;
};

/* Maps for as many free clients as there are, up to a batch. */
static int batch_make(struct sched_program *program, struct batch *batch)
{
	uint32_t client = find_client(program, 0, CLIENT_FREE);

	while (batch->count < PREPARED_AT_ONCE && client < program->client_count) {
		int fd = make_area("onproc_states", ++program->generation);

		if (fd < 0)
			return batch->count ? 0 : fd;
		batch->clients[batch->count] = client;
		batch->fds[batch->count] = fd;
		batch->generations[batch->count++] = program->generation;
		client = find_client(program, client + 1, CLIENT_FREE);
	}
	return batch->count ? 0 : -ENOSPC;
}

/* A kernel without batches for this kind of map gets one after the other. */
static int batch_place(const struct sched_program *program, const struct batch *batch)
{
	LIBBPF_OPTS(bpf_map_batch_opts, options);
	uint32_t count = batch->count;
	int rc = bpf_map_update_batch(program->clients_fd, batch->clients, batch->fds, &count,
				      &options);

	if (!rc || batch->count == 0)
		return rc;
	rc = 0;
	for (uint32_t i = 0; !rc && i < batch->count; i++)
		rc = bpf_map_update_elem(program->clients_fd, &batch->clients[i], &batch->fds[i],
					 BPF_ANY);
	return rc;
}

static int prepare_clients(struct sched_program *program)
{
	struct batch batch = { .count = 0 };
	int rc = batch_make(program, &batch);

	if (!rc)
		rc = batch_place(program, &batch);
	for (uint32_t i = 0; i < batch.count; i++) {
		struct client *client = &program->clients[batch.clients[i]];

		if (rc) {
			close(batch.fds[i]);
			continue;
		}
		client->use = CLIENT_PREPARED;
		client->has_area = true;
		client->map_fd = batch.fds[i];
		client->generation = batch.generations[i];
	}
	return rc;
}

static int sched_client_begins(struct sched_program *program, pid_t process, uint32_t *number,
			       int *map_fd)
{
	uint32_t client = find_client(program, 0, CLIENT_PREPARED);
	struct client *taken;
	int rc;

	if (client == program->client_count) {
		rc = prepare_clients(program);
		if (rc)
			return rc;
		client = find_client(program, 0, CLIENT_PREPARED);
	}
	taken = &program->clients[client];
	rc = identify(program, process, &taken->identity);
	if (rc)
		return rc;
	taken->process = process;
	taken->use = CLIENT_USED;
	*number = client;
	*map_fd = taken->map_fd;
	return 0;
}

/* Its threads, if they go on, write into the map that nobody but the client has. */
static void sched_client_ends(struct sched_program *program, uint32_t client)
{
	program->clients[client].use = CLIENT_FREE;
}

/* One of the clients that have ended and still have a map; client_count: none. */
static uint32_t find_ended(const struct sched_program *program, uint32_t from)
{
	uint32_t client = find_client(program, from, CLIENT_FREE);

	while (client < program->client_count && !program->clients[client].has_area)
		client = find_client(program, client + 1, CLIENT_FREE);
	return client;
}

/*
 * One map that is nobody's, of a generation that no binding has, takes the places of all: an array
 * of maps can be changed in a batch, but elements are deleted one by one, each with its wait.
 */
static int sched_tidy(struct sched_program *program)
{
	uint32_t client = find_ended(program, 0);
	int rc = 0;

	if (client < program->client_count && program->nobody_fd < 0) {
		program->nobody_fd = make_area("onproc_nobody", UINT64_MAX);
		if (program->nobody_fd < 0)
			return program->nobody_fd;
	}
	while (!rc && client < program->client_count) {
		struct batch batch = { .count = 0 };

		for (; batch.count < PREPARED_AT_ONCE && client < program->client_count;
		     client = find_ended(program, client + 1)) {
			batch.clients[batch.count] = client;
			batch.fds[batch.count++] = program->nobody_fd;
		}
		rc = batch_place(program, &batch);
		for (uint32_t i = 0; !rc && i < batch.count; i++)
			program->clients[batch.clients[i]].has_area = false;
	}
	return rc;
}

static int change(struct sched_program *program, enum sched_request_kind kind, uint32_t client,
		  pid_t thread, uint32_t slot)
{
	const struct client *of = &program->clients[client];
	struct sched_request asked = {
		.kind = kind,
		.thread = (unsigned int)thread,
		.identity = of->identity,
		.binding = { client, slot, of->generation },
	};
	bool same_numbers = of->identity.namespace_inode == program->own_namespace_inode;

	/* Where its numbers are ours it is one task, else all of the process are looked at. */
	return ask(program, &asked, of->process, same_numbers ? thread : 0);
}

static int sched_thread_begins(struct sched_program *program, uint32_t client, pid_t thread,
			       uint32_t slot)
{
	return change(program, SCHED_BIND, client, thread, slot);
}

static int sched_thread_ends(struct sched_program *program, uint32_t client, pid_t thread)
{
	return change(program, SCHED_UNBIND, client, thread, 0);
}

static int sched_measure(struct sched_program *program, struct sched_why *why)
{
	last_words[0] = 0;
	if (program->stats_fd >= 0)
		return 0;
	program->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	return program->stats_fd < 0 ? fail(why, -errno, "the accounting of run times") : 0;
}

static int sched_measured(struct sched_program *program, enum sched_measured which, uint64_t *runs,
			  uint64_t *run_time_ns)
{
	struct bpf_prog_info found = { 0 };
	uint32_t bytes = sizeof(found);
	int rc;

	rc = bpf_obj_get_info_by_fd(
		bpf_program__fd(which == SCHED_SENSOR ? program->sensor : program->empty), &found,
		&bytes);
	*runs = found.run_cnt;
	*run_time_ns = found.run_time_ns;
	return rc;
}

extern const struct sched_module onproc_sched_module __attribute__((visibility("default")));
const struct sched_module onproc_sched_module = {
	.version = SCHED_MODULE_VERSION,
	.load = sched_load,
	.unload = sched_unload,
	.client_begins = sched_client_begins,
	.client_ends = sched_client_ends,
	.tidy = sched_tidy,
	.thread_begins = sched_thread_begins,
	.thread_ends = sched_thread_ends,
	.measure = sched_measure,
	.measured = sched_measured,
};
