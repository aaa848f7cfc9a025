#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# processes.sh - an iteration of the shell tests is exactly so many processes, each of them an exec.
. "${SOURCE:?}/tests/lib.sh"
. "$SOURCE/tests/behaviour/workload/calls.sh"

need_tool strace
skip_if_sanitized 'strace and a sanitizer do not go together'

# Stopped only between iterations, thus without a tolerance. The two runs differ in their iterations.
expect_processes()
{
	local each=$1 execs=$2 ms=300 iterations

	shift 2
	traced_processes a 1 "$@"
	until traced_processes b "$ms" "$@" && [ "$(cat b.count)" -gt "$(cat a.count)" ]; do
		ms=$((ms * 2))
		[ "$ms" -le 40000 ] || skip "too slow under strace: no iteration in $ms ms"
	done
	iterations=$(($(cat b.count) - $(cat a.count)))
	expect_equal $((each * iterations)) $(($(cat b.exits) - $(cat a.exits))) \
		"processes in $iterations iterations"
	expect_equal $((execs * iterations)) $(($(cat b.execs) - $(cat a.execs))) \
		"execs in $iterations iterations"
}

# The same of a workload that runs a program which may be missing.
with_tool()
{
	need_tool "$1"
	shift
	expect_processes "$@"
}

# The same with another /bin/sh, in a mount namespace of its own.
with_shell()
{
	local shell real

	shell=$(type -P "$1") || skip "$1 is not installed"
	shell=$(readlink -f "$shell") real=$(readlink -f /bin/sh)
	need_root 'another /bin/sh needs a mount namespace, which needs root'
	shift
	if [ "$shell" != "$real" ]; then
		unshare --mount true 2>/dev/null || skip 'no mount namespace here'
		export -f expect_processes traced_processes fail expect_equal skip comment
		export WORK STDOUT STDERR PRIVATE COMMAND STATUS
		unshare --mount bash -c "mount --bind '$shell' '$real' && set -eE && in_behaviour=1 && expect_processes $*"
	else
		expect_processes "$@"
	fi
}

behaviour shell1_is_9_processes expect_processes 9 9 shell shell1
behaviour shell8_is_65_processes expect_processes 65 65 shell shell8
behaviour shell16_is_129_processes expect_processes 129 129 shell shell16
behaviour shell8_is_65_processes_with_dash with_shell dash 65 65 shell shell8
behaviour shell8_is_65_processes_with_bash with_shell bash 65 65 shell shell8
behaviour job1_is_9_processes expect_processes 9 9 tool job1
behaviour job8_is_65_processes expect_processes 65 65 tool job8
behaviour spawn_is_one_process expect_processes 1 0 spawn spawn
behaviour sysexec_is_one_process_and_one_exec expect_processes 1 1 syscall sysexec
behaviour dc_is_one_process_and_one_exec with_tool dc 1 1 shell dc
behaviour grep_is_one_process_and_one_exec expect_processes 1 1 shell grep

plan_done
