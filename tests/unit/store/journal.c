// SPDX-License-Identifier: GPL-2.0-or-later
/* journal.c - the journal of a run: what a killed process leaves is what resume goes on with. */
#include "base/file.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ID "20261130-142233-1a2b3c"

struct context {
	char directory[64];
	struct store *store;
	char file[256]; /* of the journal of ID */
};

static int setup(void **state)
{
	struct context *context = calloc(1, sizeof(*context));
	struct error err = { 0 };

	scratch_make(context->directory);
	if (store_open(scratch_file(context->directory, "runs.db"), &context->store, &err))
		fail_msg("%s", err.text);
	snprintf(context->file, sizeof(context->file), "%s/runs.db.journal.d/" ID ".jsonl",
		 context->directory);
	*state = context;
	return 0;
}

static int teardown(void **state)
{
	struct context *context = *state;

	store_close(context->store);
	/* Of a test that failed half-way; else there is nothing mounted. */
	umount2(scratch_file(context->directory, "runs.db.journal.d"), MNT_DETACH);
	scratch_remove(context->directory);
	free(context);
	return 0;
}

/* A run as bench has it before the first slot: what is derived is not in a journal. */
static void measured_run(struct run *run)
{
	fixture_run(run, ID);
	run->status = RUN_RUNNING;
	for (size_t i = 0; i < run->n_series; i++) {
		struct series *series = &run->series[i];

		series->estimate =
			(struct estimate){ .value = NAN, .lo = NAN, .hi = NAN, .level = NAN };
		series->first_result = series->estimate;
		series->index = NAN;
		series->not_steady = false;
		free(series->modes);
		series->modes = NULL;
		series->n_modes = 0;
	}
	free(run->scores[0].suite);
	run->n_scores = 0;
}

static struct journal *created(struct context *context, const struct run *run)
{
	struct error err = { 0 };
	struct journal *journal;

	if (journal_create(context->store, run, &journal, &err))
		fail_msg("%s", err.text);
	return journal;
}

static void append(struct journal *journal, const struct run *run)
{
	struct error err = { 0 };

	if (journal_append(journal, run, &err))
		fail_msg("%s", err.text);
}

static struct journal *reopened(struct context *context, struct run *run)
{
	struct error err = { 0 };
	struct journal *journal;

	if (journal_reopen(context->store, NULL, run, &journal, &err))
		fail_msg("%s", err.text);
	return journal;
}

/* As run, but for what a reopened run always has. */
static void assert_replayed(struct run *run, struct run *replayed)
{
	run->status = RUN_INTERRUPTED;
	run->elapsed_s = replayed->elapsed_s;
	assert_same_run(run, replayed);
}

static size_t lines_of(const char *path)
{
	size_t count, lines = 0;
	char *bytes;

	assert_int_equal(file_read(path, 1 << 24, &bytes, &count, NULL), 0);
	for (size_t i = 0; i < count; i++)
		lines += bytes[i] == '\n';
	free(bytes);
	return lines;
}

static void assert_ends_with_a_whole_line(const char *path)
{
	size_t count;
	char *bytes;

	assert_int_equal(file_read(path, 1 << 24, &bytes, &count, NULL), 0);
	assert_int_equal(bytes[count - 1], '\n');
	free(bytes);
}

static void a_journal_replays_to_the_run_that_was_appended(void **state)
{
	struct context *context = *state;
	struct journal *journal;
	struct run run, replayed;

	measured_run(&run);
	journal = created(context, &run);
	fixture_slot(&run.series[0], 77);
	append(journal, &run);
	fixture_slot(&run.series[1], 88.5);
	append(journal, &run);
	journal_close(journal);
	journal = reopened(context, &replayed);
	assert_replayed(&run, &replayed);
	assert_true(replayed.elapsed_s == 6.000000123); /* slot 4: 4 × 1.25 s + its length */
	journal_close(journal);
	run_free(&run);
	run_free(&replayed);
}

static void only_what_is_new_is_appended(void **state)
{
	struct context *context = *state;
	struct journal *journal;
	struct run run;

	measured_run(&run);
	journal = created(context, &run);
	assert_int_equal(lines_of(context->file), 1 + 2 + 5);
	append(journal, &run);
	assert_int_equal(lines_of(context->file), 8);
	fixture_slot(&run.series[0], 77);
	append(journal, &run);
	assert_int_equal(lines_of(context->file), 9);
	/* The estimate follows from the slots: it is none of the journal's. */
	run.series[0].estimate.value = 5;
	run.series[0].not_steady = true;
	append(journal, &run);
	assert_int_equal(lines_of(context->file), 9);
	journal_close(journal);
	run_free(&run);
}

static void changed_states_reasons_and_warnings_are_appended(void **state)
{
	struct context *context = *state;
	struct journal *journal;
	struct run run, replayed;

	measured_run(&run);
	journal = created(context, &run);
	run.series[0].slots[0].status = SLOT_REPLACED;
	append(journal, &run);
	assert_int_equal(lines_of(context->file), 9);
	run.series[1].reason = strdup("no dc");
	append(journal, &run);
	assert_int_equal(lines_of(context->file), 10);
	json_array_append_new(run.warnings, json_string("another"));
	append(journal, &run);
	assert_int_equal(lines_of(context->file), 11);
	journal_close(journal);
	journal = reopened(context, &replayed);
	assert_replayed(&run, &replayed);
	/* A reopened journal knows what it holds. */
	append(journal, &replayed);
	assert_int_equal(lines_of(context->file), 11);
	fixture_slot(&replayed.series[1], 99);
	append(journal, &replayed);
	assert_int_equal(lines_of(context->file), 12);
	journal_close(journal);
	run_free(&run);
	run_free(&replayed);
}

static void a_last_line_cut_anywhere_costs_that_slot_alone(void **state)
{
	struct context *context = *state;
	struct run run, replayed, again;
	struct journal *journal;
	char *bytes;
	size_t count, last;

	measured_run(&run);
	journal_close(created(context, &run));
	assert_int_equal(file_read(context->file, 1 << 20, &bytes, &count, NULL), 0);
	for (last = count - 1; bytes[last - 1] != '\n';)
		last--;
	run.series[1].n_slots--; /* the last line's */
	for (size_t keep = last; keep < count; keep += 7) {
		assert_int_equal(write_atomic(context->file, bytes, keep, 0600, NULL), 0);
		journal = reopened(context, &replayed);
		assert_replayed(&run, &replayed);
		assert_ends_with_a_whole_line(context->file);
		/* What follows stands on a line of its own. */
		fixture_slot(&replayed.series[1], 42);
		append(journal, &replayed);
		journal_close(journal);
		journal = reopened(context, &again);
		assert_int_equal(again.series[1].n_slots, 1);
		assert_true(again.series[1].slots[0].rate == 42);
		journal_close(journal);
		run_free(&again);
		run_free(&replayed);
	}
	run.series[1].n_slots++;
	run_free(&run);
	free(bytes);
}

static void a_damaged_line_before_the_last_is_named_and_what_precedes_it_kept(void **state)
{
	struct context *context = *state;
	struct error err = { 0 };
	struct journal *journal;
	char *bytes, *line, *still;
	struct run run, kept;
	size_t count, same;

	measured_run(&run);
	journal_close(created(context, &run));
	run_free(&run);
	assert_int_equal(file_read(context->file, 1 << 20, &bytes, &count, NULL), 0);
	line = bytes;
	for (int i = 0; i < 4; i++)
		line = strchr(line, '\n') + 1;
	line[2] = '!'; /* {"slot… of the fifth line */
	assert_int_equal(write_atomic(context->file, bytes, count, 0600, NULL), 0);
	assert_int_equal(journal_reopen(context->store, ID, &kept, &journal, &err), -EUCLEAN);
	assert_null(journal);
	assert_non_null(strstr(err.text, ID ".jsonl: line 5 is damaged"));
	assert_non_null(strstr(err.text, "1 series with 2 slots, is kept"));
	assert_int_equal(kept.n_series, 1);
	assert_int_equal(kept.series[0].n_slots, 2);
	assert_int_equal(kept.status, RUN_INTERRUPTED);
	run_free(&kept);
	assert_int_equal(file_read(context->file, 1 << 20, &still, &same, NULL), 0);
	assert_int_equal(same, count);
	assert_memory_equal(still, bytes, count);
	free(still);
	free(bytes);
}

static void bad_lines_say_what_was_expected(void **state)
{
	static const struct {
		const char *line, *text;
	} bads[] = {
		{ "{\"slot\":{},\"series\":9,\"number\":0}",
		  "series: expected an integer from 0 to 1, found 9" },
		{ "{\"slot\":{},\"series\":0,\"number\":9}",
		  "number: expected an integer from 0 to 4, found 9" },
		{ "{\"slot\":{},\"series\":0,\"number\":0}", "slot.block: expected an integer" },
		{ "{\"series\":{},\"number\":3}",
		  "number: expected an integer from 0 to 2, found 3" },
		{ "{\"series\":{},\"number\":2}", "series.test: expected a test id" },
		{ "{\"warnings\":[1]}", "warnings: expected an array of strings" },
		{ "{\"other\":1}", "expected a slot, a series or warnings" },
		{ "{\"warnings\":[],\"more\":1}", "more: expected no member of this name" },
		{ "[]", "expected a slot, a series or warnings, found an array" },
		{ "{\"a\":1", "expected a JSON object" },
	};
	struct context *context = *state;
	struct journal *journal;
	char *bytes, *text;
	struct run run;
	size_t count;

	measured_run(&run);
	journal_close(created(context, &run));
	run_free(&run);
	assert_int_equal(file_read(context->file, 1 << 20, &bytes, &count, NULL), 0);
	for (size_t i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		struct error err = { 0 };

		assert_true(asprintf(&text, "%s%s\n{}\n", bytes, bads[i].line) > 0);
		write_atomic(context->file, text, strlen(text), 0600, NULL);
		assert_int_equal(journal_reopen(context->store, NULL, &run, &journal, &err),
				 -EUCLEAN);
		if (!strstr(err.text, bads[i].text) || !strstr(err.text, "line 9"))
			fail_msg("%s: %s", bads[i].line, err.text);
		run_free(&run);
		free(text);
	}
	free(bytes);
}

static void a_journal_from_a_newer_onproc_is_refused(void **state)
{
	static const char line[] =
		"{\"schema\":\"onproc.journal\",\"schema_version\":7,\"run\":{}}\n";
	struct context *context = *state;
	struct error err = { 0 };
	struct journal *journal;
	struct run run;

	measured_run(&run);
	journal_close(created(context, &run));
	run_free(&run);
	write_atomic(context->file, line, sizeof(line) - 1, 0600, NULL);
	assert_int_equal(journal_reopen(context->store, NULL, &run, &journal, &err), -ENOTSUP);
	assert_non_null(strstr(err.text, "version 7 is from a newer onproc"));
	assert_null(journal);
}

static void only_the_owner_may_read_a_journal(void **state)
{
	struct context *context = *state;
	mode_t mask = umask(0);
	struct stat file;
	struct run run;

	measured_run(&run);
	journal_close(created(context, &run));
	umask(mask);
	assert_int_equal(stat(context->file, &file), 0);
	assert_int_equal(file.st_mode & 07777, 0600);
	assert_int_equal(stat(scratch_file(context->directory, "runs.db.journal.d"), &file), 0);
	assert_int_equal(file.st_mode & 07777, 0700);
	run_free(&run);
}

static void a_journal_whose_writer_lives_is_busy_and_no_orphan(void **state)
{
	struct context *context = *state;
	struct journal *journal, *second;
	struct error err = { 0 };
	char(*ids)[RUN_ID_BYTES];
	struct run run, replayed;
	size_t count;

	measured_run(&run);
	journal = created(context, &run);
	assert_int_equal(journal_orphans(context->store, &ids, &count, &err), 0);
	assert_int_equal(count, 0);
	free(ids);
	assert_int_equal(journal_reopen(context->store, NULL, &replayed, &second, &err), -ENOENT);
	assert_int_equal(journal_reopen(context->store, ID, &replayed, &second, &err), -EBUSY);
	assert_int_equal(journal_remove(context->store, ID, &err), -EBUSY);
	assert_int_equal(journal_create(context->store, &run, &second, &err), -EEXIST);
	/* Removing the run from the store would bring it back by its journal. */
	assert_int_equal(store_save(context->store, &run, &err), 0);
	assert_int_equal(store_remove(context->store, ID, &err), -EBUSY);
	journal_close(journal);
	assert_int_equal(journal_orphans(context->store, &ids, &count, &err), 0);
	assert_int_equal(count, 1);
	assert_string_equal(ids[0], ID);
	free(ids);
	assert_int_equal(store_remove(context->store, ID, &err), 0);
	assert_int_equal(access(context->file, F_OK), -1);
	run_free(&run);
}

static void orphans_are_newest_first_and_found_by_prefix(void **state)
{
	static const char *const ids_made[] = { "20261130-1-a", "20261202-1-a", "20261201-1-a",
						"20261201-1-b" };
	struct context *context = *state;
	struct journal *journal;
	struct error err = { 0 };
	char(*ids)[RUN_ID_BYTES];
	struct run run, replayed;
	size_t count;

	measured_run(&run);
	for (size_t i = 0; i < 4; i++) {
		snprintf(run.id, sizeof(run.id), "%s", ids_made[i]);
		journal_close(created(context, &run));
	}
	/* No journals: another name, a temporary file that a kill left. */
	write_atomic(scratch_file(context->directory, "runs.db.journal.d/notes.txt"), "x", 1, 0600,
		     NULL);
	write_atomic(scratch_file(context->directory, "runs.db.journal.d/.new-abcdef"), "x", 1,
		     0600, NULL);
	assert_int_equal(journal_orphans(context->store, &ids, &count, &err), 0);
	assert_int_equal(count, 4);
	assert_string_equal(ids[0], "20261202-1-a");
	assert_string_equal(ids[3], "20261130-1-a");
	free(ids);
	assert_int_equal(journal_reopen(context->store, "202611", &replayed, &journal, &err), 0);
	assert_string_equal(replayed.id, "20261130-1-a");
	run_free(&replayed);
	journal_close(journal);
	assert_int_equal(journal_reopen(context->store, "20261201", &replayed, &journal, &err),
			 -ENOTUNIQ);
	assert_non_null(strstr(err.text, "20261201-1-b, 20261201-1-a"));
	assert_int_equal(journal_reopen(context->store, "x", &replayed, &journal, &err), -ENOENT);
	assert_int_equal(journal_reopen(context->store, "../x", &replayed, &journal, &err),
			 -ENOENT);
	run_free(&run);
}

static void a_finished_journal_is_removed(void **state)
{
	struct context *context = *state;
	struct run run;

	measured_run(&run);
	assert_int_equal(journal_finish(created(context, &run), NULL), 0);
	assert_int_equal(access(context->file, F_OK), -1);
	run_free(&run);
}

static void opening_the_store_sweeps_journals_of_complete_runs_only(void **state)
{
	struct context *context = *state;
	struct error err = { 0 };
	struct run run;

	measured_run(&run);
	journal_close(created(context, &run));
	run.status = RUN_INTERRUPTED; /* Ctrl-C: stored, and can be resumed */
	assert_int_equal(store_save(context->store, &run, &err), 0);
	store_close(context->store);
	assert_int_equal(
		store_open(scratch_file(context->directory, "runs.db"), &context->store, &err), 0);
	assert_int_equal(access(context->file, F_OK), 0);
	run.status = RUN_COMPLETE; /* killed between the save and journal_finish() */
	assert_int_equal(store_save(context->store, &run, &err), 0);
	store_close(context->store);
	assert_int_equal(
		store_open(scratch_file(context->directory, "runs.db"), &context->store, &err), 0);
	assert_int_equal(access(context->file, F_OK), -1);
	run_free(&run);
}

static void killed_without_warning_the_appended_slots_are_there(void **state)
{
	struct context *context = *state;
	struct journal *journal;
	struct run run, replayed;
	pid_t child = fork();
	int status;

	measured_run(&run);
	if (!child) {
		journal = created(context, &run);
		for (int i = 1; i < 10; i++) {
			fixture_slot(&run.series[0], i);
			append(journal, &run);
		}
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	journal = reopened(context, &replayed);
	assert_int_equal(replayed.series[0].n_slots, 13);
	assert_true(replayed.series[0].slots[12].rate == 9);
	journal_close(journal);
	run_free(&replayed);
	run_free(&run);
}

/* The lock outlives a killed writer as long as a forked child of it does: a moment, waited for. */
static void a_lock_that_a_dying_child_still_holds_is_waited_for(void **state)
{
	struct context *context = *state;
	struct journal *journal;
	struct run run, replayed;
	int gate[2], status;
	pid_t child;

	measured_run(&run);
	journal = created(context, &run);
	assert_int_equal(pipe(gate), 0);
	child = fork();
	if (!child) {
		char byte;

		close(gate[1]);
		(void)!read(gate[0], &byte, 1); /* until the parent is about to reopen */
		usleep(100000);
		_exit(0);
	}
	journal_close(journal); /* the child holds the lock alone */
	close(gate[0]);
	close(gate[1]);
	assert_int_equal(journal_reopen(context->store, ID, &replayed, &journal, NULL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	journal_close(journal);
	run_free(&replayed);
	run_free(&run);
}

static void fill(struct context *context, struct journal *journal, struct run *run, int *rc,
		 struct error *err)
{
	(void)context;
	for (int i = 1; i < 5000 && !*rc; i++) {
		fixture_slot(&run->series[0], i);
		*rc = journal_append(journal, run, err);
	}
}

static void on_a_full_disk_the_journal_stays_whole_and_goes_on_later(void **state)
{
	struct context *context = *state;
	struct error err = { 0 };
	struct journal *journal;
	struct run run, replayed;
	const char *directory = scratch_file(context->directory, "runs.db.journal.d");
	const char *hog = scratch_file(context->directory, "runs.db.journal.d/hog");
	int rc = 0, retried, hog_fd;
	size_t appended;

	mkdir(directory, 0700);
	if (mount("onproc-test", directory, "tmpfs", MS_NOSUID, "size=128k")) {
		print_message("# skipped: mounting a small tmpfs: %s\n", strerror(errno));
		skip();
	}
	hog_fd = open(hog, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	assert_int_equal(posix_fallocate(hog_fd, 0, 64 << 10), 0);
	close(hog_fd);
	measured_run(&run);
	journal = created(context, &run);
	fill(context, journal, &run, &rc, &err);
	assert_int_equal(rc, -ENOSPC);
	assert_non_null(strstr(err.text, context->file));
	assert_ends_with_a_whole_line(context->file);
	appended = run.series[0].n_slots;
	/* Room again: the slot that did not fit is written by the next call. */
	unlink(hog);
	retried = journal_append(journal, &run, &err);
	journal_close(journal);
	journal = reopened(context, &replayed);
	journal_close(journal);
	umount2(directory, MNT_DETACH);
	assert_int_equal(retried, 0);
	assert_int_equal(replayed.series[0].n_slots, appended);
	assert_replayed(&run, &replayed);
	run_free(&replayed);
	run_free(&run);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_journal_replays_to_the_run_that_was_appended),
		TEST(only_what_is_new_is_appended),
		TEST(changed_states_reasons_and_warnings_are_appended),
		TEST(a_last_line_cut_anywhere_costs_that_slot_alone),
		TEST(a_damaged_line_before_the_last_is_named_and_what_precedes_it_kept),
		TEST(bad_lines_say_what_was_expected),
		TEST(a_journal_from_a_newer_onproc_is_refused),
		TEST(only_the_owner_may_read_a_journal),
		TEST(a_journal_whose_writer_lives_is_busy_and_no_orphan),
		TEST(orphans_are_newest_first_and_found_by_prefix),
		TEST(a_finished_journal_is_removed),
		TEST(opening_the_store_sweeps_journals_of_complete_runs_only),
		TEST(killed_without_warning_the_appended_slots_are_there),
		TEST(a_lock_that_a_dying_child_still_holds_is_waited_for),
		TEST(on_a_full_disk_the_journal_stays_whole_and_goes_on_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
