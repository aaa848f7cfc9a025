// SPDX-License-Identifier: GPL-2.0-or-later
/* store.c - the database: what is kept, who may read it, and what no accident may destroy. */
#include "base/file.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct context {
	char directory[64];
	const char *path;
};

static int setup(void **state)
{
	struct context *context = calloc(1, sizeof(*context));

	scratch_make(context->directory);
	context->path = strdup(scratch_file(context->directory, "runs.db"));
	*state = context;
	return 0;
}

static int teardown(void **state)
{
	struct context *context = *state;

	/* Of a test that failed half-way; else there is nothing mounted. */
	umount2(context->directory, MNT_DETACH);
	scratch_remove(context->directory);
	free((char *)context->path);
	free(context);
	return 0;
}

static struct store *opened(const char *path)
{
	struct error err = { 0 };
	struct store *store;

	if (store_open(path, &store, &err))
		fail_msg("%s", err.text);
	return store;
}

static void save_one(struct store *store, const char *id, uint64_t created_s)
{
	struct error err = { 0 };
	struct run run;

	fixture_run(&run, id);
	run.created_s = created_s;
	if (store_save(store, &run, &err))
		fail_msg("%s", err.text);
	run_free(&run);
}

static void assert_refused(const char *path, int code, const char *part)
{
	struct error err = { 0 };
	struct store *store = (struct store *)&err;

	assert_int_equal(store_open(path, &store, &err), code);
	assert_int_equal(err.code, code);
	assert_null(store);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void a_saved_run_is_loaded_unchanged(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct error err = { 0 };
	struct run saved, loaded;

	fixture_run(&saved, "20261130-142233-1a2b3c");
	assert_int_equal(store_save(store, &saved, &err), 0);
	store_close(store);
	store = opened(context->path);
	if (store_load(store, saved.id, &loaded, &err))
		fail_msg("%s", err.text);
	assert_same_run(&saved, &loaded);
	run_free(&saved);
	run_free(&loaded);
	store_close(store);
}

static void saving_again_replaces_the_run_of_the_same_id(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct run_head *heads;
	struct run run, loaded;
	size_t count;

	save_one(store, "a", 10);
	fixture_run(&run, "a");
	run.n_series--; /* the second is not saved again: its rows must be gone */
	assert_int_equal(store_save(store, &run, NULL), 0);
	assert_int_equal(store_load(store, "a", &loaded, NULL), 0);
	assert_same_run(&run, &loaded);
	assert_int_equal(store_list(store, &heads, &count, NULL), 0);
	assert_int_equal(count, 1);
	assert_int_equal(heads[0].slots, 4);
	run_heads_free(heads, count);
	run.n_series++;
	run_free(&run);
	run_free(&loaded);
	store_close(store);
}

static void a_list_is_newest_first_with_what_a_list_shows(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct run_head *heads;
	json_t *document, *runs;
	size_t count;

	save_one(store, "b-old", 10);
	save_one(store, "a-new", 30);
	save_one(store, "c-middle", 20);
	assert_int_equal(store_list(store, &heads, &count, NULL), 0);
	assert_int_equal(count, 3);
	assert_string_equal(heads[0].id, "a-new");
	assert_string_equal(heads[1].id, "c-middle");
	assert_string_equal(heads[2].id, "b-old");
	assert_string_equal(heads[0].kernel, "6.18.0");
	assert_string_equal(heads[0].tool, "onproc 0.1.0");
	assert_int_equal(heads[0].tests, 2);
	assert_int_equal(heads[0].series, 2);
	assert_int_equal(heads[0].slots, 5);
	assert_int_equal(heads[0].n_scores, 1);
	assert_true(heads[0].scores[0].value == 803.9);
	document = run_heads_to_json(heads, count);
	runs = json_object_get(document, "runs");
	assert_string_equal(json_string_value(json_object_get(document, "schema")), "onproc.list");
	assert_int_equal(json_array_size(runs), 3);
	assert_string_equal(json_string_value(json_object_get(json_array_get(runs, 2), "id")),
			    "b-old");
	json_decref(document);
	run_heads_free(heads, count);
	store_close(store);
}

static void a_run_is_found_by_prefix_and_by_age(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct error err = { 0 };
	char id[RUN_ID_BYTES];

	assert_int_equal(store_resolve(store, "last", id, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no run"));
	save_one(store, "20261130-100000-aaaaaa", 10);
	save_one(store, "20261130-100000-aaaaab", 20);
	save_one(store, "20261201-100000-cccccc", 30);
	save_one(store, "20261201-100000", 5);
	assert_int_equal(store_resolve(store, "last", id, &err), 0);
	assert_string_equal(id, "20261201-100000-cccccc");
	assert_int_equal(store_resolve(store, "last~0", id, &err), 0);
	assert_string_equal(id, "20261201-100000-cccccc");
	assert_int_equal(store_resolve(store, "last~2", id, &err), 0);
	assert_string_equal(id, "20261130-100000-aaaaaa");
	assert_int_equal(store_resolve(store, "last~4", id, &err), -ENOENT);
	assert_int_equal(store_resolve(store, "last~", id, &err), -EINVAL);
	assert_int_equal(store_resolve(store, "last~1x", id, &err), -EINVAL);
	assert_int_equal(store_resolve(store, "20261201-100000-", id, &err), 0);
	assert_string_equal(id, "20261201-100000-cccccc");
	/* A full id that begins another one is itself. */
	assert_int_equal(store_resolve(store, "20261201-100000", id, &err), 0);
	assert_string_equal(id, "20261201-100000");
	assert_int_equal(store_resolve(store, "2026113", id, &err), -ENOTUNIQ);
	assert_non_null(strstr(err.text, "20261130-100000-aaaaab, 20261130-100000-aaaaaa"));
	assert_int_equal(store_resolve(store, "%", id, &err), -ENOENT);
	assert_int_equal(store_resolve(store, "", id, &err), -ENOENT);
	store_close(store);
}

static void many_candidates_are_counted_not_listed(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct error err = { 0 };
	char id[RUN_ID_BYTES];

	for (unsigned int i = 0; i < 12; i++) {
		snprintf(id, sizeof(id), "a%u", 100 + i);
		save_one(store, id, i + 1);
	}
	assert_int_equal(store_resolve(store, "a1", id, &err), -ENOTUNIQ);
	assert_non_null(strstr(err.text, "a104 and 4 more"));
	store_close(store);
}

static void a_removed_run_is_gone_with_its_slots(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct error err = { 0 };
	sqlite3_stmt *statement;
	struct run run;
	sqlite3 *db;

	save_one(store, "a", 1);
	save_one(store, "b", 2);
	assert_int_equal(store_remove(store, "a", &err), 0);
	assert_int_equal(store_load(store, "a", &run, &err), -ENOENT);
	assert_int_equal(store_remove(store, "a", &err), -ENOENT);
	assert_int_equal(store_load(store, "b", &run, &err), 0);
	run_free(&run);
	store_close(store);
	sqlite3_open(context->path, &db);
	sqlite3_prepare_v2(db, "SELECT count(*) FROM slot", -1, &statement, NULL);
	sqlite3_step(statement);
	assert_int_equal(sqlite3_column_int(statement, 0), 5);
	sqlite3_finalize(statement);
	sqlite3_close(db);
}

static void the_files_are_for_their_owner_alone(void **state)
{
	struct context *context = *state;
	const char *path = scratch_file(context->directory, "new/deep/runs.db");
	mode_t mask = umask(0);
	struct store *store = opened(path);
	char name[512];
	struct stat file;

	umask(mask);
	save_one(store, "a", 1);
	for (const char *const *tail = (const char *const[]){ "", "-wal", "-shm", NULL }; *tail;
	     tail++) {
		snprintf(name, sizeof(name), "%s%s", path, *tail);
		assert_int_equal(stat(name, &file), 0);
		assert_int_equal(file.st_mode & 07777, 0600);
	}
	assert_int_equal(stat(scratch_file(context->directory, "new"), &file), 0);
	assert_int_equal(file.st_mode & 07777, 0700);
	assert_int_equal(stat(scratch_file(context->directory, "new/deep"), &file), 0);
	assert_int_equal(file.st_mode & 07777, 0700);
	store_close(store);
}

static void the_default_place_follows_the_environment(void **state)
{
	char *path;

	(void)state;
	setenv("HOME", "/home/somebody", 1);
	setenv("XDG_DATA_HOME", "/data", 1);
	path = store_default_path();
	assert_string_equal(path, "/data/onproc/onproc.db");
	free(path);
	setenv("XDG_DATA_HOME", "relative", 1);
	path = store_default_path();
	assert_string_equal(path, "/home/somebody/.local/share/onproc/onproc.db");
	free(path);
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	assert_null(store_default_path());
	assert_refused(NULL, -ENOENT, "--db");
}

static void write_file(const char *path, const char *text, size_t count)
{
	assert_int_equal(write_atomic(path, text, count, 0600, NULL), 0);
}

/* A file that is no database, or one of somebody else, is refused and keeps every byte. */
static void assert_left_alone(const char *path, const char *part)
{
	char *before, *after;
	size_t count, still;

	assert_int_equal(file_read(path, 1 << 20, &before, &count, NULL), 0);
	assert_refused(path, -EUCLEAN, part);
	assert_int_equal(file_read(path, 1 << 20, &after, &still, NULL), 0);
	assert_int_equal(count, still);
	assert_memory_equal(before, after, count);
	free(before);
	free(after);
}

static void a_file_that_is_no_database_is_left_as_it_is(void **state)
{
	struct context *context = *state;
	char garbage[8192];

	memset(garbage, 'x', sizeof(garbage));
	write_file(context->path, garbage, sizeof(garbage));
	assert_left_alone(context->path, "damaged or no database; it is left as it is");
	write_file(context->path, "short", 5);
	assert_left_alone(context->path, context->path);
}

static void a_database_of_another_program_is_left_as_it_is(void **state)
{
	struct context *context = *state;
	sqlite3 *db;

	sqlite3_open(context->path, &db);
	sqlite3_exec(db, "CREATE TABLE run (id)", NULL, NULL, NULL);
	sqlite3_close(db);
	assert_left_alone(context->path, "not one of onproc");
}

static void a_database_cut_in_half_is_left_as_it_is(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	char *bytes;
	size_t count;

	save_one(store, "a", 1);
	store_close(store);
	assert_int_equal(file_read(context->path, 1 << 20, &bytes, &count, NULL), 0);
	write_file(context->path, bytes, 4096 + 100);
	free(bytes);
	assert_left_alone(context->path, "damaged");
}

static void a_damaged_value_is_reported_with_its_path(void **state)
{
	static const struct {
		const char *sql, *text;
	} damages[] = {
		{ "UPDATE slot SET rate = 'x' WHERE series = 0 AND number = 1",
		  "series[0].slots[1].rate: expected a valid value in the database" },
		{ "UPDATE slot SET counts = '[1' WHERE series = 1",
		  "series[1].slots[0].counts: expected a valid value in the database" },
		{ "UPDATE slot SET status = 'fine' WHERE series = 1",
		  "series[1].slots[0].status: expected" },
		{ "UPDATE series SET copies = -1 WHERE number = 1", "series[1].copies: expected" },
		{ "UPDATE run SET seed = 'x'", "run.seed: expected" },
		{ "UPDATE run SET scores = '{}'", "scores: expected an array" },
		{ "DELETE FROM series WHERE number = 0",
		  "series[0]: expected a series of this number" },
	};
	struct context *context = *state;

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct store *store = opened(context->path);
		struct error err = { 0 };
		struct run run;
		sqlite3 *db;

		save_one(store, "a", 1);
		sqlite3_open(context->path, &db);
		assert_int_equal(sqlite3_exec(db, damages[i].sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		assert_int_equal(store_load(store, "a", &run, &err), -EUCLEAN);
		assert_int_equal(err.code, -EUCLEAN);
		if (!strstr(err.text, damages[i].text) || !strstr(err.text, "run a is damaged"))
			fail_msg("%s", err.text);
		store_close(store);
	}
}

static void a_schema_from_the_future_is_refused_by_both_numbers(void **state)
{
	struct context *context = *state;
	sqlite3 *db;

	store_close(opened(context->path));
	sqlite3_open(context->path, &db);
	sqlite3_exec(db, "PRAGMA user_version = 999", NULL, NULL, NULL);
	sqlite3_close(db);
	assert_refused(context->path, -ENOTSUP,
		       "its schema has version 999, this onproc reads up to version 2");
}

static void an_empty_file_becomes_a_database(void **state)
{
	struct context *context = *state;

	write_file(context->path, "", 0); /* left by a disk that was full when it was made */
	store_close(opened(context->path));
}

static void a_directory_or_a_device_is_no_database(void **state)
{
	struct context *context = *state;

	assert_refused(context->directory, -EISDIR, "must be a regular file");
	assert_refused("/dev/null", -EINVAL, "must be a regular file");
	assert_refused("", -EINVAL, "empty");
}

static void special_names_of_sqlite_are_names_of_files(void **state)
{
	struct context *context = *state;
	struct store *store;
	struct run run;

	assert_int_equal(chdir(context->directory), 0);
	store = opened(":memory:");
	save_one(store, "a", 1);
	store_close(store);
	store = opened(":memory:");
	assert_int_equal(store_load(store, "a", &run, NULL), 0);
	run_free(&run);
	store_close(store);
	assert_int_equal(chdir("/"), 0);
}

/* Runs the function in a child; returns its wait status. */
static int in_child(void (*function)(struct context *context), struct context *context)
{
	pid_t child = fork();
	int status;

	if (!child) {
		function(context);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void open_as_nobody(struct context *context)
{
	struct error err = { 0 };
	struct store *store;

	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		_exit(77);
	if (store_open(context->path, &store, &err) != -EACCES || !strstr(err.text, context->path))
		_exit(1);
}

static void a_place_without_permission_is_named(void **state)
{
	struct context *context = *state;
	int status;

	chmod(context->directory, 0755);
	status = in_child(open_as_nobody, context);
	if (WEXITSTATUS(status) == 77) {
		print_message("# skipped: needs root, to become a user without permission\n");
		skip();
	}
	assert_int_equal(status, 0);
	store_close(opened(context->path));
	chmod(context->path, 0644);
	assert_int_equal(in_child(open_as_nobody, context), 0);
}

static void save_twenty(struct context *context)
{
	struct store *store;
	struct error err = { 0 };
	char id[RUN_ID_BYTES];
	struct run run;

	if (store_open(context->path, &store, &err))
		_exit(1);
	for (int i = 0; i < 20; i++) {
		snprintf(id, sizeof(id), "p%d-%d", (int)getpid(), i);
		fixture_run(&run, id);
		if (store_save(store, &run, &err))
			_exit(2);
		run_free(&run);
	}
	store_close(store);
}

/* Both also make the database: the switch to WAL and the migration happen at once. */
static void two_writers_at_once_both_succeed(void **state)
{
	struct context *context = *state;
	struct run_head *heads;
	struct store *store;
	pid_t child[4];
	size_t count;

	for (int i = 0; i < 4; i++) {
		child[i] = fork();
		if (!child[i]) {
			save_twenty(context);
			_exit(0);
		}
	}
	for (int i = 0; i < 4; i++) {
		int status;

		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	store = opened(context->path);
	assert_int_equal(store_list(store, &heads, &count, NULL), 0);
	assert_int_equal(count, 80);
	run_heads_free(heads, count);
	store_close(store);
}

static void a_reader_goes_on_while_a_writer_is_in_a_save(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct run run;
	sqlite3 *writer;

	save_one(store, "a", 1);
	sqlite3_open(context->path, &writer);
	assert_int_equal(sqlite3_exec(writer, "BEGIN EXCLUSIVE; DELETE FROM run", NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(store_load(store, "a", &run, NULL), 0);
	assert_int_equal(run.n_series, 2);
	run_free(&run);
	sqlite3_close(writer);
	store_close(store);
}

/* SQLite calls this at the start of every statement: the fourth slot's row is the middle of a save.
 */
static int die_at_fourth_slot(unsigned int kind, void *slots, void *statement, void *sql)
{
	(void)kind;
	(void)statement;
	if (!strncmp(sql, "INSERT INTO slot", 16) && ++*(int *)slots == 4)
		raise(SIGKILL);
	return 0;
}

/* For every connection that the child opens. */
static int die_in_save(sqlite3 *db, char **text, const struct sqlite3_api_routines *api)
{
	static int slots;

	(void)text;
	(void)api;
	return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, die_at_fourth_slot, &slots);
}

static void save_and_be_killed(struct context *context)
{
	struct store *store = opened(context->path);
	struct run run;

	fixture_run(&run, "a");
	free(run.tool);
	run.tool = strdup("the new state");
	store_save(store, &run, NULL);
}

static void killed_in_the_middle_of_a_save_the_old_state_stays(void **state)
{
	struct context *context = *state;
	struct store *store = opened(context->path);
	struct run before, after;
	int status;

	save_one(store, "a", 1);
	assert_int_equal(store_load(store, "a", &before, NULL), 0);
	store_close(store);
	sqlite3_auto_extension((void (*)(void))die_in_save);
	status = in_child(save_and_be_killed, context);
	sqlite3_reset_auto_extension();
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	store = opened(context->path);
	assert_int_equal(store_load(store, "a", &after, NULL), 0);
	assert_same_run(&before, &after);
	run_free(&before);
	run_free(&after);
	store_close(store);
}

static void fill_the_disk(struct context *context)
{
	struct store *store = opened(context->path);
	struct error err = { 0 };
	struct run run, loaded;
	char id[RUN_ID_BYTES];
	int rc = 0, saved = 0;

	for (; saved < 1000 && !rc; saved++) {
		snprintf(id, sizeof(id), "r%d", saved);
		fixture_run(&run, id);
		rc = store_save(store, &run, &err);
		run_free(&run);
	}
	if (rc != -ENOSPC || !strstr(err.text, "no space left"))
		_exit(10);
	for (int i = 0; i < saved - 1; i++) {
		snprintf(id, sizeof(id), "r%d", i);
		if (store_load(store, id, &loaded, &err))
			_exit(11);
		run_free(&loaded);
	}
	store_close(store);
	if (saved < 2)
		_exit(12);
	/* Opened again while the disk is still full: everything saved is there. */
	if (store_open(context->path, &store, &err))
		_exit(13);
	snprintf(id, sizeof(id), "r%d", saved - 2);
	if (store_load(store, id, &loaded, &err))
		_exit(14);
	run_free(&loaded);
	store_close(store);
}

static void mount_small(const char *directory, const char *size)
{
	if (mount("onproc-test", directory, "tmpfs", MS_NOSUID, size)) {
		print_message("# skipped: mounting a small tmpfs: %s\n", strerror(errno));
		skip();
	}
}

static void a_full_disk_loses_nothing_that_was_saved(void **state)
{
	struct context *context = *state;
	int status;

	mount_small(context->directory, "size=256k");
	status = in_child(fill_the_disk, context);
	umount2(context->directory, MNT_DETACH);
	assert_int_equal(status, 0);
}

static void a_disk_without_room_for_a_database_is_named(void **state)
{
	struct context *context = *state;
	struct error err = { 0 };
	struct store *store;
	int rc;

	mount_small(context->directory, "size=16k");
	rc = store_open(context->path, &store, &err);
	umount2(context->directory, MNT_DETACH);
	assert_int_equal(rc, -ENOSPC);
	assert_non_null(strstr(err.text, context->path));
}

static void a_read_only_file_system_is_named(void **state)
{
	struct context *context = *state;
	struct error err = { 0 }, again = { 0 };
	struct store *store;
	int rc, missing;

	mount_small(context->directory, "size=1m");
	store_close(opened(context->path));
	mount(NULL, context->directory, NULL, MS_REMOUNT | MS_RDONLY, NULL);
	rc = store_open(context->path, &store, &err);
	missing = store_open(scratch_file(context->directory, "other.db"), &store, &again);
	umount2(context->directory, MNT_DETACH);
	assert_int_equal(rc, -EROFS);
	assert_non_null(strstr(err.text, context->path));
	assert_int_equal(missing, -EROFS);
	assert_non_null(strstr(again.text, "other.db"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_saved_run_is_loaded_unchanged),
		TEST(saving_again_replaces_the_run_of_the_same_id),
		TEST(a_list_is_newest_first_with_what_a_list_shows),
		TEST(a_run_is_found_by_prefix_and_by_age),
		TEST(many_candidates_are_counted_not_listed),
		TEST(a_removed_run_is_gone_with_its_slots),
		TEST(the_files_are_for_their_owner_alone),
		TEST(the_default_place_follows_the_environment),
		TEST(a_file_that_is_no_database_is_left_as_it_is),
		TEST(a_database_of_another_program_is_left_as_it_is),
		TEST(a_database_cut_in_half_is_left_as_it_is),
		TEST(a_damaged_value_is_reported_with_its_path),
		TEST(a_schema_from_the_future_is_refused_by_both_numbers),
		TEST(an_empty_file_becomes_a_database),
		TEST(a_directory_or_a_device_is_no_database),
		TEST(special_names_of_sqlite_are_names_of_files),
		TEST(a_place_without_permission_is_named),
		TEST(two_writers_at_once_both_succeed),
		TEST(a_reader_goes_on_while_a_writer_is_in_a_save),
		TEST(killed_in_the_middle_of_a_save_the_old_state_stays),
		TEST(a_full_disk_loses_nothing_that_was_saved),
		TEST(a_disk_without_room_for_a_database_is_named),
		TEST(a_read_only_file_system_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
