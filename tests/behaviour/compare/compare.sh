#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# compare.sh - stored runs against each other: verdicts, refusals, forms.
. "${SOURCE:?}/tests/behaviour/compare/lib.sh"

better()
{
	fresh
	store a tests=pipe,execl
	store b tests=pipe,execl rate=1020 kernel=6.13.0
	expect_status 0 onproc compare a b
	expect_stderr_empty
	expect_stdout_has '^pipe .*\+2\.00%.* better$'
	expect_stdout_has '^index/2 .*\+2\.00%.* better$'
	expect_stdout_has '^not interleaved: drift not controlled$'
	expect_stdout_has '^- kernel_release: 6\.12\.0$'
	expect_stdout_has '^\+ kernel_release: 6\.13\.0$'
}

sides()
{
	fresh
	store ab ratio=0.97
	expect_status 0 onproc compare ab
	expect_stdout_has '12 blocks ABBA'
	expect_stdout_has '^pipe .*-3\.00%.* worse$'
	expect_stdout_lacks 'not interleaved'
}

one_run_without_sides()
{
	fresh
	store a
	expect_status 128 onproc compare a
	expect_stderr_has 'run a has no two sides: name two runs'
	expect_stdout_empty
}

several()
{
	fresh
	store a
	store b rate=1020
	store c rate=980
	expect_status 0 onproc compare a b c --format json
	expect_json 'length == 2 and .[0].b.run == "b" and .[1].b.run == "c" and all(.[]; .a.run == "a")'
	expect_json '.[0].tests[0].verdict == "better" and .[1].tests[0].verdict == "worse"'
}

json()
{
	fresh
	store a
	store b rate=1020
	expect_status 0 onproc compare a b --format json
	expect_json '.schema == "onproc.comparison" and .schema_version == 1 and .design == "unpaired"'
	expect_json '(.tests[0].ratio - 1.02 | fabs) < 1e-9 and .tests[0].lo < .tests[0].ratio'
	expect_json '.index.tests == 1 and .index.tests_full == 12'
}

# refused REASON KEY=VALUE...: b is spoilt so, and is the only test.
refused()
{
	fresh
	store a
	store b "${@:2}"
	expect_status 128 onproc compare a b
	expect_stdout_empty
	expect_stderr_has "a and b: nothing can be compared: .*$1"
}

refuses_version()
{
	refused 'A is unixbench6/pipe@1, B is unixbench6/pipe@2' version=2
}

refuses_hash()
{
	refused 'content hashes differ' hash=b
}

refuses_unit()
{
	refused 'A is in lps, B in KBps' unit=KBps
}

refuses_other_test()
{
	refused 'only in A' tests=execl
}

warns_of_unknown_hash()
{
	fresh
	store a imported=1
	store b imported=1 rate=1041.1
	expect_status 0 onproc compare a b
	expect_stdout_has '^pipe .*\+4\.11%.*no interval'
	expect_stdout_has 'n=1, no interval: pipe'
	expect_stdout_has '^warning: the content hash of 1 test is not known'
}

one_test()
{
	fresh
	store a tests=pipe,execl
	store b tests=pipe,execl
	expect_status 0 onproc compare a b --test execl
	expect_stdout_has '^execl'
	expect_stdout_lacks '^pipe'
	expect_status 128 onproc compare a b --test nosuch
	expect_stderr_has 'nosuch: neither side has such a test'
}

sweep()
{
	fresh
	store a copies=1,2,4,8
	store b copies=1,2,4,8 rate=1020
	expect_status 0 onproc compare a b
	expect_equal 4 "$(grep -cE '^[1248] (copy|copies) .*\+2\.00%.* better$' "$STDOUT")" rows
}

margin_and_alpha()
{
	fresh
	store a
	store b rate=1020
	expect_status 0 onproc compare a b --margin 5% --alpha 1%
	expect_stdout_has '^99% intervals, margin 5%'
	expect_stdout_has 'better triv\.$'
	expect_status 129 onproc compare a b --margin 0
	expect_status 129 onproc compare a b --format xml
	expect_status 129 onproc compare
}

boots()
{
	local i

	fresh
	for i in 1 2 3 4; do
		store "a$i" "rate=100$i"
		store "b$i" "rate=110$i"
	done
	expect_status 0 onproc compare --unit boot a1,a2,a3,a4 b1,b2,b3,b4
	expect_stdout_has '4 boots a side'
	expect_stdout_has '^pipe .* better$'
	expect_stdout_has 'pipe@1 at 1: [0-9]+ boots a side are needed'
	for i in 1 2 3 4; do
		onproc tag "a$i" before
		onproc tag "b$i" after
	done
	expect_status 0 onproc compare --unit boot before after
	expect_stdout_has '^A before: run a'
	expect_stdout_has '4 boots a side'
	expect_status 128 onproc compare --unit boot a1,a2 a2,b1
	expect_stderr_has 'of one boot, and of both sides'
	expect_status 128 onproc compare --unit boot a1,a1 b1
	expect_stderr_has 'run a1 is in the list already'
	expect_status 128 onproc compare --unit boot a1
	expect_stderr_has 'give the runs of two sides'
}

patch_columns()
{
	fresh
	store a tests=pipe,whetstone-double,execl copies=1,16
	store b tests=pipe,whetstone-double,execl copies=1,16 rate=1020 kernel=6.13.0-with-a-long-local-version-of-somebody
	expect_status 0 onproc compare a b --format patch
	expect_stdout_lacks '^.{73}'
	expect_stdout_has '^# onproc compare: .*not interleaved'
	expect_stdout_has 'higher = better'
}

to_a_file()
{
	fresh
	store a
	store b
	expect_status 0 onproc compare a b --output out.txt
	expect_stdout_empty
	expect_file out.txt '^pipe .* same$'
}

# Index scores that were published for one change on two settings.
published()
{
	local ids

	fresh
	mapfile -t ids < <(onproc import "$SOURCE/tests/data/import/index-tables.txt" 2>/dev/null)
	expect_status 0 onproc compare "${ids[0]}" "${ids[1]}"
	expect_stdout_has '^index/12 +7923\.3 +8248\.8 +\+4\.11% +no interval'
	expect_stdout_has 'n=1, no interval'
	expect_status 0 onproc compare "${ids[2]}" "${ids[3]}"
	expect_stdout_has '^index/12 +7756\.6 +8157\.8 '
}

unknown_run()
{
	fresh
	store a
	expect_status 128 onproc compare a nosuch
	expect_stderr_has 'nosuch: no such run'
}

behaviour compare_finds_what_is_better_and_shows_what_differs better
behaviour compare_pairs_the_sides_of_one_run sides
behaviour compare_of_one_run_without_sides_says_what_to_do one_run_without_sides
behaviour compare_takes_each_run_against_the_first several
behaviour compare_writes_a_document json
behaviour compare_refuses_another_version refuses_version
behaviour compare_refuses_another_content_hash refuses_hash
behaviour compare_refuses_another_unit refuses_unit
behaviour compare_refuses_runs_without_a_test_in_common refuses_other_test
behaviour compare_of_imports_warns_and_has_no_interval warns_of_unknown_hash
behaviour compare_of_published_tables_shows_their_index_scores published
behaviour compare_can_be_asked_for_one_test one_test
behaviour compare_of_sweeps_has_a_ratio_at_each_copy_count sweep
behaviour compare_takes_margin_and_alpha margin_and_alpha
behaviour compare_by_boots_groups_lists_and_tags boots
behaviour compare_for_patches_keeps_to_72_columns patch_columns
behaviour compare_writes_to_a_file to_a_file
behaviour compare_names_a_run_that_is_not_there unknown_run

plan_done
