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

# Of a run of two sides one is compared with another run, and every form says which.
one_side_is_named()
{
	fresh
	store plain rate=1000
	store ab ratio=1.05 names=off,on
	expect_status 0 onproc compare plain ab
	expect_stdout_has '^B ab:B \(on\): side B \(set by `./set on`\) of run ab of build1'
	expect_stdout_has '^A plain of build1'
	expect_stdout_has '^pipe .*\+5\.00%.*better$'
	expect_status 0 onproc compare plain ab:A
	expect_stdout_has '^B ab:A \(off\): side A '
	expect_stdout_has '^pipe .*[+-]0\.0[0-9]%.* same$'
	expect_status 0 onproc compare ab:B plain
	expect_stdout_has '^pipe .*-4\.76%.*worse$'
	onproc tag ab tuned
	for form in patch mmtests lkp amd markdown csv; do
		expect_status 0 onproc compare plain tuned:A --format "$form"
		expect_stdout_has 'tuned:A \(off\)'
	done
	expect_status 0 onproc compare plain tuned --format json
	expect_json '.a.side == null and .b.side == "B" and .b.name == "tuned:B (on)"'
	expect_status 0 onproc gate plain ab:A
	expect_status 1 onproc gate ab:B plain
}

side_that_is_none()
{
	fresh
	store plain
	store ab ratio=1.05
	expect_status 129 onproc compare plain ab:C
	expect_stderr_has 'ab:C: expected a run, or one side of it as RUN:A or RUN:B'
	expect_status 129 onproc compare plain :A
	expect_status 129 onproc gate plain ab:
	expect_status 129 onproc compare ab:A
	expect_stderr_has 'a run alone is compared side with side'
	expect_status 129 onproc gate ab:A
	expect_status 128 onproc compare ab plain:A
	expect_stderr_has 'run plain has no side A'
	expect_stdout_empty
}

same_run_twice()
{
	fresh
	store plain
	store ab ratio=1.05
	expect_status 128 onproc compare last last
	expect_stderr_has 'is on both sides'
	expect_status 128 onproc compare plain plain
	expect_stderr_has 'run plain is on both sides: name two runs'
	expect_status 128 onproc gate plain plain
	expect_status 128 onproc compare ab:A ab:B
	expect_stderr_has 'alone it is compared side with side'
}

one_run_is_named_once()
{
	fresh
	store ab ratio=1.05 names=off,on
	expect_status 0 onproc compare ab
	expect_equal 1 "$(grep -c 'ab of build1' "$STDOUT")" 'lines with the run'
	expect_stdout_has '^A off: set by `./set off`$'
	expect_stdout_has '^B on: set by `./set on`$'
	expect_status 0 onproc compare ab --format patch
	expect_stdout_has '^# B on: set by `./set on`$'
	store aa ratio=1
	expect_status 0 onproc compare aa
	expect_stdout_lacks 'A A'
	expect_stdout_lacks 'B B'
}

programs_are_one_difference()
{
	fresh
	store a programs=a
	store b programs=b kernel=6.13.0
	expect_status 0 onproc compare a b
	expect_stdout_has '^3 workload programs were built differently$'
	expect_stdout_has 'warning: 2 members of the environment differ'
	expect_stdout_lacks 'sha256'
	expect_status 0 onproc compare a b --format markdown
	expect_stdout_has '    3 workload programs were built differently$'
	expect_status 0 onproc compare a b --format patch
	expect_stdout_has 'differs between A and B: kernel_release, workload programs'
	expect_status 0 onproc compare a b --format json
	expect_json '[.differences[] | select(.path | startswith("programs."))] | length == 3'
}

# What ab warned of: evidence that depends on the side is an effect of the side.
warnings_of_the_run()
{
	local text='external evidence marks 1 of 24 slots of side A and 9 of 24 of side B: it depends on the side'

	fresh
	store ab ratio=1.05 warning="$text"
	store plain
	for form in terminal markdown json; do
		expect_status 0 onproc compare ab --format "$form"
		tr -s ' \n' ' ' <"$STDOUT" | grep -qF "$text" || fail "$form" "$(cat "$STDOUT")"
		expect_status 0 onproc compare plain ab --format "$form"
		tr -s ' \n' ' ' <"$STDOUT" | grep -qF "B: $text" || fail "$form" "$(cat "$STDOUT")"
	done
	expect_status 0 onproc gate ab
	expect_stderr_has 'it depends on the side'
}

# compare and gate ask other questions, and say so.
forecasts_say_of_what()
{
	fresh
	store a noise=0.1
	store b noise=0.1
	expect_status 0 onproc compare a b
	expect_stdout_has '^inconclusive; further slots a side expected until a verdict: pipe [0-9]+'
	expect_status 125 onproc gate a b
	tr -s ' \n' ' ' <"$STDOUT" | grep -qE \
		'further slots a side expected: [0-9]+ until it is shown to be worse by more than the margin, or not' ||
		fail 'a forecast' "$(cat "$STDOUT")"
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
	expect_json '.index == null and .indexes == []'
	fresh
	store a tests=pipe,execl
	store b tests=pipe,execl rate=1020
	expect_status 0 onproc compare a b --format json
	expect_json '.index.tests == 2 and .index.tests_full == 12'
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

# A stored plan that is damaged takes the names and the margin with it, not the comparison.
damaged_sides()
{
	local filter

	fresh
	store ab ratio=1.05 names=off,on
	for filter in '.run.plan.sides = 5' '.run.plan.sides.A = []' '.run.plan.sides.B.name = 7' \
		'.run.plan.sides.A.environment = ["x", null, {}]' '.run.plan.sides.margin = 1e308' \
		'.run.plan.sides.alpha = "x"' '.run.plan.looks = "x"' '.run.plan.command = {"text_b": 3}' \
		'.run.plan.sides.A.setup = "\u001b[31m\n"' 'del(.run.plan.sides.A)' '.run.plan = null'; do
		fresh
		jq "$filter | if .run.plan == null then .run.plan_reason = \"none\" else . end" \
			"$TMPDIR/made.json" >"$TMPDIR/damaged.json"
		onproc import "$TMPDIR/damaged.json" >/dev/null
		expect_status 0 onproc show last
		for form in terminal patch markdown json; do
			expect_status 0 onproc compare last --format "$form"
			expect_stdout_lacks $'\033'
		done
		expect_status 0 onproc gate last
		expect_status 128 onproc gate --against last
	done
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
behaviour compare_says_which_side_of_a_run_takes_part one_side_is_named
behaviour compare_refuses_a_side_that_is_none side_that_is_none
behaviour compare_refuses_a_run_with_itself same_run_twice
behaviour compare_names_one_run_once_and_says_what_its_sides_are one_run_is_named_once
behaviour compare_lists_all_programs_in_one_line programs_are_one_difference
behaviour compare_repeats_what_the_run_was_warned_of warnings_of_the_run
behaviour forecasts_of_compare_and_gate_say_of_what_they_are forecasts_say_of_what
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
behaviour compare_reads_a_run_whose_sides_are_damaged damaged_sides

plan_done
