#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# daemon.sh - the sensor daemon, and what a process without any rights gets from it.
. "${SOURCE:?}/tests/behaviour/sensor/lib.sh"

need_tool setpriv pgrep
need_sched

descriptors()
{
	find "/proc/$daemon_pid/fd" -mindepth 1 | wc -l
}

# Maps for the next clients are made ahead, 16 at once.
has_no_more_descriptors_than()
{
	[ "$(descriptors)" -le $(($1 + 16)) ]
}

nobody_is_served()
{
	serve --mode 0666
	is_for_nobody "$1"
	# and others still are
	is_for_nobody own_state_is_running
}

other_pid_namespaces_are_served()
{
	need_tool unshare
	unshare --pid --fork true || skip 'no pid namespace can be made here'
	serve
	expect_status 0 unshare --pid --fork "$client" "$1"
}

# All that the thousand had is free again.
a_thousand_come_and_go()
{
	local before

	serve --mode 0666 --clients 64
	before=$(descriptors)
	is_for_nobody a_thousand_clients
	wait_until has_no_more_descriptors_than "$before"
	is_for_nobody own_state_is_running
}

maps_are_at_most()
{
	[ "$("$client" count_maps)" -le "$1" ]
}

# Of other users of the machine there may be some, which come and go.
the_map_of_who_ended_is_freed()
{
	local before

	before=$("$client" count_maps)
	serve --clients 8
	is as_many_as_there_may_be
	expect_stdout_is 8
	wait_until maps_are_at_most "$before"
	# and the places can be used again
	is as_many_as_there_may_be
	expect_stdout_is 8
	is own_state_is_running
}

one_user_gets_a_share()
{
	serve --mode 0666 --clients 8
	is_for_nobody as_many_as_there_may_be
	expect_stdout_is 2
	is as_many_as_there_may_be
	expect_stdout_is 8
}

by_default_only_root_may_connect()
{
	serve
	expect_status 1 as_nobody "$client" own_state_is_running
	expect_stderr_has 'Permission denied'
	is own_state_is_running
	expect_equal 600 "$(stat -c %a "$ONPROC_SENSOR_SOCKET")"
}

mode_and_group_are_as_asked()
{
	serve --mode 0640 --group nogroup
	expect_equal '640 nogroup' "$(stat -c '%a %G' "$ONPROC_SENSOR_SOCKET")"
}

# field NAME: of the daemon's status.
field()
{
	sed -n "s/^$1:[[:space:]]*//p" "/proc/$daemon_pid/status"
}

keeps_one_capability()
{
	local cap_bpf=0000008000000000

	serve
	expect_equal "$cap_bpf" "$(field CapEff)" 'effective'
	expect_equal "$cap_bpf" "$(field CapPrm)" 'permitted'
	expect_equal 0000000000000000 "$(field CapBnd)" 'bounding'
	expect_equal 0000000000000000 "$(field CapInh)" 'inheritable'
	expect_equal 1 "$(field NoNewPrivs)" 'no new privileges'
	expect_equal 2 "$(field Seccomp)" 'seccomp'
	expect_equal '65534 65534 65534 65534' "$(field Uid | tr '\t' ' ')" 'user'
	is own_state_is_running
}

# Of other users of the machine there may be some, and they may come and go: tried again.
one_program_however_many_clients()
{
	local before after i tries

	for tries in {1..20}; do
		before=$("$client" count_programs)
		# one of before goes a while after its process
		sleep 0.2
		[ "$before" -eq "$("$client" count_programs)" ] || continue
		serve --mode 0666
		for i in 1 2 3; do
			"$client" the_end_of_the_daemon_is_survived >"$TMPDIR/open.$i" &
			wait_until grep -q open "$TMPDIR/open.$i"
		done
		after=$("$client" count_programs)
		kill "$daemon_pid"
		wait
		[ "$after" -ne $((before + 1)) ] || return 0
		rm -f "$TMPDIR"/open.?
	done
	fail "$((before + 1)) programs, after $tries tries" "$after"
}

its_end_is_survived()
{
	local status=0

	serve
	"$client" the_end_of_the_daemon_is_survived >"$TMPDIR/open" 2>"$TMPDIR/errors" &
	wait_until grep -q open "$TMPDIR/open"
	kill -KILL "$daemon_pid"
	wait $! || status=$?
	expect_equal 0 "$status" "$(cat "$TMPDIR/errors")"
}

what_one_left_behind_is_replaced()
{
	serve
	kill -KILL "$daemon_pid"
	wait_until eval '! kill -0 "$daemon_pid"'
	[ -S "$ONPROC_SENSOR_SOCKET" ] || fail 'its socket' 'gone'
	serve
	is own_state_is_running
}

a_second_one_is_refused()
{
	serve
	expect_status 128 "$ONPROC" sensor serve --socket "$ONPROC_SENSOR_SOCKET"
	expect_stderr_has 'a daemon serves there'
	is own_state_is_running
}

sigterm_ends_it()
{
	local status=0

	rm -f "$PRIVATE/background.out"
	"$ONPROC" sensor serve --socket "$ONPROC_SENSOR_SOCKET" 2>"$PRIVATE/background.out" &
	wait_until daemon_answers
	kill "$!"
	wait "$!" || status=$?
	expect_equal 0 "$status" 'status'
}

the_only_number_is_used_again()
{
	serve --clients 1
	is a_successor_gets_nothing_of_its_predecessor
}

is_at_the_daemon()
{
	serve
	is "$1"
}

for behaviour in own_state_is_running blocked_is_sleeping displaced_is_preempted \
	threads_that_were_there_are_known a_slot_given_back_is_not_written \
	an_untold_end_leaves_the_state_unknown states_cannot_be_written \
	clients_see_only_their_own_slots \
	threads_of_others_are_refused nonsense_ends_the_connection \
	a_forked_child_opens_its_own it_is_closed_and_opened_under_readers; do
	behaviour "nobody_$behaviour" nobody_is_served "$behaviour"
done
behaviour a_successor_gets_nothing_of_its_predecessor the_only_number_is_used_again
behaviour root_states_cannot_be_written is_at_the_daemon states_cannot_be_written
behaviour other_namespace_blocked_is_sleeping other_pid_namespaces_are_served blocked_is_sleeping
behaviour other_namespace_threads_of_others other_pid_namespaces_are_served \
	threads_of_others_are_refused
behaviour a_thousand_come_and_go a_thousand_come_and_go
behaviour the_map_of_who_ended_is_freed the_map_of_who_ended_is_freed
behaviour one_user_gets_a_share one_user_gets_a_share
behaviour by_default_only_root_may_connect by_default_only_root_may_connect
behaviour mode_and_group_are_as_asked mode_and_group_are_as_asked
behaviour the_daemon_keeps_one_capability keeps_one_capability
behaviour one_program_however_many_clients one_program_however_many_clients
behaviour the_end_of_the_daemon_is_survived its_end_is_survived
behaviour what_one_left_behind_is_replaced what_one_left_behind_is_replaced
behaviour a_second_one_is_refused a_second_one_is_refused
behaviour sigterm_ends_it sigterm_ends_it

plan_done
