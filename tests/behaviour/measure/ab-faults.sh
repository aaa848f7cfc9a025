#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ab-faults.sh - whatever goes wrong while two sides are compared, what was measured stays and the
# machine is put back.
. "${SOURCE:?}/tests/lib.sh"

DEADLINE=180

journals=$XDG_DATA_HOME/onproc/onproc.db.journal.d
notes=$XDG_DATA_HOME/onproc/onproc.db.sides.d

A='off: echo A >knob'
B='on: echo B >knob'
SLOT=(--name k --metric 'regex:x=([0-9.]+) u' --cmd 'echo x=5; sleep 0.1')

ab()
{
	"$ONPROC" ab --seed 5 "$@"
}

slots_reached()
{
	[ "$(cat "$journals"/*.jsonl 2>/dev/null | grep -c '"rate"')" -ge "$1" ]
}

is_gone()
{
	! kill -0 "$1" 2>/dev/null || [ "$(awk '{ print $3 }' "/proc/$1/stat" 2>/dev/null)" = Z ]
}

knob_is()
{
	[ "$(cat knob 2>/dev/null)" = "$1" ]
}

# Starts a long run and waits until a block is being measured on side B.
start_and_wait_for_side_b()
{
	rm -rf "$XDG_DATA_HOME/onproc" knob
	background env --default-signal=INT,HUP,TERM "$ONPROC" ab --seed 5 --a "$A" --b "$B" \
		--blocks 100 --name k --metric 'regex:x=([0-9.]+) u' \
		--cmd 'echo x=5; [ $ONPROC_SIDE = A ] || sleep 3; sleep 0.1' "$@"
	wait_until slots_reached 1
	wait_until knob_is B
}

signal_restores_side_a()
{
	start_and_wait_for_side_b
	kill "-$1" "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
	expect_equal A "$(cat knob)" 'the knob afterwards'
	expect_equal '' "$(ls "$notes")" 'notes'
	expect_status 0 "$ONPROC" show last --format json
	expect_json '.run.status == "interrupted"'
	expect_json '[.series[].slots[]] | length >= 1'
}

second_signal_does_not_stop_the_restoring()
{
	start_and_wait_for_side_b --restore 'sleep 1; echo restored >knob'
	kill -TERM "$BACKGROUND"
	kill -TERM "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
	expect_equal restored "$(cat knob)" 'the knob afterwards'
}

kill_9_is_told_at_the_next_start()
{
	start_and_wait_for_side_b
	kill -KILL "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
	id=$(basename "$notes"/*.json .json)
	expect_equal B "$(cat knob)" 'the knob afterwards'
	expect_status 0 "$ONPROC" list
	expect_stderr_has "run $id did not put the machine back: side B \(on\) may still be set"
	expect_stderr_has '`echo A >knob` restores'
	expect_status 0 "$ONPROC" help
	expect_stderr_empty
}

resume_puts_the_machine_back()
{
	start_and_wait_for_side_b
	kill -KILL "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
	# interrupted at once: the machine is put back all the same
	run timeout --preserve-status --signal=TERM 2 "$ONPROC" resume
	expect_equal A "$(cat knob)" 'the knob afterwards'
	expect_equal '' "$(ls "$notes")" 'notes'
	expect_status 0 "$ONPROC" list
	expect_stderr_lacks 'may still be set'
}

rm_forgets()
{
	start_and_wait_for_side_b
	kill -KILL "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
	id=$(basename "$notes"/*.json .json)
	expect_status 0 "$ONPROC" rm "$id"
	expect_status 0 "$ONPROC" list
	expect_stderr_empty
}

# A note of a run that is being measured is nobody else's.
living_run_is_not_mentioned()
{
	start_and_wait_for_side_b
	expect_status 0 "$ONPROC" list
	expect_stderr_lacks 'may still be set'
	kill -TERM "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
}

failing_switch_stops_the_run()
{
	rm -rf "$XDG_DATA_HOME/onproc" knob
	expect_status 128 ab --a "$A" --blocks 20 "${SLOT[@]}" \
		--b 'on: [ $(cat count | wc -l) -lt 3 ] || { echo cannot >&2; exit 4; }; echo B >knob; echo x >>count'
	expect_stderr_has 'switching to side B \(on\): its setup ended with status 4; it printed: cannot'
	expect_equal A "$(cat knob)" 'the knob afterwards'
	expect_status 0 "$ONPROC" show last --format json
	expect_json '.run.status == "interrupted"'
	expect_json '[.series[].slots[] | select(.status == "ok")] | length >= 4'
	expect_json '[.series[] | [.slots[] | select(.status == "ok")] | length] | .[0] == .[1]'
}

switch_without_effect()
{
	expect_status 128 ab --a 'x: true' --b 'y: true; true' --check 'echo same' "${SLOT[@]}"
	expect_stderr_has 'the switch has no effect: --check printed "same" for both sides'
	expect_status 0 ab --a 'x: true' --b 'x: true' --check 'echo same' --blocks 1 "${SLOT[@]}"
	# a slip: two names, and one text
	expect_status 128 ab --a 'x: true' --b 'y: true' --check 'echo same' "${SLOT[@]}"
}

side_that_is_not_what_it_was()
{
	rm -f count
	expect_status 128 ab --a "$A" --b "$B" --check 'echo x >>count; cat knob; [ $(wc -l <count) -lt 3 ] || echo other' \
		"${SLOT[@]}"
	expect_stderr_has '--check printed "[AB] other", and "[AB]" the first time: the side is not'
	expect_status 128 ab --a "$A" --b "$B" --check 'exit 3' "${SLOT[@]}"
	expect_stderr_has 'switching to side [AB] \(o[nf]+\): --check ended with status 3'
}

# While it is not known which side is set, nothing is compared; bench only says so.
nothing_is_compared_on_a_side_that_was_left()
{
	start_and_wait_for_side_b
	kill -KILL "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
	id=$(basename "$notes"/*.json .json)
	expect_status 128 ab --a "$A" --b "$B" --blocks 1 "${SLOT[@]}"
	expect_stderr_has "side B \\(on\\) may still be set"
	expect_stderr_has "a side of run $id may still be set, so that nothing is compared: onproc resume $id restores"
	expect_equal B "$(cat knob)" 'the knob afterwards'
	expect_status 0 "$ONPROC" rm "$id"
	expect_status 0 ab --a "$A" --b "$B" --blocks 1 "${SLOT[@]}"
}

# All blocks are there; only the machine is not back.
resume_restores_when_nothing_else_is_left()
{
	rm -rf "$XDG_DATA_HOME/onproc" stuck
	touch stuck
	expect_status 128 ab --a "$A" --b "$B" --restore '[ ! -e stuck ] && echo back >knob' --blocks 1 "${SLOT[@]}"
	expect_status 0 "$ONPROC" show last --format json
	id=$(jq -r .run.id "$STDOUT")
	expect_json '.run.status == "interrupted"'
	expect_status 128 "$ONPROC" resume "$id"
	expect_stderr_has 'restoring side A ended with status 1; which side is set is not known; run `\[ ! -e stuck'
	rm stuck
	expect_status 0 "$ONPROC" resume "$id"
	expect_equal back "$(cat knob)" 'the knob afterwards'
	expect_status 0 "$ONPROC" show "$id" --format json
	expect_json '.run.status == "complete"'
	expect_json '[.series[].slots[] | select(.status == "ok")] | length == 4'
	expect_status 0 "$ONPROC" list
	expect_stderr_empty
	expect_stdout_has "$id"
}

# A long command is not poured over the terminal: it stands whole in the note, which is named.
long_commands_are_cut()
{
	local long

	rm -rf "$XDG_DATA_HOME/onproc"
	long="exit 1; : $(printf '%0500d' 0)"
	expect_status 128 ab --a "$A" --b "$B" --restore "$long" --blocks 1 "${SLOT[@]}"
	expect_stderr_has 'by hand$'
	expect_stderr_lacks '0{70}'
	id=$(basename "$notes"/*.json .json)
	expect_status 0 "$ONPROC" rm "$id"
	expect_stderr_has "may still be set; \`exit 1; : 0+…\` \\(whole in .*$id.json\\) restores"
	expect_stderr_lacks '0{70}'
}

# A killed run is told once by verbs that measure, and whenever the runs are listed.
killed_run_is_told_once()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	background "$ONPROC" bench --name k --cmd 'sleep 0.2' --slots 100
	wait_until slots_reached 1
	kill -KILL "$BACKGROUND"
	wait_until is_gone "$BACKGROUND"
	expect_status 0 "$ONPROC" bench --cmd 'sleep 0.1' --slots 1
	expect_stderr_has 'was cut off; onproc resume'
	expect_status 0 "$ONPROC" bench --cmd 'sleep 0.1' --slots 1
	expect_stderr_lacks 'was cut off'
	expect_status 0 "$ONPROC" list
	expect_stderr_has 'was cut off; onproc resume'
	id=$(basename "$journals"/*.jsonl .jsonl)
	expect_status 0 "$ONPROC" rm "$id"
	expect_equal '' "$(ls "$journals")" 'what is left of the journal'
}

# Notes may outlive their runs, and be damaged.
notes_that_cannot_be_read()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	expect_status 0 "$ONPROC" bench hanoi -c 1 --slots 1 --slot-time 50ms
	mkdir -m 700 "$XDG_DATA_HOME/onproc/onproc.db.sides.d"
	echo '{"side":' >"$XDG_DATA_HOME/onproc/onproc.db.sides.d/20261130-111111-abcdef.json"
	expect_status 0 "$ONPROC" list
	expect_stderr_has 'run 20261130-111111-abcdef left a note that cannot be read'
	expect_status 0 "$ONPROC" rm 20261130-111111-abcdef
	expect_status 0 "$ONPROC" list
	expect_stderr_lacks '111111'
}

metrics_that_are_no_number_of_the_machine()
{
	local value

	for value in 5e-324 1e308; do
		expect_status 125 "$ONPROC" bench -c 1 --slots 1 --cmd "echo $value" --name k \
			--metric 'regex:(.*) s lower'
		expect_status 0 "$ONPROC" show last
	done
	expect_status 129 "$ONPROC" bench -c 1 --cmd 'echo 5' --metric 'regex:((a*)*)\2b'
	expect_stderr_has 'back-references'
}

restoring_that_fails_is_told_and_noted()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	expect_status 128 ab --a "$A" --b "$B" --restore 'echo stuck >&2; exit 1' --blocks 1 "${SLOT[@]}"
	expect_stderr_has 'ab: restoring side A ended with status 1; it printed: stuck; side [AB] \(o(n|ff)\) may still be set; run `echo stuck >&2; exit 1` by hand$'
	expect_status 0 "$ONPROC" list
	expect_stderr_has 'may still be set'
	expect_status 0 "$ONPROC" show last --format json
	expect_json '[.series[].slots[] | select(.status == "ok")] | length == 4'
	rm -rf "$XDG_DATA_HOME/onproc"
}

vanishing_command()
{
	printf '#!/bin/sh\necho x=5\nsleep 0.1\n[ "$ONPROC_BLOCK" -lt 2 ] || rm -f "$0"\n' >vanishing
	chmod +x vanishing
	run ab --a "$A" --b "$B" --blocks 8 --name k --metric 'regex:x=(.) u' --cmd ./vanishing
	expect_stdout_has 'cmd/k@1, 1 copy: given up after 2 blocks that failed'
	expect_equal A "$(cat knob)" 'the knob afterwards'
	expect_status 0 "$ONPROC" show last --format json
	expect_json '[.series[].slots[] | select(.status == "ok")] | length == 8'
	expect_json '[.series[].slots[] | select(.status == "failed")] | length == 2'
	expect_json '.run.warnings | any(test("given up after 2 blocks that failed"))'
}

metric_not_found()
{
	expect_status 125 ab --a "$A" --b "$B" --cmd 'echo y=5' --metric 'regex:x=(.)'
	expect_stderr_has 'cmd/[0-9a-f]+@1, 1 copy, side [AB]: metric regex:x=.*matches'
	expect_equal A "$(cat knob)" 'the knob afterwards'
}

metric_that_is_no_number()
{
	expect_status 125 ab --a "$A" --b "$B" --cmd 'echo x=nan' --metric 'regex:x=(.*)'
	expect_stderr_has 'expected a finite number above 0, found nan'
	expect_equal A "$(cat knob)" 'the knob afterwards'
}

# What onproc keeps lies on a file system of its own, which fills up in a block.
disk_full_in_a_block()
{
	need_root 'needs root for a file system of its own'
	need_tool unshare
	mkdir -p small
	unshare -m true 2>/dev/null || skip 'no mount namespace'
	cat >filling <<-'END'
	mount -t tmpfs -o size=400k none small || exit 77
	export XDG_DATA_HOME=$PWD/small
	"$ONPROC" ab --seed 5 --a 'off: echo A >knob' --b 'on: echo B >knob' --blocks 100 --name k \
		--metric 'regex:x=([0-9.]+) u' --cmd \
		'echo x=5; sleep 0.1; [ $ONPROC_BLOCK -lt 1 ] || cat /dev/zero >small/filler 2>/dev/null || true'
	status=$?
	rm -f small/filler
	"$ONPROC" resume --json --output resumed.json >/dev/null &
	sleep 3
	kill -TERM $!
	wait $!
	exit $status
	END
	run unshare -m sh filling
	[ "$STATUS" -ne 77 ] || skip 'no tmpfs here'
	expect_equal 128 "$STATUS" status
	expect_stderr_has 'No space left on device'
	expect_stderr_has 'kept in its journal'
	expect_equal A "$(cat knob)" 'the knob afterwards'
}

for signal in TERM INT HUP; do
	behaviour "SIG$signal in a block restores side A" signal_restores_side_a "$signal"
done
for name in second_signal_does_not_stop_the_restoring kill_9_is_told_at_the_next_start \
	resume_puts_the_machine_back rm_forgets living_run_is_not_mentioned \
	failing_switch_stops_the_run switch_without_effect side_that_is_not_what_it_was \
	restoring_that_fails_is_told_and_noted notes_that_cannot_be_read \
	nothing_is_compared_on_a_side_that_was_left resume_restores_when_nothing_else_is_left \
	long_commands_are_cut killed_run_is_told_once \
	metrics_that_are_no_number_of_the_machine vanishing_command metric_not_found \
	metric_that_is_no_number disk_full_in_a_block; do
	behaviour "$name" "$name"
done
plan_done
