#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# stats.sh - what onproc run --stats counts, and how it says it.
. "${SOURCE:?}/tests/lib.sh"
need_tool jq

probes=$BUILD/tests/behaviour/preload

# The row of a lock, by its name.
row()
{
	jq -c --arg name "$1" '.locks[] | select(.symbol // "" | endswith($name))' stats
}

# 8 threads × 3,000 turns; the recursive one is locked twice in a turn and got once.
counts()
{
	rm -f stats
	expect_status 0 "$ONPROC" run --json --output stats "$probes/probe-process" \
		contention_of_all_kinds
	expect_stderr_empty
	expect_json '.schema == "onproc.locks" and .schema_version == 1' stats
	expect_json '.program == "probe-process" and .process > 0 and .threads >= 9' stats
	expect_json '.wait_share >= 0 and .wait_share < 1 and .thread_ns > 0' stats
	expect_json '.wait_ns == ([.locks[].wait_ns.total // 0] | add)' stats
	# plain, recursive, error-checking, adaptive, spin, rwlock, and mutex of before main
	expect_equal 24000 "$(row 'probe-process: contended' | jq .acquired)" 'acquired'
	expect_equal 4 "$(jq '[.locks[] | select(.kind == "mutex" and .acquired == 24000)] | length' \
		stats)" 'mutexes got 24,000 times'
	expect_equal 1 "$(jq '[.locks[] | select(.kind == "spin" and .acquired == 24000)] | length' \
		stats)" 'spin locks'
	expect_equal 1 "$(jq '[.locks[] | select(.kind == "rwlock" and .acquired == 24000)] | length' \
		stats)" 'rwlocks'
	expect_json '[.locks[] | .contended <= .acquired or .kind == "mutex"] | all' stats
}
behaviour stats_count_every_acquisition counts

# The main thread holds two locks while others wait for at least 40 ms.
waits()
{
	rm -f stats
	expect_status 0 "$ONPROC" run --json --output stats "$probes/probe-process" \
		signal_handlers_interrupt_waits
	jq -e '.locks[] | select(.symbol == "probe-process: mutex") |
		.contended >= 1 and .parks >= 1 and .wait_ns.total >= 1000000 and
		.wait_ns.p50 <= .wait_ns.max and .wait_ns.max <= .wait_ns.total' stats ||
		fail 'a wait of 1 ms and more' "$(cat stats)"
	jq -e '.locks[] | select(.symbol == "probe-process: rwlock") |
		.kind == "rwlock" and .contended == 1 and .parks >= 1' stats ||
		fail 'one wait' "$(cat stats)"
	expect_json '.wait_share > 0' stats
}
behaviour stats_tell_waits_and_parks waits

names()
{
	rm -f stats
	expect_status 0 "$ONPROC" run --json --output stats "$probes/probe-process" \
		library_loaded_later
	# Of a library that is no longer loaded nothing is known but the address.
	expect_json '[.locks[] | select(.symbol == null)] | length >= 2' stats
	expect_status 0 "$ONPROC" run --json --output stats2 "$probes/probe-mutex" \
		mutex_freed_by_its_last_user
	expect_json '[.locks[] | select(.symbol == null) | .caller |
		test("probe-mutex: (drop|main|freed)")] | any' stats2
}
behaviour stats_name_a_lock_by_its_symbol_or_its_first_user names

as_text()
{
	expect_status 0 "$ONPROC" run --stats "$probes/probe-process" contention_of_all_kinds
	expect_stdout_has '^torn: 0$'
	expect_stdout_lacks onproc
	expect_stderr_has '^onproc: locks of probe-process \(process [0-9]+\)$'
	expect_stderr_has '^threads: [0-9]+, their time: .*s, waiting for locks: .* \([0-9.]+ %\)$'
	expect_stderr_has '^ +acquired +contended +handed +off-CPU +parks +p50 +p99 +max +waited +lock$'
	expect_stderr_has '^ +24000 .* mutex probe-process: contended$'
}
behaviour stats_are_printed_as_text_on_standard_error as_text

of_each_process()
{
	rm -f stats.*
	expect_status 0 "$ONPROC" run --json --output stats.%p "$probes/probe-process" \
		forked_child_unlocks
	expect_equal 2 "$(cat stats.* | jq -s 'map(.process) | unique | length')" 'processes'
	# The child counts for itself.
	cat stats.* | jq -se 'sort_by(.process)[1].locks[] |
		select(.symbol == "probe-process: mutex") | .acquired == 1' ||
		fail 'one acquisition in the child' "$(cat stats.*)"
}
behaviour stats_of_each_process of_each_process

only_libc()
{
	rm -f stats
	expect_status 0 "$ONPROC" run --json --output stats "$probes/probe-mutex" \
		mutex_robust_stays_the_c_librarys
	expect_json '.left_to_libc >= 5' stats
}
behaviour stats_count_what_is_left_to_the_c_library only_libc

off()
{
	expect_status 0 "$ONPROC" run "$probes/probe-process" contention_of_all_kinds
	expect_stderr_empty
}
behaviour stats_are_off_unless_asked_for off

# Its number may be that of another file by then.
closed()
{
	expect_status 0 bash -c 'exec "$0" run --stats "$1" mutex_attributes 2>&-' "$ONPROC" \
		"$probes/probe-mutex"
	expect_stdout_lacks onproc
	expect_status 0 "$ONPROC" run --stats -- bash -c 'exec 2>victim; exit 0'
	[ ! -s victim ] || fail 'nothing in a file that took the number 2' "$(cat victim)"
}
behaviour stats_are_not_written_into_another_file closed

many_locks()
{
	rm -f stats
	expect_status 0 "$ONPROC" run --json --output stats "$probes/probe-many"
	expect_json '.locks | length <= 2049' stats
	expect_json '.locks[-1].kind == null and .locks[-1].acquired > 0' stats
	expect_json '[.locks[].acquired] | add == 10000' stats
}
behaviour stats_of_more_locks_than_rows many_locks

plan_done
