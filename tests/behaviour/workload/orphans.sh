#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# orphans.sh - a copy that is killed, or stopped in the middle, leaves no process and no file.
#
# A copy in the background has a session of its own, by which what it left is found.
. "${SOURCE:?}/tests/lib.sh"

WORK=$BUILD/src/workload
need_tool pgrep

children_are()
{
	[ "$(pgrep -c -P "$1")" -ge "$2" ]
}

session_is_empty()
{
	! pgrep -s "$1"
}

# killed AT_LEAST PROGRAM TEST [WORD…]: kill -9 once the copy has so many children.
killed()
{
	local children=$1 program=$2 test=$3

	shift 3
	rm -rf "${TMPDIR:?}"/onproc-bare-*
	background "$WORK/onproc-work-$program" "$test" --bare 60000 0 "$@"
	wait_until children_are "$BACKGROUND" "$children"
	kill -KILL "$BACKGROUND"
	wait "$BACKGROUND" || true
	DEADLINE=$ORPHAN_GRACE_S wait_until session_is_empty "$BACKGROUND"
}

# stopped PROGRAM TEST [WORD…]: the time is up in the middle of an iteration.
stopped()
{
	local program=$1 test=$2

	shift 2
	rm -rf "${TMPDIR:?}"/onproc-bare-*
	expect_status 0 "$WORK/onproc-work-$program" "$test" --bare 150 0 "$@"
	[ -z "$(ls "$TMPDIR")" ] || fail 'an empty TMPDIR' "$(ls -R "$TMPDIR")"
}

files_without_name_are()
{
	[ "$(find "/proc/$1/fd" -lname "$TMPDIR/* (deleted)" | wc -l)" -eq "$2" ]
}

# The files of a copy have no name once they are open.
killed_file_test()
{
	rm -rf "${TMPDIR:?}"/onproc-bare-*
	background "$WORK/onproc-work-fs" "$1" --bare 60000
	wait_until files_without_name_are "$BACKGROUND" "$2"
	kill -KILL "$BACKGROUND"
	# But the mark of its directory, by which the next run knows what to remove.
	left=$(find "$TMPDIR" -type f ! -name .onproc-scratch)
	[ -z "$left" ] || fail 'no files' "$left"
}

behaviour context1_killed_leaves_no_partner killed 1 ipc context1
behaviour pipe2_killed_leaves_no_writer killed 1 ipc pipe2
behaviour messaging_killed_leaves_no_process killed 80 messaging messaging groups=2 loops=1000000
behaviour messaging_killed_leaves_no_thread killed 1 messaging messaging groups=2 loops=1000000 thread=1
behaviour shell8_killed_leaves_nothing_that_goes_on killed 1 shell shell8
behaviour job8_killed_leaves_nothing_that_goes_on killed 1 tool job8
for test in fstime fsbuffer-w fsdisk-r; do
	behaviour "${test}_killed_leaves_no_file" killed_file_test $test 2
done
behaviour fssync_killed_leaves_no_file killed_file_test fssync 1
behaviour context1_stopped_leaves_nothing stopped ipc context1
behaviour pipe2_stopped_leaves_nothing stopped ipc pipe2
behaviour messaging_stopped_in_a_run_leaves_nothing stopped messaging messaging loops=1000000
behaviour messaging_stopped_in_a_run_of_pipes_leaves_nothing \
	stopped messaging messaging loops=1000000 pipe=1
behaviour messaging_stopped_in_a_run_of_threads_leaves_nothing \
	stopped messaging messaging loops=1000000 thread=1
behaviour shell8_stopped_leaves_nothing stopped shell shell8
behaviour job8_stopped_leaves_nothing stopped tool job8
behaviour C_stopped_leaves_nothing stopped shell C
behaviour fstime5_stopped_leaves_nothing stopped fs fstime5

plan_done
