#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# processes.sh - many copies, copies that fail, and what is left of them.
. "${SOURCE:?}/tests/lib.sh"

DEADLINE=240

# A machine-readable run without store noise: one slot of a test.
one_slot()
{
	"$ONPROC" bench --json --slots 1 --slot-time 0.2 --warmup 0.05 --dir "$TMPDIR" "$@"
}

# A build directory of its own whose program for pipe is the script on stdin.
with_false_program()
{
	mkdir -p "$TMPDIR/false/src/workload"
	cp "$ONPROC" "$TMPDIR/false/onproc"
	ln -sf "$BUILD"/src/workload/onproc-work-* "$TMPDIR/false/src/workload/"
	rm -f "$TMPDIR/false/src/workload/onproc-work-ipc"
	cat >"$TMPDIR/false/src/workload/onproc-work-ipc"
	chmod +x "$TMPDIR/false/src/workload/onproc-work-ipc"
	ONPROC=$TMPDIR/false/onproc
}

scratch_is_gone()
{
	[ -z "$(find "$TMPDIR" -maxdepth 1 -name 'onproc-*')" ]
}

# In a memory cgroup of 2 GiB where there is one: the kernel keeps the bar.
limited_to_2_gib()
{
	local group=/sys/fs/cgroup/memory/onproc-test-$$

	if [ "$(id -u)" -eq 0 ] && mkdir "$group" 2>/dev/null; then
		echo 2147483648 >"$group/memory.limit_in_bytes"
		(
			echo "$BASHPID" >"$group/cgroup.procs"
			"$@"
		) || { rmdir "$group"; return 1; }
		printf '%s bytes at most\n' "$(cat "$group/memory.max_usage_in_bytes")"
		rmdir "$group"
	else
		"$@"
	fi
}

every_copy_of_1024_is_counted()
{
	skip_if_sanitized 'a thousand sanitized processes'
	# Each copy must run three times, and a round of all takes 2 s on two CPUs.
	limited_to_2_gib expect_status 0 "$ONPROC" bench pipe -c 1024 --slots 1 --slot-time 2 \
		--json --dir "$TMPDIR"
	# On a machine that others use, too, some may get no CPU at all: that must be said.
	expect_json '.series[0].slots[0] | (.counts | length == 1024) and
		(.counts | map(select(. == 0)) | length) == (.evidence.unscheduled // 0)'
	expect_true 'no scratch directory is left' scratch_is_gone
}

every_copy_of_256_spawners_is_counted()
{
	skip_if_sanitized 'hundreds of sanitized processes'
	limited_to_2_gib expect_status 0 one_slot spawn -c 256
	expect_json '.series[0].slots[0].counts | length == 256 and all(. > 0)'
}

# Whatever is left of the session of $1.
session_is_empty()
{
	[ -z "$(pgrep -s "$1")" ]
}

kill_9_of_the_harness_leaves_no_process()
{
	background "$ONPROC" bench spawn context1 shell8 -c 8 --slots 50 --dir "$TMPDIR"
	wait_until pgrep -s "$BACKGROUND" -f onproc-work-
	sleep 1
	kill -KILL "$BACKGROUND"
	wait_until session_is_empty "$BACKGROUND"
	wait_until scratch_is_gone
}

kill_9_of_the_warden_fails_the_slot_and_leaves_no_process()
{
	background "$ONPROC" bench context1 -c 4 --slots 4 --slot-time 3 --json --dir "$TMPDIR" \
		--output "$TMPDIR/run.json"
	warden_is_killed()
	{
		pgrep -s "$BACKGROUND" -f onproc-work-ipc && pkill -KILL -s "$BACKGROUND" -x onproc-warden
	}
	wait_until warden_is_killed
	wait_until test -s "$TMPDIR/run.json"
	expect_json '[.series[0].slots[] | select(.status == "failed")] | length >= 1' \
		"$TMPDIR/run.json"
	wait_until scratch_is_gone
}

a_copy_that_dies_fails_the_slot_with_its_last_words()
{
	with_false_program <<-'SCRIPT'
		#!/bin/sh
		echo "no pipe for you" >&2
		exit 3
	SCRIPT
	expect_status 125 one_slot pipe -c 2
	expect_json '.series[0].slots[0].error | test("status 3") and test("no pipe for you")'
	expect_json '.series[0].estimate.value == null'
}

a_copy_killed_by_an_illegal_instruction_names_the_flags()
{
	with_false_program <<-'SCRIPT'
		#!/bin/sh
		kill -ILL $$
	SCRIPT
	expect_status 125 one_slot pipe -c 1
	expect_json '.series[0].slots[0].error | test("SIGILL") and test("-march=native")'
}

a_program_that_is_no_program_is_said()
{
	with_false_program <<-'SCRIPT'
		#!/nonexistent/interpreter
	SCRIPT
	expect_status 125 one_slot pipe -c 1
	expect_json '.series[0].slots[0].error | test("onproc-work-ipc")'
}

a_failing_test_does_not_stop_the_others()
{
	with_false_program <<-'SCRIPT'
		#!/bin/sh
		exit 1
	SCRIPT
	expect_status 125 one_slot pipe hanoi -c 1
	expect_json '.series | map(select(.test | test("hanoi")))[0].estimate.value > 0'
}

a_copy_that_gives_control_characters_cannot_speak_to_the_terminal()
{
	with_false_program <<-'SCRIPT'
		#!/bin/sh
		printf 'a\033[31mred\a' >&2
		exit 3
	SCRIPT
	expect_status 125 "$ONPROC" bench pipe -c 1 --slots 1 --slot-time 0.1 --dir "$TMPDIR"
	expect_equal 0 "$(tr -d '\n\t -~' <"$STDOUT" | LC_ALL=C tr -cd '\000-\037\177' | wc -c)" 'control characters'
}

too_few_processes_allowed_is_said_with_need_and_limit()
{
	local group=/sys/fs/cgroup/pids/onproc-test-$$

	need_root
	mkdir "$group" 2>/dev/null || skip 'no pids controller of cgroup version 1'
	echo 40 >"$group/pids.max"
	run_in_group()
	{
		echo "$BASHPID" >"$group/cgroup.procs"
		one_slot spawn -c 64
	}
	run run_in_group
	rmdir "$group"
	expect_equal 125 "$STATUS" 'status'
	expect_json '.series[0].reason | test("40")'
}

a_window_too_short_for_a_test_grows_and_says_so()
{
	expect_status 0 "$ONPROC" bench shell8 -c 1 --slots 1 --slot-time 100ms --warmup 0 --json \
		--dir "$TMPDIR"
	expect_json '.series[0].slots[0].evidence.lengthened'
	expect_json '.series[0].slots[0].length_ns > 100000000'
}

copies_are_pinned_where_asked()
{
	[ "$(nproc)" -ge 2 ] || skip 'needs two CPUs'
	background "$ONPROC" bench hanoi -c 2 --pin 1 --slots 1 --slot-time 3 --dir "$TMPDIR"
	wait_until pgrep -s "$BACKGROUND" -f onproc-work-hanoi
	for pid in $(pgrep -s "$BACKGROUND" -f onproc-work-hanoi); do
		expect_equal 1 "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$pid/status")" \
			"CPUs of copy $pid"
	done
}

a_stopped_copy_fails_the_slot()
{
	background "$ONPROC" bench hanoi -c 2 --slots 1 --slot-time 2 --json --dir "$TMPDIR" \
		--output "$TMPDIR/stopped.json"
	wait_until pgrep -s "$BACKGROUND" -f 'onproc-work-hanoi hanoi 1'
	sleep 0.6
	pkill -STOP -s "$BACKGROUND" -f 'onproc-work-hanoi hanoi 1'
	wait_until test -s "$TMPDIR/stopped.json"
	expect_json '.series[0].slots[0].status == "failed" and
		(.series[0].slots[0].error | test("copy 1"))' "$TMPDIR/stopped.json"
}

# Far from locking anything up: the copies are looked at while they set themselves up.
a_real_time_parent_has_no_real_time_copies()
{
	need_root
	need_tool chrt
	background chrt -f 5 "$ONPROC" bench fstime -c 1 --slots 1 --slot-time 1 --dir "$TMPDIR"
	wait_until pgrep -s "$BACKGROUND" -f onproc-work-fs
	for pid in $(pgrep -s "$BACKGROUND" -f onproc-work-fs); do
		expect_equal SCHED_OTHER "$(chrt -p "$pid" | awk '/policy/ { print $NF }')" \
			"policy of copy $pid"
	done
	for pid in $(pgrep -s "$BACKGROUND" -x onproc); do
		expect_equal SCHED_FIFO "$(chrt -p "$pid" | awk '/policy/ { print $NF }')" \
			'policy of the harness'
	done
}

a_file_size_limit_is_said()
{
	limited()
	{
		ulimit -f 100
		one_slot fstime -c 1 --db "$TMPDIR/limited.db"
	}
	run limited
	[ "$STATUS" -eq 125 ] || [ "$STATUS" -eq 128 ] || fail 'status 125 or 128' "$STATUS"
	grep -q 'ulimit -f' "$STDOUT" || grep -qi 'large' "$STDERR" || fail 'the limit named' 'not'
}

no_scratch_directory_is_left_without_descriptors()
{
	limited()
	{
		ulimit -n 8
		"$ONPROC" bench fstime -c 1 --slots 1 --slot-time 0.1 --dir "$TMPDIR"
	}
	run limited
	expect_true 'no scratch directory is left' scratch_is_gone
}

a_missed_precision_is_inconclusive()
{
	expect_status 125 "$ONPROC" bench hanoi -c 1 --slots 2 --slot-time 0.1 --precision 0.01% \
		--dir "$TMPDIR"
	expect_stderr_has 'asked for'
}

for name in every_copy_of_1024_is_counted every_copy_of_256_spawners_is_counted \
	kill_9_of_the_harness_leaves_no_process \
	kill_9_of_the_warden_fails_the_slot_and_leaves_no_process \
	a_copy_that_dies_fails_the_slot_with_its_last_words \
	a_copy_killed_by_an_illegal_instruction_names_the_flags \
	a_program_that_is_no_program_is_said a_failing_test_does_not_stop_the_others \
	a_copy_that_gives_control_characters_cannot_speak_to_the_terminal \
	too_few_processes_allowed_is_said_with_need_and_limit \
	a_window_too_short_for_a_test_grows_and_says_so copies_are_pinned_where_asked \
	a_stopped_copy_fails_the_slot a_real_time_parent_has_no_real_time_copies \
	a_file_size_limit_is_said no_scratch_directory_is_left_without_descriptors \
	a_missed_precision_is_inconclusive; do
	behaviour "$name" "$name"
done
plan_done
