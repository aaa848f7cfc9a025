#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# lock.sh - the lock tests: every kind excludes, what a run says of it, what is refused.
. "${SOURCE:?}/tests/lib.sh"

# shellcheck disable=SC2034 # of tests/lib.sh
DEADLINE=120
PROGRAM="$BUILD/src/workload/onproc-work-lock"
SHORT="--slots 1 --slot-time 50ms --warmup 10ms"

need_tool jq

# Kinds of this build, one a line; with a share of readers those that have a read side. A thread
# sanitizer does not see the orders in the assembly of Concurrency Kit.
kinds()
{
	local unseen=none

	! sanitized_build thread || unseen='^ck-'
	"$ONPROC" bench lock --plan --json --threads 1 --readers "${1:-0}" |
		jq -r '.plan.rows[] | select(.unsupported == null) | .params.kind' |
		grep -v -- "$unseen"
}

# The program itself checks what the lock protects: a lock that lets two in fails it.
every_kind_excludes()
{
	local kind

	for kind in $(kinds); do
		expect_status 0 "$PROGRAM" lock --bare 30 0 "kind=$kind" threads=4 hold_ns=500 \
			think_ns=200
	done
	for kind in $(kinds 60); do
		expect_status 0 "$PROGRAM" lock --bare 30 0 "kind=$kind" threads=4 hold_ns=500 \
			think_ns=200 readers_pct=60
	done
}

every_kind_is_taken_without_a_rival()
{
	local kind

	for kind in $(kinds); do
		expect_status 0 "$PROGRAM" lock-pair --bare 10 0 "kind=$kind"
	done
}

a_run_says_all_that_was_measured()
{
	# shellcheck disable=SC2086 # a list of words
	expect_status 0 "$ONPROC" bench lock --threads 2 --kinds glibc-mutex,ref-tas-yield $SHORT --json
	expect_json '.series | length == 2'
	expect_json '.series | all(.params | has("kind") and has("threads") and has("hold_ns") and
		has("think_ns") and has("readers_pct") and has("sensor"))'
	expect_json '.series[0].params | .kind == "glibc-mutex" and .threads == 2 and .hold_ns == 1000'
	expect_json '.series | all(.wait_ns | has("p50") and has("p99") and has("p999") and has("max"))'
	expect_json '.series | all(.jain > 0 and .jain <= 1 and .cpu_ns_per_op > 0)'
	expect_json '.series | all(.switches_per_1000 | has("voluntary") and has("involuntary"))'
	expect_json '.series | all(has("waits_over_50us") and has("yields_per_1000") and has("foreign"))'
	expect_json '.series | all(.slots[0].evidence.lock.wait_ns.max >= .slots[0].evidence.lock.wait_ns.p50)'
	expect_json '.series[0].best_peer.kind == "ref-tas-yield"'
}

yields_are_counted_where_a_lock_yields()
{
	expect_status 0 "$PROGRAM" lock --bare 100 0 kind=ref-tas-yield threads=8
	expect_stderr_lacks '"yields_per_1000":0,'
	expect_status 0 "$PROGRAM" lock --bare 50 0 kind=glibc-mutex threads=8
	expect_stderr_has '"yields_per_1000":0,'
}

readers_have_the_waits_of_writers_beside()
{
	# shellcheck disable=SC2086 # a list of words
	expect_status 0 "$ONPROC" bench lock --threads 2 --kinds glibc-rwlock --readers 0,50 $SHORT --json
	expect_json '[.series[] | .params.readers_pct] | sort == [0, 50]'
	expect_json '.series | all((.params.readers_pct > 0) == has("write_wait_ns"))'
}

kinds_without_readers_are_left_out_or_refused_with_the_reason()
{
	expect_status 0 "$ONPROC" bench lock --plan --json --threads 1 --readers 50
	expect_json '.plan.rows | all(.params.kind != "glibc-mutex")'
	expect_status 125 "$ONPROC" bench lock --plan --threads 1 --readers 50 --kinds glibc-mutex
	expect_stdout_has 'glibc-mutex has no read side'
}

a_kind_that_was_not_built_says_what_to_install()
{
	expect_status 0 "$ONPROC" bench lock --plan --json --threads 1
	expect_json '.plan.rows | length == 15'
	expect_json '.plan.rows | map(select(.unsupported)) | all(.unsupported | test("built without"))'
}

# refused WORDS OPTION…
refused()
{
	expect_status 129 "$ONPROC" bench "${@:2}"
	expect_stderr_has "$1"
}

wrong_values_are_refused_in_words()
{
	refused 'expected counts from 1' lock --threads 0
	refused 'at most 4096 threads' lock --threads 4097
	refused 'expected a time from' lock --hold 11s
	refused 'expected a time from' lock --think never
	refused 'from 0 to 100' lock --readers 101
	refused 'did you mean glibc-mutex' lock --kinds glibc-mutx
	refused 'expected' lock --sensor guess
	refused '--threads sets how many threads' lock --copies 2
	refused 'set it with an option of its own' lock --param lock.kind=1
}

options_of_lock_are_refused_without_it()
{
	refused 'not among the tests to run' pipe --threads 2
	refused 'not among the tests to run' pipe --kinds nsync
	refused 'not among the tests to run' lock-pair --hold 1us
}

rows_are_the_product_of_all_lists()
{
	expect_status 0 "$ONPROC" bench lock --plan --json --threads 1,2 --hold 200ns,1us --think 1us,5us \
		--kinds glibc-mutex,nsync
	expect_json '.plan.rows | length == 16'
	expect_json '[.plan.rows[].params] | unique | length == 16'
}

a_resumed_run_has_each_series_once()
{
	# shellcheck disable=SC2086 # a list of words
	background "$ONPROC" bench lock --threads 1,2 --kinds glibc-mutex,ref-tas-yield --slots 4 \
		--slot-time 100ms --warmup 10ms --dir "$TMPDIR"
	slots_reached()
	{
		[ "$(cat "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl 2>/dev/null | grep -c '"rate"')" -ge 3 ]
	}
	gone()
	{
		! kill -0 "$1" 2>/dev/null || [ "$(awk '{ print $3 }' "/proc/$1/stat" 2>/dev/null)" = Z ]
	}
	wait_until slots_reached
	kill -INT "$BACKGROUND"
	wait_until gone "$BACKGROUND"
	expect_status 0 "$ONPROC" show last --format json
	expect_json '.run.status == "interrupted"'
	expect_json '[.series[].slots[]] | length >= 3'
	expect_status 0 "$ONPROC" resume last --json
	expect_json '.series | length == 4'
	expect_json '[.series[] | [.slots[] | select(.status == "ok")] | length] | all(. == 4)'
}

runs_are_compared_by_their_parameters()
{
	# shellcheck disable=SC2086 # a list of words
	expect_status 0 "$ONPROC" bench lock --threads 1,2 --kinds glibc-mutex,glibc-spin $SHORT
	# shellcheck disable=SC2086 # a list of words
	expect_status 0 "$ONPROC" bench lock --threads 2 --kinds glibc-spin $SHORT
	expect_status 0 "$ONPROC" compare last~1 last --format json
	expect_json '[.tests[] | select(.reason != null and (.reason | test("only in A")))] | length == 3'
	expect_json '[.tests[] | select(.ratio != null) | .params | [.kind, .threads]] == [["glibc-spin", 2]]'
	expect_status 0 "$ONPROC" compare last~1 last
	expect_stdout_has 'lock glibc-spin, 2 threads, 1000/1000 ns'
}

the_report_has_a_table_of_locks()
{
	# shellcheck disable=SC2086 # a list of words
	expect_status 0 "$ONPROC" bench lock lock-pair --threads 2 --kinds glibc-mutex,nsync $SHORT
	expect_stdout_has 'Locks held for 1.0 us, taken again 1.0 us later'
	expect_stdout_has 'best peer: '
	expect_stdout_has 'ns a pair'
}

behaviour every_kind_excludes every_kind_excludes
behaviour every_kind_is_taken_without_a_rival every_kind_is_taken_without_a_rival
behaviour a_run_says_all_that_was_measured a_run_says_all_that_was_measured
behaviour yields_are_counted_where_a_lock_yields yields_are_counted_where_a_lock_yields
behaviour readers_have_the_waits_of_writers_beside readers_have_the_waits_of_writers_beside
behaviour kinds_without_readers_are_left_out_or_refused_with_the_reason \
	kinds_without_readers_are_left_out_or_refused_with_the_reason
behaviour a_kind_that_was_not_built_says_what_to_install a_kind_that_was_not_built_says_what_to_install
behaviour wrong_values_are_refused_in_words wrong_values_are_refused_in_words
behaviour options_of_lock_are_refused_without_it options_of_lock_are_refused_without_it
behaviour rows_are_the_product_of_all_lists rows_are_the_product_of_all_lists
behaviour a_resumed_run_has_each_series_once a_resumed_run_has_each_series_once
behaviour runs_are_compared_by_their_parameters runs_are_compared_by_their_parameters
behaviour the_report_has_a_table_of_locks the_report_has_a_table_of_locks
plan_done
