#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bare-form.sh - the command line of the workload programs, and what their bare form leaves behind.
. "${SOURCE:?}/tests/lib.sh"

WORK=$BUILD/src/workload
HANOI=$WORK/onproc-work-hanoi

refused()
{
	expect_status 2 "$@"
	expect_stdout_empty
	expect_stderr_has '^usage: .*TEST COPY'
}

words()
{
	refused "$HANOI"
	refused "$HANOI" hanoi
	refused "$HANOI" pipe 0
	expect_stderr_has 'no such test here: pipe'
	refused "$HANOI" hanoi one
	refused "$HANOI" hanoi -1
	refused "$HANOI" hanoi 4294967296
	refused "$HANOI" hanoi 0 0
	refused "$HANOI" hanoi --bare
	refused "$HANOI" hanoi --bare 0
	refused "$HANOI" hanoi --bare 10x
	refused "$HANOI" hanoi --bare 10 -1
	refused "$HANOI" hanoi --bare 10 0 discs=3
	refused "$HANOI" hanoi --bare 99999999999999999999
}

no_page()
{
	refused "$HANOI" hanoi 0 3<&-
	expect_stderr_has 'no shared page on descriptor 3'
	refused "$HANOI" hanoi 0 3<"$SOURCE/tests/lib.sh"
}

count_and_time()
{
	local count ns

	expect_status 0 "$HANOI" unixbench6/hanoi --bare 20 10
	expect_stderr_empty
	read -r count ns <"$STDOUT"
	expect_stdout_is "$count $ns"
	expect_true 'a count' test "$count" -gt 0
	expect_true '20 ms or more' test "$ns" -ge 20000000
}

# A bare run that was killed holds its directory no more: the next bench in the same place sweeps it.
left_scratch_is_swept()
{
	mkdir sweep
	TMPDIR=$PWD/sweep background "$WORK/onproc-work-fs" fstime --bare 600000
	wait_until compgen -G 'sweep/onproc-bare-*/.onproc-scratch'
	expect_status 0 "$ONPROC" bench hanoi -c 1 --slots 1 --slot-time 20ms --warmup 0 --dir "$PWD/sweep"
	expect_true 'the directory of a living run' compgen -G 'sweep/onproc-bare-*'
	kill -KILL "$BACKGROUND"
	wait "$BACKGROUND" 2>/dev/null || true
	expect_status 0 "$ONPROC" bench hanoi -c 1 --slots 1 --slot-time 20ms --warmup 0 --dir "$PWD/sweep"
	expect_equal '' "$(ls -A sweep)" 'left in TMPDIR'
}

scratch()
{
	mkdir scratch
	TMPDIR=$PWD/scratch expect_status 0 "$WORK/onproc-work-fs" fstime --bare 20
	expect_equal '' "$(ls -A scratch)" 'left in TMPDIR'
	TMPDIR=$PWD/scratch expect_status 0 "$WORK/onproc-work-execl" execl --bare 20
	expect_equal '' "$(ls -A scratch)" 'left in TMPDIR'
}

no_scratch()
{
	TMPDIR=/nowhere expect_status 1 "$HANOI" hanoi --bare 20
	expect_stderr_has 'scratch directory.*No such file'
}

sections()
{
	expect_status 0 "$WORK/onproc-work-whet" whetstone-full --bare 50
	expect_equal 8 "$(grep -cE '^N[1-8] .* ns a pass' "$STDERR")" 'sections'
}

real_calls()
{
	local callee

	need_tool objdump
	skip_if_sanitized 'calls are instrumented'
	objdump -d "$WORK/onproc-work-dhry" |
		awk '/^[0-9a-f]+ <.*>:$/ { inside = /<dhry_loop>|<dhry_record_follow>/ } inside' >loop
	for callee in texts_compare numbers_add arrays_store letters_compare kind_map; do
		expect_file loop "(call|bl) .*<dhry_$callee>"
	done
}

behaviour bad_words_are_refused_with_the_usage words
behaviour a_copy_without_a_page_is_refused no_page
behaviour the_bare_form_prints_count_and_time count_and_time
behaviour the_scratch_directory_is_removed scratch
behaviour a_scratch_directory_that_a_killed_run_left_is_swept left_scratch_is_swept
behaviour a_missing_scratch_parent_is_named no_scratch
behaviour whetstone_reports_its_eight_sections sections
behaviour calls_between_the_units_of_dhrystone_stay_calls real_calls

plan_done
