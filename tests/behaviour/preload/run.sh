#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh - onproc run: what it starts, what it refuses, and that it leaves no trace in between.
. "${SOURCE:?}/tests/lib.sh"

library=$BUILD/lib/preload/libonproc-preload.so

passes_status()
{
	expect_status 7 "$ONPROC" run -- sh -c 'exit 7'
	expect_status 0 "$ONPROC" run true
	expect_stdout_empty
	expect_stderr_empty
}
behaviour run_passes_the_exit_status_through passes_status

says_as_a_shell()
{
	expect_status 127 "$ONPROC" run no-such-program
	expect_stderr_has 'onproc run: no-such-program: no such program'
	expect_status 127 "$ONPROC" run ./no-such-program
	touch not-executable
	expect_status 126 "$ONPROC" run ./not-executable
	expect_status 126 "$ONPROC" run "$TMPDIR"
	expect_status 127 env PATH="$TMPDIR/nowhere" "$ONPROC" run true
	printf 'no program' >text
	chmod +x text
	expect_status 126 "$ONPROC" run ./text
}
behaviour run_says_127_and_126_as_a_shell_does says_as_a_shell

dies_by_signal()
{
	expect_status 143 "$ONPROC" run -- sh -c 'kill -TERM $$'
	# The program has onproc's place and process id: a signal to it is the program's.
	background "$ONPROC" run -- bash -c 'trap "echo got it >signal; exit 3" USR1
		: >ready; while :; do sleep 0.05; done'
	wait_until test -e ready
	kill -USR1 "$BACKGROUND"
	wait_until test -s signal
}
behaviour run_leaves_signals_to_the_program dies_by_signal

signals_as_they_came()
{
	local ours theirs

	theirs=$(grep SigIgn /proc/self/status)
	ours=$("$ONPROC" run grep SigIgn /proc/self/status)
	expect_equal "$theirs" "$ours" 'ignored signals'
	ours=$(bash -c 'trap "" PIPE USR2; exec "$0" run grep SigIgn /proc/self/status' "$ONPROC")
	theirs=$(bash -c 'trap "" PIPE USR2; exec grep SigIgn /proc/self/status')
	expect_equal "$theirs" "$ours" 'ignored signals'
}
behaviour run_ignores_no_signal_for_the_program signals_as_they_came

takes_arguments()
{
	expect_status 0 "$ONPROC" run -- printf '%s|' -x 'a b' '' '$HOME' ';'
	expect_stdout_is '-x|a b||$HOME|;|'
}
behaviour run_passes_arguments_without_a_shell takes_arguments

keeps_preload()
{
	expect_status 0 env LD_PRELOAD= "$ONPROC" run printenv LD_PRELOAD
	expect_stdout_is "$library"
	# onproc itself with a sanitizer refuses to start with a library before it.
	sanitized_build && return
	expect_status 0 env LD_PRELOAD=libm.so.6 "$ONPROC" run printenv LD_PRELOAD
	expect_stdout_is "libm.so.6:$library"
	expect_status 0 "$ONPROC" run -- "$ONPROC" run printenv LD_PRELOAD
	expect_stdout_is "$library"
}
behaviour run_keeps_what_the_user_puts_before_programs keeps_preload

sets_sensor()
{
	expect_status 0 "$ONPROC" run --sensor none printenv ONPROC_SENSOR
	expect_stdout_is none
	expect_status 129 "$ONPROC" run --sensor nothing true
	expect_stderr_has 'sched'
}
behaviour run_hands_the_sensor_on sets_sensor

refuses_static()
{
	expect_status 128 "$ONPROC" run "$BUILD/tests/behaviour/preload/probe-static"
	expect_stderr_has 'linked statically'
	printf '#!%s\n' "$BUILD/tests/behaviour/preload/probe-static" >script
	chmod +x script
	expect_status 128 "$ONPROC" run ./script
	expect_stderr_has 'linked statically'
}
behaviour run_refuses_a_static_program_and_its_scripts refuses_static

refuses_privileged()
{
	need_root 'needs root to make a setuid program of another user'
	cp "$(type -P true)" setuid
	chown 65534 setuid
	chmod 4755 setuid
	[ "$(find setuid -perm -4000)" ] || skip 'no setuid programs on this file system'
	if findmnt -no OPTIONS -T . 2>/dev/null | grep -qw nosuid; then
		skip 'the file system is mounted nosuid'
	fi
	expect_status 128 "$ONPROC" run ./setuid
	expect_stderr_has 'setuid'
	chown 0:65534 setuid
	chmod 2755 setuid
	expect_status 128 "$ONPROC" run ./setuid
	expect_stderr_has 'setgid'
}
behaviour run_refuses_a_setuid_program refuses_privileged

refuses_foreign()
{
	head -c 64 "$(type -P true)" >foreign
	printf '\1' | dd of=foreign bs=1 seek=4 conv=notrunc status=none
	chmod +x foreign
	expect_status 128 "$ONPROC" run ./foreign
	expect_stderr_has 'not a program of this machine'
}
behaviour run_refuses_a_program_of_another_machine refuses_foreign

needs_library()
{
	mkdir bin
	cp "$ONPROC" bin/onproc
	if [ -e "$(dirname "$("$ONPROC" run printenv LD_PRELOAD)")/../../bin/onproc" ]; then
		skip 'an installed library would be found'
	fi
	expect_status 128 bin/onproc run true
	expect_stderr_has 'libonproc-preload.so: neither'
}
behaviour run_says_where_it_looked_for_the_library needs_library

starts_descendants()
{
	expect_status 0 "$ONPROC" run -- sh -c 'sh -c "printenv LD_PRELOAD; exit 0"'
	expect_stdout_is "$library"
}
behaviour run_takes_over_what_the_program_starts starts_descendants

plan_done
