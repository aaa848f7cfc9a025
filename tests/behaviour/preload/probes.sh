#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# probes.sh - pthread's objects answer the same with the library before the program and without it.
. "${SOURCE:?}/tests/lib.sh"

probes=$BUILD/tests/behaviour/preload
# Loading a program into the kernel takes longer than most of these; each sensor has its own below.
export ONPROC_SENSOR=none

# same_answers PROGRAM NAME
same_answers()
{
	expect_status 0 "$1" "$2"
	[ -s "$STDOUT" ] || fail 'answers' 'none'
	cp "$STDOUT" without
	expect_status 0 "$ONPROC" run "$1" "$2"
	diff without "$STDOUT" || fail 'the same answers as without the library' 'see above'
	expect_stderr_empty
}

# What the C library cannot do: only with the library, with the answers given.
our_answers()
{
	expect_status 0 "$ONPROC" run "$1" "$2"
	expect_stdout_is "$3"
}

for program in "$probes"/probe-{mutex,rwlock,cond,process,malloc,cxx}; do
	if [ ! -x "$program" ]; then
		behaviour "${program##*/}" skip 'not built: no C++ compiler'
		continue
	fi
	for name in $("$program" --list | grep -v '^ours_'); do
		behaviour "$name" same_answers "$program" "$name"
	done
done

behaviour ours_forked_child_unlocks_what_has_an_owner our_answers "$probes/probe-process" \
	ours_forked_child_unlocks_what_has_an_owner 'child: 0'
behaviour ours_forked_child_unlocks_while_threads_sleep our_answers "$probes/probe-process" \
	ours_forked_child_unlocks_while_threads_sleep $'child: 0\ndone: 1'

with_sensor()
{
	local name

	"$ONPROC" run --sensor "$1" true 2>why || skip "$(head -c 150 why)"
	for name in contention_of_all_kinds fork_handlers_that_lock threads_that_end bounded_buffer; do
		expect_status 0 "$probes/probe-process" "$name"
		cp "$STDOUT" without
		expect_status 0 "$ONPROC" run --sensor "$1" "$probes/probe-process" "$name"
		diff without "$STDOUT" || fail 'the same answers as without the library' 'see above'
	done
}
for sensor in sched heartbeat rseq-slice; do
	behaviour "with_the_sensor_$sensor" with_sensor "$sensor"
done

# An allocator in its own library, loaded before the program's others.
jemalloc()
{
	local library

	skip_if_sanitized 'onproc itself would start with a library before the sanitizer'
	library=$(find /usr/lib /usr/lib64 -name 'libjemalloc.so.2' 2>/dev/null | head -n 1)
	[ -n "$library" ] || skip 'libjemalloc.so.2 is not installed'
	expect_status 0 env LD_PRELOAD="$library" "$ONPROC" run "$probes/probe-process" \
		contention_of_all_kinds
	expect_stdout_has '^torn: 0$'
	expect_status 0 env LD_PRELOAD="$library" "$ONPROC" run "$probes/probe-process" \
		fork_handlers_that_lock
	expect_status 0 env LD_PRELOAD="$library" "$ONPROC" run "$probes/probe-process" \
		threads_that_end
	expect_stdout_has '^ends: 1800$'
}
behaviour an_allocator_that_locks jemalloc

plan_done
