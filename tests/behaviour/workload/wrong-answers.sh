#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# wrong-answers.sh - a workload that did not do its work fails and says what is wrong.
. "${SOURCE:?}/tests/lib.sh"

# The same sources, with system calls that can be made to go wrong (see faults.c).
FAULTY=$BUILD/tests/behaviour/workload

# Some faults are found when they happen, some only at the end: the time grows until it is enough
# for the call that goes wrong to have been made.
finds()
{
	local fault=$1 program=$2 test=$3 text=$4 ms=100

	while run env FAULT="$fault" "$FAULTY/faulty-$program" "$test" --bare "$ms"; [ "$STATUS" -eq 0 ]; do
		ms=$((ms * 4))
		[ "$ms" -le 30000 ] || fail 'status 1' 'status 0'
	done
	[ "$STATUS" -eq 1 ] || fail 'status 1' "status $STATUS"
	expect_stdout_empty
	expect_stderr_has "$text"
}

# A stand-in for a tool, before the others in PATH.
tool()
{
	mkdir -p tools
	printf '#!/bin/sh\n%s\n' "$2" >"tools/$1"
	chmod +x "tools/$1"
}

finds_bad_tool()
{
	local name=$1 script=$2 test=$3 text=$4

	tool "$name" "$script"
	PATH=$PWD/tools:$PATH expect_status 1 "$BUILD/src/workload/onproc-work-shell" "$test" --bare 100
	rm -r tools
	expect_stdout_empty
	expect_stderr_has "$text"
}

without_a_fault()
{
	local program test

	while read -r program test; do
		expect_status 0 "$FAULTY/faulty-$program" "$test" --bare 20
	done <<-END
		ipc pipe
		ipc pipe2
		ipc context1
		syscall syscall
		spawn spawn
		fs fstime
		fs fsdisk-w
		fs fsbuffer-r
		fs fssync
	END
}

warnings()
{
	tool cc "echo 'warning: old style' >&2; exec $(type -P cc) \"\$@\""
	PATH=$PWD/tools:$PATH expect_status 0 "$BUILD/src/workload/onproc-work-shell" C --bare 10
	expect_stderr_has 'warning: old style'
}

behaviour no_wrong_answer_without_a_fault without_a_fault
behaviour pipe_finds_a_short_read finds read:1000:short ipc pipe 'read of 512 bytes moved 511'
behaviour pipe_finds_a_short_write finds write:1000:short ipc pipe 'write of 512 bytes moved 511'
behaviour pipe_finds_other_bytes finds read:10:corrupt ipc pipe 'other bytes'
behaviour pipe2_finds_a_lost_message \
	finds write:1000:lose ipc pipe2 'got message 1000 where 999 was due'
behaviour pipe2_finds_other_bytes finds read:1000:corrupt ipc pipe2 'got message [0-9]+ where 999 was due'
behaviour context1_finds_a_wrong_token finds read:1000:corrupt ipc context1 'token'
behaviour context1_finds_a_short_read finds read:1000:short ipc context1 'less than 8 bytes|moved 7'
behaviour context1_finds_a_refused_fork finds fork:1:refuse ipc context1 'fork: a limit on processes'
behaviour syscall_finds_a_failed_dup finds dup:1000:fail syscall syscall 'dup: Too many open files'
behaviour syscall_finds_a_wrong_mask finds umask:1000:wrong syscall syscall 'umask gave'
behaviour syscall_finds_descriptors_left_open \
	finds close:1000:leak syscall syscall 'dup: Too many open files|left open'
behaviour spawn_finds_a_child_that_failed finds exit:1:status spawn spawn 'the child ended with status 3'
behaviour spawn_finds_a_refused_fork finds fork:20:refuse spawn spawn 'fork: a limit on processes'
for test in fstime fsbuffer fsdisk fstime5; do
	behaviour "${test}_finds_blocks_that_were_not_copied" \
		finds write:2100:skip fs $test 'the copy has [0-9]+ bytes after [0-9]+ blocks'
	behaviour "${test}_finds_wrong_blocks" \
		finds read:100:corrupt fs $test 'block [0-9]+ of the copy is not the original'
	behaviour "${test}_finds_a_full_disk" \
		finds write:2100:full fs $test "no space left in $TMPDIR.*, where each copy needs [0-9]+ KiB"
done
behaviour fstime_finds_a_full_disk_at_set_up \
	finds write:10:full fs fstime 'no space left in .*, where each copy needs 4000 KiB'
behaviour fsbuffer_finds_a_seek_that_did_not_work finds lseek:5:stay fs fsbuffer-w 'the file has'
behaviour fstime_w_finds_blocks_that_were_not_written \
	finds write:2001:skip fs fstime-w 'block [0-9]+ is not what was written'
behaviour fstime_r_finds_wrong_blocks finds read:100:corrupt fs fstime-r 'block [0-9]+ was read wrong'
behaviour fssync_finds_blocks_that_were_not_written \
	finds pwrite:257:skip fs fssync 'not what was written'
behaviour messaging_finds_a_lost_message \
	finds write:2:lose messaging messaging 'lost or overtaken'
behaviour messaging_finds_a_short_read finds read:5:short messaging messaging 'not read whole'
behaviour messaging_finds_a_refused_fork finds fork:30:refuse messaging messaging 'starting a process: a limit'

behaviour shell1_finds_a_wc_that_cannot_count \
	finds_bad_tool wc 'cat >/dev/null; echo 1 2 3' shell1 'wc counted "1 2 3'
behaviour shell1_finds_a_sort_that_does_not_sort \
	finds_bad_tool sort 'exec cat' shell1 'sort did not sort'
behaviour shell1_finds_a_grep_that_finds_nothing \
	finds_bad_tool grep 'cat >/dev/null' shell1 'grep did not find [0-9]+ lines'
behaviour shell8_finds_one_job_that_failed \
	finds_bad_tool rm 'exit 1' shell8 '/bin/sh ended with status 1'
behaviour shell1_finds_files_left_over \
	finds_bad_tool rm 'exit 0' shell1 'the jobs left [0-9]+ files over'
# shellcheck disable=SC2016 # $1 is the stand-in's own
behaviour shell1_finds_a_changed_input finds_bad_tool \
	tee 'echo more >>input.txt; cat >"$1"; cat "$1"' shell1 'input of the jobs was changed|did not sort'
behaviour dc_finds_a_wrong_digit finds_bad_tool dc 'echo 1.41421356' dc 'the answer is "1.41421356'
behaviour grep_finds_a_wrong_count finds_bad_tool grep 'echo 7' grep 'the answer is "7'
behaviour C_finds_a_compiler_that_makes_nothing finds_bad_tool cc 'exit 0' C 'a.out'
behaviour C_finds_a_compiler_that_fails finds_bad_tool cc 'exit 4' C 'cc ended with status 4'
behaviour C_does_not_mind_warnings warnings

plan_done
