#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# interruption.sh - Ctrl-C, kill -9 and resume: what was measured stays, the plan stays the same.
. "${SOURCE:?}/tests/lib.sh"

DEADLINE=180

PLAN="hanoi pipe -c 1,2 --slots 6 --slot-time 0.3 --warmup 0.05 --seed 7"

# Starts the plan in the background and waits until its journal holds $1 slots.
start_and_wait_for_slots()
{
	# shellcheck disable=SC2086 # a list of words
	background "$ONPROC" bench $PLAN --dir "$TMPDIR"
	slots_reached()
	{
		[ "$(cat "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl 2>/dev/null | grep -c '"rate"')" \
			-ge "$1" ]
	}
	wait_until slots_reached "$1"
}

gone()
{
	! kill -0 "$1" 2>/dev/null || [ "$(awk '{ print $3 }' "/proc/$1/stat" 2>/dev/null)" = Z ]
}

# test, copies and block of every slot in the order in which they were measured.
order_of()
{
	jq -r '[.series[] | . as $s | .slots[] | select(.rerun | not) |
		{o: .ordinal, t: "\($s.test) \($s.copies) \(.block)"}] |
		sort_by(.o)[] | .t' "$1"
}

ctrl_c_keeps_what_was_measured()
{
	start_and_wait_for_slots 3
	kill -INT "$BACKGROUND"
	wait_until gone "$BACKGROUND"
	expect_status 0 "$ONPROC" show last --format json
	expect_json '[.series[].slots[]] | length >= 3'
	expect_json '.run.status == "interrupted"'
}

an_interrupted_run_exits_with_130_and_names_resume()
{
	# shellcheck disable=SC2086 # a list of words
	expect_status 130 timeout --preserve-status --signal=INT 2 "$ONPROC" bench $PLAN --dir "$TMPDIR"
	expect_stderr_has 'onproc resume'
}

kill_9_loses_at_most_the_slot_that_was_running()
{
	local seen

	start_and_wait_for_slots 3
	kill -KILL "$BACKGROUND"
	seen=$(cat "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl | grep -c '"rate"')
	wait_until gone "$BACKGROUND"
	expect_status 0 "$ONPROC" resume
	expect_status 0 "$ONPROC" show last --format json
	expect_json '.run.status == "complete"'
	expect_json "[.series[] | .slots | map(select(.status == \"ok\")) | length] == [6, 6, 6, 6]"
	[ "$seen" -ge 3 ] || fail 'three slots in the journal' "$seen"
}

resume_after_kill_gives_the_same_plan()
{
	# shellcheck disable=SC2086 # a list of words
	expect_status 0 "$ONPROC" bench $PLAN --dir "$TMPDIR" --json --output "$TMPDIR/whole.json"
	start_and_wait_for_slots 5
	kill -KILL "$BACKGROUND"
	wait_until gone "$BACKGROUND"
	expect_status 0 "$ONPROC" resume --json --output "$TMPDIR/resumed.json"
	expect_equal "$(order_of "$TMPDIR/whole.json")" "$(order_of "$TMPDIR/resumed.json")" \
		'order of the slots'
}

# With harness and warden killed at once nobody is left to remove the slot's directory.
a_killed_slot_s_directory_is_swept_by_the_next_run()
{
	start_and_wait_for_slots 1
	kill -STOP "$BACKGROUND"
	pkill -KILL -P "$BACKGROUND"
	kill -KILL "$BACKGROUND"
	wait_until gone "$BACKGROUND"
	mkdir -m 700 "$TMPDIR/onproc-killed"
	touch "$TMPDIR/onproc-killed/.onproc-scratch"
	expect_status 0 "$ONPROC" bench hanoi -c 1 --slots 2 --slot-time 0.1 --dir "$TMPDIR"
	expect_stderr_has 'that killed runs had left'
	expect_equal '' "$(find "$TMPDIR" -maxdepth 1 -name 'onproc-??????')" 'what is left'
}

# As under nohup(1).
an_ignored_hangup_stays_ignored()
{
	local status=0

	(trap '' HUP; exec "$ONPROC" bench hanoi -c 1 --slots 6 --slot-time 0.2 --dir "$TMPDIR" \
		>"$STDOUT" 2>"$STDERR") &
	BACKGROUND=$!
	slots_reached()
	{
		[ "$(cat "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl 2>/dev/null | grep -c '"rate"')" \
			-ge "$1" ]
	}
	wait_until slots_reached 1
	kill -HUP "$BACKGROUND"
	wait "$BACKGROUND" || status=$?
	expect_equal 0 "$status" 'status'
}

# A real-time harness would be killed when it had used that much.
a_limit_of_real_time_is_not_met()
{
	expect_status 0 prlimit --rttime=1000:1000 "$ONPROC" bench pipe -c 1 --slots 4 \
		--slot-time 0.2 --dir "$TMPDIR"
}

resume_without_a_run_says_so()
{
	expect_status 128 "$ONPROC" resume
	expect_stderr_has 'no .*run'
}

for name in ctrl_c_keeps_what_was_measured an_interrupted_run_exits_with_130_and_names_resume \
	kill_9_loses_at_most_the_slot_that_was_running resume_after_kill_gives_the_same_plan \
	a_killed_slot_s_directory_is_swept_by_the_next_run \
	an_ignored_hangup_stays_ignored a_limit_of_real_time_is_not_met \
	resume_without_a_run_says_so; do
	rm -rf "${XDG_DATA_HOME:?}/onproc"
	behaviour "$name" "$name"
done
plan_done
