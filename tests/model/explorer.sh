#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# explorer.sh - what the explorer promises beside its findings: replay, seeds, bounds, weakening.
. "${SOURCE:?}/tests/lib.sh"
skip_if_sanitized 'what is found does not depend on it'

clients=$BUILD/tests/model

# The trace of a failing execution, without the line that says how to run it again.
trace_of()
{
	grep -E '^# +[0-9]+  T[0-9]' "$STDOUT"
}

replays()
{
	expect_status 1 "$@"
	trace_of >"$TMPDIR/first"
	expect_file "$TMPDIR/first" 'T2'
	again=$(sed -n 's/^# again: [^ ]* //p' "$STDOUT")
	# shellcheck disable=SC2086 # several options
	expect_status 1 "$1" $again
	trace_of >"$TMPDIR/second"
	expect_true 'the same trace twice' cmp "$TMPDIR/first" "$TMPDIR/second"
}
behaviour explorer_replays_a_failing_execution_of_a_search replays "$clients/toy-mcs-tail"
behaviour explorer_replays_a_failing_execution_that_was_drawn \
	replays "$clients/toy-futex-look" --drawn=10000 --seed=7

same_seed()
{
	expect_status 1 "$clients/toy-futex-wake" --drawn=10000 --seed=11
	grep -v '^# again' "$STDOUT" >"$TMPDIR/first"
	expect_stdout_has 'seed 11'
	expect_status 1 "$clients/toy-futex-wake" --drawn=10000 --seed=11
	grep -v '^# again' "$STDOUT" >"$TMPDIR/second"
	expect_true 'the same findings' cmp "$TMPDIR/first" "$TMPDIR/second"
}
behaviour explorer_draws_the_same_executions_from_the_same_seed same_seed

bounded()
{
	expect_status 0 "$clients/toy-mcs-none" --preemptions=1
	expect_stdout_has 'all up to the bound of preemptions'
	expect_status 1 "$clients/toy-mcs-tail" --preemptions=2
	expect_status 0 "$clients/toy-mcs-none" --most=5
	expect_stdout_has '^# 5 executions, bounded'
	expect_status 0 "$clients/toy-mcs-none"
	expect_stdout_has 'executions, exhaustive'
}
behaviour explorer_says_whether_it_has_run_all_executions bounded

# The number of complete executions that differ, and whether all were run.
kinds()
{
	expect_status 0 "$@" --count
	sed -n 's/^# \([0-9]*\) complete executions differ$/\1/p' "$STDOUT"
}

finds_no_less()
{
	local client=$clients/$1 reduced all

	reduced=$(kinds "$client" --again)
	all=$(kinds "$client" "${@:2}")
	expect_true 'executions that differ' [ "$reduced" -gt 1 ]
	expect_equal "$all" "$reduced" 'executions that differ'
}
behaviour explorer_with_reduction_finds_what_all_interleavings_give \
	finds_no_less toy-futex-none --again --full
behaviour explorer_with_reduction_finds_what_drawn_executions_give \
	finds_no_less model-spinlock-two --drawn=30000

weakens()
{
	local line

	line=$(grep -n 'm_exchange32(&tail, self' "$SOURCE/tests/model/toy_mcs.c")
	expect_status 1 "$clients/toy-mcs-none" --weaken="toy_mcs.c:${line%%:*}"
	expect_stdout_has 'data race|not so|goes round|nobody can go on'
}
behaviour explorer_weakens_the_order_of_one_line weakens

names_what_is_stuck()
{
	expect_status 1 "$clients/toy-futex-wake"
	expect_stdout_has 'nobody can go on:.*sleeps and is not woken'
}
behaviour explorer_says_who_sleeps_for_ever names_what_is_stuck

plan_done
