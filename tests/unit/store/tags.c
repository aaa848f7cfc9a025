// SPDX-License-Identifier: GPL-2.0-or-later
/* tags.c - names of runs, the rates of a run alone, and one test over all runs. */
#include "fixture.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEEN_BYTES 100

struct context {
	char directory[64];
	char *path;
	struct store *store;
	struct error err;
};

static int setup(void **state)
{
	struct context *context = calloc(1, sizeof(*context));

	scratch_make(context->directory);
	context->path = strdup(scratch_file(context->directory, "runs.db"));
	if (store_open(context->path, &context->store, &context->err))
		return -1;
	*state = context;
	return 0;
}

static int teardown(void **state)
{
	struct context *context = *state;

	store_close(context->store);
	scratch_remove(context->directory);
	free(context->path);
	free(context);
	return 0;
}

static void save(struct context *context, const char *id, uint64_t created_s)
{
	struct run run;

	fixture_run(&run, id);
	run.created_s = created_s;
	if (store_save(context->store, &run, &context->err))
		fail_msg("%s", context->err.text);
	run_free(&run);
}

static void tag(struct context *context, const char *id, const char *name)
{
	if (store_tag(context->store, id, name, &context->err))
		fail_msg("%s", context->err.text);
}

static void assert_resolves(struct context *context, const char *name, const char *id)
{
	char full[RUN_ID_BYTES];

	if (store_resolve(context->store, name, full, &context->err))
		fail_msg("%s", context->err.text);
	assert_string_equal(full, id);
}

static int resolve(struct context *context, const char *name)
{
	char full[RUN_ID_BYTES];

	return store_resolve(context->store, name, full, &context->err);
}

static void a_tag_names_the_run_that_got_it_last(void **state)
{
	struct context *context = *state;

	save(context, "1-old", 10);
	save(context, "2-new", 20);
	tag(context, "2-new", "base");
	tag(context, "1-old", "base");
	assert_resolves(context, "base", "1-old");
	tag(context, "last", "base");
	assert_resolves(context, "base", "2-new");
}

static void a_tag_keeps_all_of_its_runs(void **state)
{
	struct context *context = *state;
	char(*ids)[RUN_ID_BYTES];
	size_t count;

	save(context, "1-old", 10);
	save(context, "2-new", 20);
	tag(context, "1-old", "boots");
	tag(context, "2-new", "boots");
	assert_int_equal(store_tagged(context->store, "boots", &ids, &count, &context->err), 0);
	assert_int_equal(count, 2);
	assert_string_equal(ids[0], "2-new");
	assert_string_equal(ids[1], "1-old");
	free(ids);
	assert_int_equal(store_tagged(context->store, "other", &ids, &count, &context->err), 0);
	assert_int_equal(count, 0);
	free(ids);
}

static void an_id_comes_before_a_tag_and_a_tag_before_a_beginning(void **state)
{
	struct context *context = *state;

	save(context, "abc", 10);
	save(context, "xyz", 20);
	assert_int_equal(store_tag(context->store, "xyz", "abc", &context->err), -EEXIST);
	tag(context, "xyz", "ab");
	assert_resolves(context, "abc", "abc");
	assert_resolves(context, "ab", "xyz");
	/* a run that comes later may have the id that is a tag */
	tag(context, "xyz", "later");
	save(context, "later", 5);
	assert_resolves(context, "later", "later");
}

static void names_that_could_be_something_else_are_refused(void **state)
{
	static const char *const names[] = { "",	"last", "last~1", "latest,a", "7up",
					     "-delete", "a b",	"a\n",	  "../x~",    "lastly" };
	struct context *context = *state;
	char longest[TAG_BYTES + 1];

	save(context, "abc", 10);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(store_tag(context->store, "abc", names[i], &context->err),
				 -EINVAL);
	memset(longest, 'a', TAG_BYTES);
	longest[TAG_BYTES] = '\0';
	assert_int_equal(store_tag(context->store, "abc", longest, &context->err), -EINVAL);
	longest[TAG_BYTES - 1] = '\0';
	assert_int_equal(store_tag(context->store, "abc", longest, &context->err), 0);
}

static void a_tag_is_taken_away_from_one_run_or_from_all(void **state)
{
	struct context *context = *state;

	save(context, "1-old", 10);
	save(context, "2-new", 20);
	tag(context, "1-old", "x");
	tag(context, "2-new", "x");
	assert_int_equal(store_untag(context->store, "2-new", "x", &context->err), 0);
	assert_resolves(context, "x", "1-old");
	assert_int_equal(store_untag(context->store, "2-new", "x", &context->err), -ENOENT);
	tag(context, "2-new", "x");
	assert_int_equal(store_untag(context->store, NULL, "x", &context->err), 0);
	assert_int_equal(resolve(context, "x"), -ENOENT);
	assert_int_equal(store_untag(context->store, NULL, "x", &context->err), -ENOENT);
}

static void a_run_that_is_saved_again_keeps_its_tags(void **state)
{
	struct context *context = *state;

	save(context, "abc", 10);
	tag(context, "abc", "x");
	save(context, "abc", 11);
	assert_resolves(context, "x", "abc");
}

static void a_run_that_is_removed_takes_its_tags_along(void **state)
{
	struct context *context = *state;

	save(context, "abc", 10);
	tag(context, "abc", "x");
	assert_int_equal(store_remove(context->store, "x", &context->err), 0);
	assert_int_equal(resolve(context, "x"), -ENOENT);
}

static void a_list_shows_tags_in_order(void **state)
{
	struct context *context = *state;
	struct run_head *heads;
	size_t count;

	save(context, "abc", 10);
	tag(context, "abc", "y");
	tag(context, "abc", "z");
	tag(context, "abc", "x");
	assert_int_equal(store_list(context->store, &heads, &count, &context->err), 0);
	assert_int_equal(count, 1);
	assert_int_equal(json_array_size(heads[0].tags), 3);
	assert_string_equal(json_string_value(json_array_get(heads[0].tags, 0)), "x");
	assert_string_equal(json_string_value(json_array_get(heads[0].tags, 2)), "z");
	run_heads_free(heads, count);
}

static void sql(const struct context *context, const char *statement)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(context->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, statement, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void a_database_without_tags_gets_them(void **state)
{
	struct context *context = *state;

	save(context, "abc", 10);
	store_close(context->store);
	context->store = NULL;
	sql(context, "DROP TABLE tag; PRAGMA user_version=1");
	if (store_open(context->path, &context->store, &context->err))
		fail_msg("%s", context->err.text);
	tag(context, "abc", "x");
	assert_resolves(context, "x", "abc");
}

static void rates_alone_are_those_of_the_whole_run(void **state)
{
	struct context *context = *state;
	struct run whole, rates;

	save(context, "abc", 10);
	assert_int_equal(store_load(context->store, "abc", &whole, &context->err), 0);
	assert_int_equal(store_load_rates(context->store, "abc", &rates, &context->err), 0);
	assert_int_equal(rates.n_series, whole.n_series);
	assert_true(whole.n_series > 0 && whole.series[0].n_slots > 0);
	for (size_t i = 0; i < whole.n_series; i++) {
		const struct series *a = &whole.series[i], *b = &rates.series[i];

		assert_int_equal(a->n_slots, b->n_slots);
		for (size_t k = 0; k < a->n_slots; k++) {
			assert_int_equal(a->slots[k].status, b->slots[k].status);
			assert_int_equal(a->slots[k].block, b->slots[k].block);
			assert_int_equal(a->slots[k].ordinal, b->slots[k].ordinal);
			assert_int_equal(isnan(a->slots[k].rate), isnan(b->slots[k].rate));
			assert_true(isnan(a->slots[k].rate) ||
				    a->slots[k].rate == b->slots[k].rate);
			assert_null(b->slots[k].evidence);
		}
	}
	run_free(&whole);
	run_free(&rates);
}

static void damage(struct context *context, const char *statement, const char *part)
{
	struct run run;

	save(context, "abc", 10);
	sql(context, statement);
	assert_int_equal(store_load_rates(context->store, "abc", &run, &context->err), -EUCLEAN);
	if (!strstr(context->err.text, part))
		fail_msg("expected \"%s\" in: %s", part, context->err.text);
}

static void rates_of_a_damaged_run_are_refused_with_their_place(void **state)
{
	struct context *context = *state;

	damage(context, "UPDATE slot SET rate=-1 WHERE status='ok'", ".rate: expected");
	damage(context, "UPDATE slot SET rate='fast' WHERE status='ok'", ".rate: expected");
	damage(context, "UPDATE slot SET rate=NULL WHERE status='ok'", ".rate: expected");
	damage(context, "UPDATE slot SET status='odd'", ".status: expected");
	damage(context, "UPDATE slot SET block=-1", ".block: expected");
	damage(context, "UPDATE slot SET ordinal=4294967296", ".ordinal: expected");
}

static int count_run(struct run *run, void *context)
{
	char *seen = context;
	size_t used = strlen(seen);

	assert_int_equal(run->n_series, 1);
	assert_int_equal(run->series[0].n_slots, 0);
	snprintf(seen + used, SEEN_BYTES - used, "%s ", run->id);
	return 0;
}

static void one_test_is_read_over_all_runs_oldest_first(void **state)
{
	struct context *context = *state;
	char seen[SEEN_BYTES] = "";
	struct run run;
	size_t ids;

	save(context, "b", 20);
	save(context, "a", 30);
	save(context, "c", 10);
	assert_int_equal(store_load(context->store, "a", &run, &context->err), 0);
	assert_int_equal(store_each_of_test(context->store, run.series[0].test,
					    run.series[0].copies, count_run, seen, &ids,
					    &context->err),
			 0);
	assert_string_equal(seen, "c b a ");
	assert_int_equal(ids, 1);
	seen[0] = '\0';
	assert_int_equal(store_each_of_test(context->store, "no-such", 0, count_run, seen, &ids,
					    &context->err),
			 0);
	assert_int_equal(ids, 0);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_tag_names_the_run_that_got_it_last, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_tag_keeps_all_of_its_runs, setup, teardown),
		cmocka_unit_test_setup_teardown(
			an_id_comes_before_a_tag_and_a_tag_before_a_beginning, setup, teardown),
		cmocka_unit_test_setup_teardown(names_that_could_be_something_else_are_refused,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_tag_is_taken_away_from_one_run_or_from_all, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_run_that_is_saved_again_keeps_its_tags, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_run_that_is_removed_takes_its_tags_along, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_list_shows_tags_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(a_database_without_tags_gets_them, setup, teardown),
		cmocka_unit_test_setup_teardown(rates_alone_are_those_of_the_whole_run, setup,
						teardown),
		cmocka_unit_test_setup_teardown(rates_of_a_damaged_run_are_refused_with_their_place,
						setup, teardown),
		cmocka_unit_test_setup_teardown(one_test_is_read_over_all_runs_oldest_first, setup,
						teardown),
	};

	return cmocka_run_group_tests_name("store/tags", tests, NULL, NULL);
}
