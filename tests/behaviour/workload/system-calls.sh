#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# system-calls.sh - an iteration makes exactly the system calls that it should.
. "${SOURCE:?}/tests/lib.sh"
. "$SOURCE/tests/behaviour/workload/calls.sh"

need_tool strace
skip_if_sanitized 'a sanitizer makes system calls of its own'

loop()
{
	both 100 "$1" "$2"
	shift 2
	expect_calls "$@"
}

# The writer is ahead by what the pipe holds.
pipe2_loop()
{
	local writes reads

	both 1000 ipc pipe2
	reads=$(more read) writes=$(more write)
	expect_between $((iterations - 1)) $((iterations + 1)) "$reads" '1 read per iteration'
	expect_between $((reads - 200)) $((reads + 200)) "$writes" '1 write per iteration'
}

# Every 2000 blocks cost one read at the end of the file and two seeks.
copy_loop()
{
	local reads writes seeks sweeps

	both 4100 fs "$1"
	reads=$(more read) writes=$(more write) seeks=$(more lseek)
	sweeps=$((reads - writes))
	expect_between $((iterations - 1)) $((iterations + 1)) "$writes" '1 write per iteration'
	expect_between $((iterations / 2000 - 1)) $((iterations / 2000 + 1)) "$sweeps" \
		'1 more read per 2000 iterations'
	expect_equal $((2 * sweeps)) "$seeks" 'seeks, two a sweep'
	expect_no_other_calls read write lseek
}

write_loop()
{
	local writes seeks

	both 4100 fs "$1"
	writes=$(more write) seeks=$(more lseek)
	expect_equal 0 $((writes % 2000)) 'writes outside whole sweeps'
	expect_equal $((writes / 2000)) "$seeks" 'seeks, one a sweep'
	expect_between $((iterations - 2000)) $((iterations + 2000)) "$writes" '1 write per iteration'
	expect_no_other_calls write lseek
}

read_loop()
{
	local reads seeks

	both 4100 fs "$1"
	reads=$(more read) seeks=$(more lseek)
	expect_between $((iterations - 1)) $((iterations + 1)) $((reads - seeks)) \
		'1 read per iteration, beside 1 a sweep'
	expect_between $((iterations / 2000 - 1)) $((iterations / 2000 + 1)) "$seeks" '1 seek a sweep'
	expect_no_other_calls read lseek
}

expect_no_other_calls()
{
	local want call got

	while read -r call _; do
		case " $* pread64 " in # the answers that are checked at the end
		*" $call "*) continue ;;
		esac
		got=$(more "$call")
		[ "${got#-}" -le 3 ] || fail "no $call in the loop" "$got in $iterations iterations"
	done <b.calls
}

# Runs of 2000 messages, of which the last may be cut short and is then not counted; each run has 40
# workers that say once that they are ready.
messaging_loop()
{
	local ms=500 count most call

	until traced a "$ms" messaging messaging groups=1 loops=5 "$@" && [ "$(cat a.count)" -ge 10000 ]; do
		ms=$((ms * 2))
		[ "$ms" -le 30000 ] || skip "too slow under strace: $(cat a.count) messages in $ms ms"
	done
	count=$(cat a.count)
	most=$((count + 2000 + (count / 2000 + 1) * 50 + 50))
	for call in write read; do
		expect_between "$count" "$most" "$(of a "$call")" "1 $call per message"
	done
}

behaviour pipe_is_one_write_and_one_read loop ipc pipe write=1 read=1
behaviour context1_is_four_calls loop ipc context1 write=2 read=2
behaviour pipe2_is_one_write_and_one_read pipe2_loop ipc pipe2
behaviour syscall_is_five_calls \
	loop syscall syscall dup=1 close=1 getpid=1 getuid=1 umask=1
behaviour syscall5_is_five_calls \
	loop syscall syscall5 dup=1 close=1 getpid=1 getuid=1 umask=1
behaviour getpid_is_one_call loop syscall getpid getpid=1
behaviour getuid_is_one_call loop syscall getuid getuid=1
behaviour umask_is_one_call loop syscall umask umask=1
behaviour dup_close_is_two_calls loop syscall dup-close dup=1 close=1
behaviour spawn_is_a_clone_a_wait_and_the_end_of_the_child \
	loop spawn spawn clone=1 wait4=1 set_robust_list=1 exit_group=1
behaviour spawn_direct_is_a_clone_a_wait_and_the_end_of_the_child \
	loop spawn spawn-direct clone=1 wait4=1 exit_group=1
for test in fstime fsbuffer fsdisk fstime5 fsbuffer5 fsdisk5; do
	behaviour "${test}_is_one_read_and_one_write_and_3_more_a_sweep" copy_loop $test
done
for test in fstime fsbuffer fsdisk; do
	behaviour "${test}_w_is_one_write_and_a_seek_a_sweep" write_loop $test-w
	behaviour "${test}_r_is_one_read_and_2_more_a_sweep" read_loop $test-r
done
behaviour fssync_is_one_write_and_one_sync loop fs fssync pwrite64=1 fdatasync=1
behaviour messaging_by_processes_is_one_write_and_one_read messaging_loop
behaviour messaging_by_threads_is_one_write_and_one_read messaging_loop thread=1 pipe=1

plan_done
