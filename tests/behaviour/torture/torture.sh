#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# torture.sh - the locks withstand the torture, and a lock that is broken does not.

. "${SOURCE:?}/tests/lib.sh"

TORTURE=$BUILD/tests/torture/torture
DEADLINE=200
SECONDS_OF_TORTURE=${ONPROC_TORTURE_SECONDS:-5}

locks_withstand()
{
	DEADLINE=$((DEADLINE + ${SECONDS_OF_TORTURE%.*}))
	# The first race is the one to look at.
	export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS-}"
	expect_status 0 "$TORTURE" --seconds "$SECONDS_OF_TORTURE"
	expect_stdout_has '^seed [0-9]+$'
	expect_stdout_has '^mutex_lock +[1-9]'
	expect_stderr_empty
	# For the log of the tests: the measurements, and what could not be done here and why.
	cat "$STDOUT"
}
behaviour locks_withstand_the_torture locks_withstand

# Two threads inside at once: seen by the data.
catches_exclusion()
{
	expect_status 1 "$TORTURE" --broken exclusion --seconds 60
	expect_stderr_has 'FAILED \(seed [0-9]+\).*mutual exclusion'
}
behaviour torture_catches_a_lock_that_lets_everyone_in catches_exclusion

# With a signal now and then the sleeper would wake after all.
catches_a_lost_wake_up()
{
	expect_status 1 "$TORTURE" --broken wake --calm --threads 8 --deadline 1 --seconds 60
	expect_stderr_has 'FAILED \(seed [0-9]+\).*no progress within 1.0 s'
	expect_stderr_has '^thread [0-9]+\.[0-9]+, slot [0-9]+, .*: broken_wake of broken-wake[01] for'
	expect_stderr_has '^broken-wake[01]: word'
}
behaviour torture_catches_a_lock_that_forgets_sleepers catches_a_lost_wake_up

catches_torn_data()
{
	expect_status 1 "$TORTURE" --broken torn --seconds 60
	expect_stderr_has 'FAILED \(seed [0-9]+\).*half-written data: word 0 is'
}
behaviour torture_catches_a_reader_that_does_not_look catches_torn_data

same_seed_same_operations()
{
	expect_status 0 "$TORTURE" --seed 42 --threads 4 --list 50
	cp "$STDOUT" first
	expect_status 0 "$TORTURE" --seed 42 --threads 4 --list 50
	cmp first "$STDOUT"
	expect_equal 201 "$(wc -l <first)" 'lines'
	expect_status 0 "$TORTURE" --seed 43 --threads 4 --list 50
	! cmp -s first "$STDOUT" || fail 'other operations with another seed' 'the same'
	# All that there is to do is done by someone.
	expect_status 0 "$TORTURE" --seed 42 --threads 64 --list 2000
	sed -n 's/^	{ "\([a-z_]*\)", KIND_.*/\1/p' "$SOURCE/tests/torture/operations.c" |
		grep -v broken >names
	! sanitized_build thread || sed -i '/^fork/d' names
	expect_file names mutex_lock
	while read -r operation; do
		expect_stdout_has ": $operation( |\$)"
	done <names
}
behaviour torture_repeats_its_operations_by_the_seed same_seed_same_operations

# What needs a right that is not there is left out, and says so.
withstand_without_root()
{
	need_root 'gives up root for the run'
	need_tool setpriv
	chmod 755 "$PRIVATE" "$TMPDIR"
	expect_status 0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all --bounding-set=-all -- "$TORTURE" --seconds 1 --threads 8
	expect_stdout_has '^disturbance SCHED_FIFO: skipped: no right'
	expect_stdout_has '^disturbance CPU quota: skipped: '
	expect_stdout_has '^disturbance signal: [1-9]'
}
behaviour locks_withstand_the_torture_without_root withstand_without_root

refuses_nonsense()
{
	expect_status 129 "$TORTURE" --threads 1
	expect_status 129 "$TORTURE" --seconds x
	expect_status 129 "$TORTURE" --broken everything
	expect_status 129 "$TORTURE" more
	expect_stderr_has '^usage: torture'
}
behaviour torture_refuses_wrong_options refuses_nonsense

plan_done
