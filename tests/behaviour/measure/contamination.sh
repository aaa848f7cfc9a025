#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# contamination.sh - a hog, a quota and a real-time task that come in the middle of a run are named,
# and the slots that they spoiled are measured again.
. "${SOURCE:?}/tests/lib.sh"

DEADLINE=180

start_run()
{
	background "$@" "$ONPROC" bench hanoi -c 1 --slots 20 --slot-time 0.5 --warmup 0.05 \
		--dir "$TMPDIR" --output "$TMPDIR/run.json"
	wait_until slots_reached 3
}

slots_reached()
{
	[ "$(cat "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl 2>/dev/null | grep -c '"rate"')" -ge "$1" ]
}

run_is_over()
{
	[ -s "$TMPDIR/run.json" ]
}

a_foreign_hog_is_named_and_the_slots_re_run()
{
	cp "$(type -P bash)" "$TMPDIR/planted-hog"
	start_run
	background "$TMPDIR/planted-hog" -c 'while :; do :; done'
	wait_until run_is_over
	expect_json '[.series[0].slots[].evidence.external[]? | select(.comm == "planted-hog")] |
		length > 0' "$TMPDIR/run.json"
	expect_json '[.series[0].slots[] | select(.rerun)] | length > 0' "$TMPDIR/run.json"
	expect_json '[.series[0].slots[] | select(.status == "replaced")] | length > 0' \
		"$TMPDIR/run.json"
}

a_real_time_task_is_named_with_its_policy()
{
	need_root
	need_tool chrt
	cp "$(type -P bash)" "$TMPDIR/planted-rt"
	start_run
	# Ends by itself and leaves the CPU to others: a test must never lock up a machine.
	background chrt -f 5 "$TMPDIR/planted-rt" -c \
		'for ((i = 0; i < 2000; i++)); do for ((j = 0; j < 2000; j++)); do :; done
		read -t 0.001 <> <(:); done'
	wait_until run_is_over
	expect_json '[.series[0].slots[].evidence.external[]? |
		select(.comm == "planted-rt" and .policy == "fifo")] | length > 0' "$TMPDIR/run.json"
}

a_cpu_quota_is_named()
{
	local group=/sys/fs/cgroup/cpu/onproc-test-$$

	need_root
	mkdir "$group" 2>/dev/null || skip 'no cpu controller of cgroup version 1'
	start_run bash -c 'echo $$ >'"$group"'/cgroup.procs; exec "$@"' bash
	# Less than a busy machine would leave it anyway.
	echo 20000 >"$group/cpu.cfs_quota_us"
	wait_until run_is_over
	wait_until rmdir "$group"
	expect_json '[.series[0].slots[].evidence.external[]? | select(.kind == "throttled")] |
		length > 0' "$TMPDIR/run.json"
	expect_json '[.series[0].slots[] | select(.rerun)] | length > 0' "$TMPDIR/run.json"
}

a_quota_lower_than_the_cpus_is_a_warning_of_the_run()
{
	local group=/sys/fs/cgroup/cpu/onproc-quota-$$

	need_root
	mkdir "$group" 2>/dev/null || skip 'no cpu controller of cgroup version 1'
	echo 50000 >"$group/cpu.cfs_quota_us"
	run_in_group()
	{
		echo "$BASHPID" >"$group/cgroup.procs"
		"$ONPROC" bench hanoi -c all --slots 1 --slot-time 0.1 --json --dir "$TMPDIR"
	}
	run run_in_group
	wait_until rmdir "$group"
	expect_json '.run.warnings | map(select(test("quota"))) | length > 0'
}

for name in a_foreign_hog_is_named_and_the_slots_re_run a_real_time_task_is_named_with_its_policy \
	a_cpu_quota_is_named a_quota_lower_than_the_cpus_is_a_warning_of_the_run; do
	rm -rf "${XDG_DATA_HOME:?}/onproc" "$TMPDIR/run.json"
	behaviour "$name" "$name"
done
plan_done
