#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# import-tables.sh - tables of UnixBench in mails: each column or table is a run with the published score.
. "${SOURCE:?}/tests/lib.sh"
. "$SOURCE/tests/behaviour/store/import-lib.sh"

# The scores of these tables are those that their mails print.
index_tables()
{
	import_file "$data/index-tables.txt"
	expect_equal '[7923.3,8248.8,7756.6,8157.8]' "$(printed_scores)"
	expect_no_warning_of_a_score
	has 'all(.[]; .series | length == 12)'
	has '.[1].run.environment.imported.label == "Index tables of a 40-CPU server, after"'
}

results_in_columns()
{
	import_file "$data/table-results.txt"
	expect_equal '[1835.1,1327.6]' "$(printed_scores)"
	expect_no_warning_of_a_score
	has '[.[].run.environment.imported.label] == ["after", "before"]'
	expect_equal 34600751 "$(($(value unixbench6/dhry2reg@1) - 300000000))" 'Dhrystone after'
	has 'all(.[].series[]; .content_hash == null)'
}

indexes_in_columns()
{
	import_file "$data/table-indexes.txt"
	# 1409.946…, 1885.750… and 2128.516…: within what the printed digits of rows and score allow
	expect_equal '[1409.9,1885.8,2128.5]' "$(printed_scores)"
	expect_no_warning_of_a_score
	has '[.[].run.environment.imported.scores[0].printed] == [1410.0, 1885.8, 2128.5]'
	has '[.[].run.environment.imported.label] == ["base", "host patched", "guest patched"]'
	has '.[0].series[0].note | contains("from the index 29164")'
}

copies_in_rows()
{
	import_file "$data/table-copies.txt"
	has '[.[].run.environment.imported.label] == ["one line", "two lines", "padded"]'
	has '[.[1].series[] | [.test, .copies, (.index * 10 | round)]] | .[4] == ["unixbench6/context1@1", 96, 429478]'
	has '[.[2].series[].copies] == [1, 24, 48, 72, 96]'
	expect_stderr_has 'line 4: nothing says whether the column "one line" has results or indexes: taken as indexes'
}

# rows of label, value: a table in markdown
markdown()
{
	cat <<-'END'
		| Test | Before | After | Change |
		|------|-------:|------:|-------:|
		| Execl Throughput | 43,000.0 | 86,000.0 | +100.0% |
		| Pipe Throughput | 12440000.0 | 12440000.0 | +0.0% |
		| System Benchmarks Index Score (Partial Only) | 10000.0 | 14142.1 | +41.4% |
	END
}

the_score_tells_results_from_indexes()
{
	markdown >results.md
	import_file results.md
	# 10 × √(1000 · 1000) and 10 × √(2000 · 1000)
	expect_equal '[10000,14142.1]' "$(printed_scores)"
	expect_stderr_lacks 'nothing says'
	markdown | sed 's/| 10000.0 | 14142.1/| 731382.3 | 1034330.7/' >indexes.md
	import_file indexes.md
	# √(43000 · 12440000) and √(86000 · 12440000)
	expect_equal '[731382.3,1034330.7]' "$(printed_scores)"
}

a_baseline_of_another_machine_is_a_run()
{
	markdown | sed 's/Before/Baseline/' >results.md
	import_file results.md
	has '[.[].run.environment.imported.label] == ["baseline", "After"]'
	# below it, UnixBench's own are none
	cat >with-baselines.md <<-'END'
		| Test | BASELINE | RESULT | INDEX |
		|------|---------:|-------:|------:|
		| Execl Throughput | 43.0 | 43000.0 | 10000.0 |
		| Pipe Throughput | 12440.0 | 12440000.0 | 10000.0 |
		| System Benchmarks Index Score (Partial Only) | | | 10000.0 |
	END
	import_file with-baselines.md
	expect_equal '[10000]' "$(printed_scores)"
	has '.[0].run.environment.imported.scores[0].printed == 10000'
}

changes_are_no_runs()
{
	markdown >results.md
	import_file results.md
	has 'length == 2'
	has '.[0].series[0].estimate.value == 43000'
}

without_borders()
{
	cat >plain <<-'END'
		                                       base      patched
		Execl Throughput                       4300.0    8600.0  (+100%)
		Pipe Throughput                     1244000.0    1244000.0  (+0.0%)
		System Benchmarks Index Score          1000.0    1414.2
	END
	import_file plain
	expect_equal '[1000,1414.2]' "$(printed_scores)"
	has '[.[].run.environment.imported.label] == ["base", "patched"]'
}

a_wrong_score_is_said()
{
	sed 's/1410\.0/1420.0/' "$data/table-indexes.txt" >wrong
	import_file wrong
	expect_stderr_has 'line 19: the printed index score 1420\.0 is not that of its 12 rows, 1409\.9'
	has '.[0].run.environment.imported.scores[0].printed == 1420'
}

a_score_within_its_digits_is_not()
{
	sed 's/1410\.0/1409.9/' "$data/table-indexes.txt" >near
	import_file near
	expect_no_warning_of_a_score
}

a_cut_table_keeps_its_whole_rows()
{
	# in the last number of System Call Overhead: "34" of 3497.9
	head -n 17 "$data/table-indexes.txt" | head -c -6 >cut.txt
	import_file cut.txt
	has '[.[].series | length] == [12, 12, 11]'
	expect_stderr_has 'line 17: System Call Overhead has no number in the column "guest patched"'
	expect_stderr_has 'the column "base" has no index score'
}

a_damaged_cell_is_said()
{
	sed 's/29156\.9/29l56.9/' "$data/table-indexes.txt" >damaged
	import_file damaged
	expect_stderr_has 'line 6: Dhrystone 2 using register variables has no number in the column "host patched"'
	has '[.[].series | length] == [12, 11, 12]'
}

quoted_printable()
{
	{
		printf 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n'
		sed 's/=/=3D/g; s/  */&=20/; s/BASELINE  /BASELINE=\n  /' "$data/index-tables.txt"
	} >mail
	import_file mail
	expect_equal '[7923.3,8248.8,7756.6,8157.8]' "$(printed_scores)"
}

drawn_in_unicode()
{
	sed 's/|/│/g; s/+-/┼─/g' "$data/table-results.txt" >drawn
	import_file drawn
	expect_equal '[1835.1,1327.6]' "$(printed_scores)"
}

every_prefix_is_read_without_harm()
{
	local bytes size

	for name in table-results table-indexes table-copies; do
		size=$(wc -c <"$data/$name.txt")
		for ((bytes = 1; bytes < size; bytes += 97)); do
			head -c "$bytes" "$data/$name.txt" >cut.txt
			run "$ONPROC" import --db "$db" cut.txt
			[ "$STATUS" -eq 0 ] || [ "$STATUS" -eq 128 ] ||
				fail 'status 0 or 128' "$STATUS after $bytes bytes of $name"
		done
	done
}

# A row of no test of UnixBench ends no table: with numbers it is a test of its own, else it is said.
unknown_rows()
{
	cat >bordered.txt <<-'END'
	| test | before | after |
	|---|---|---|
	| Fancy New Throughput | 123.4 | 456.7 |
	| Dhrystone 2 using register variables | 33641052.1 | 33641052.2 |
	| Another One | 3.4 | 4.7 |
	| Something Else | n/a | n/a |
	| Pipe Throughput | 1040000.0 | 1050000.0 |
	| System Call Overhead | - | - |
	| Execl Throughput | 1400.5 | 1401.5 |
	END
	import_file bordered.txt
	has 'length == 2 and ([.[0].series[].test] | length == 4)'
	has '.[1].series[] | select(.test == "unixbench/another-one@1") | .estimate.value == 4.7'
	expect_stderr_has 'line 3: "Fancy New Throughput" is no test of UnixBench: its row is left out'
	expect_stderr_has 'line 6: "Something Else" is no test of UnixBench'
	expect_stderr_has 'line 8: System Call Overhead has no number in the column "after"'
	cat >plain.txt <<-'END'
	Results of UnixBench:

	                                      before     after
	Dhrystone 2 using register variables  33641052.1  33641052.2
	Fancy New Throughput                  123.4       456.7
	Pipe Throughput                       1040000.0   1050000.0
	END
	import_file plain.txt
	has 'length == 2 and ([.[0].series[].test] | length == 3)'
	has '.[0].run.environment.imported.label == "before"'
}

behaviour rows_of_unknown_tests_are_kept_or_said_with_their_line unknown_rows
behaviour index_tables_give_the_published_scores index_tables
behaviour results_in_wrapped_quoted_columns_give_the_published_scores results_in_columns
behaviour indexes_in_columns_give_the_published_scores indexes_in_columns
behaviour copies_in_rows_are_series_of_one_test copies_in_rows
behaviour the_score_tells_results_from_indexes the_score_tells_results_from_indexes
behaviour a_column_called_baseline_is_a_run_unless_it_has_those_of_unixbench \
	a_baseline_of_another_machine_is_a_run
behaviour a_column_of_changes_is_no_run changes_are_no_runs
behaviour a_table_without_borders_is_one without_borders
behaviour a_score_that_its_rows_do_not_give_is_said_with_its_line a_wrong_score_is_said
behaviour a_score_within_what_its_digits_allow_is_not_said a_score_within_its_digits_is_not
behaviour a_table_that_was_cut_in_a_number_keeps_its_whole_rows a_cut_table_keeps_its_whole_rows
behaviour a_damaged_number_is_said_with_line_and_column a_damaged_cell_is_said
behaviour a_quoted_printable_mail_is_decoded quoted_printable
behaviour a_table_drawn_in_unicode_is_one drawn_in_unicode
behaviour every_prefix_of_a_table_is_read_without_harm every_prefix_is_read_without_harm

plan_done
