#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# resume.sh - interrupted and killed runs go on; what would mix two machines does not.
. "${SOURCE:?}/tests/lib.sh"

journals=$XDG_DATA_HOME/onproc/onproc.db.journal.d

was_cut_off()
{
	"$ONPROC" list 2>&1 | grep 'was cut off'
}

# Starts a run of many short slots and ends it by a signal once it has a few.
cut_off()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	background "$ONPROC" bench pipe syscall -c 1 --slots 30 --slot-time 60ms --warmup 20ms --seed 7
	wait_until eval "[ \$(cat $journals/*.jsonl | wc -l) -ge 6 ]"
	kill "-$1" "$BACKGROUND"
	# the last process of its slot holds the journal a moment longer
	wait_until was_cut_off
	id=$(basename "$journals"/*.jsonl .jsonl)
}

goes_on()
{
	cut_off "$1"
	if [ "$1" = KILL ]; then
		expect_status 128 "$ONPROC" show "$id"
		expect_stderr_has "run $id was cut off; onproc resume"
	fi
	expect_status 0 "$ONPROC" resume ${2:+"$id"}
	expect_stdout_has '^pipe '
	expect_stderr_has "run $id: [0-9]+ of 60 slots left"
	expect_no_file "$journals/$id.jsonl"
	expect_status 0 "$ONPROC" show "$id" --format json
	expect_json '.run.status == "complete" and .run.plan.seed == 7'
	expect_json '[.series[] | [.slots[] | select(.status == "ok")] | length] == [30, 30]'
	expect_json '[.series[].slots[].ordinal] | length == (unique | length)'
}

interrupted_shows_what_is_there()
{
	local status=0

	rm -rf "$XDG_DATA_HOME/onproc"
	# a process of its own that does not ignore SIGINT, as one of a job without control does
	env --default-signal=INT "$ONPROC" bench pipe -c 1 --slots 200 --slot-time 50ms --warmup 0 \
		>"$STDOUT" 2>"$STDERR" &
	wait_until eval "[ \$(cat $journals/*.jsonl | wc -l) -ge 6 ]"
	kill -INT $!
	wait $! || status=$?
	expect_equal 130 "$status" status
	expect_stdout_has '^pipe +12440'
	expect_stderr_has 'onproc resume [0-9a-f-]+ goes on'
	expect_status 0 "$ONPROC" list --json
	expect_json '.runs[0].status == "interrupted"'
}

edit_first_line()
{
	jq -c "$1" <(head -n1 "$journals/$id.jsonl") >edited
	tail -n+2 "$journals/$id.jsonl" >>edited
	cp edited "$journals/$id.jsonl"
}

run_member=$(printf '(.. | objects | select(has("host")))')

other_host()
{
	cut_off KILL
	edit_first_line "$run_member.host = \"elsewhere\""
	expect_status 128 "$ONPROC" resume "$id"
	expect_stderr_has 'begun on elsewhere'
	expect_file "$journals/$id.jsonl"
}

other_boot()
{
	cut_off KILL
	edit_first_line "$run_member.environment.boot_id = \"00000000-0000-0000-0000-000000000000\""
	expect_status 0 "$ONPROC" resume "$id"
	expect_stderr_has 'resumed after a reboot'
	expect_status 0 "$ONPROC" show "$id" --format json
	expect_json '.run.warnings | any(test("resumed after a reboot"))'
}

other_work()
{
	cut_off KILL
	edit_first_line "$run_member.plan.rows[0].content_hash = \"0123\""
	expect_status 128 "$ONPROC" resume "$id"
	expect_stderr_has 'is other work in this onproc'
	expect_file "$journals/$id.jsonl"
}

nothing_to_resume()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	expect_status 128 "$ONPROC" resume
	expect_status 128 "$ONPROC" resume nosuch
	expect_stderr_has 'nosuch'
}

behaviour 'a killed run goes on with the same plan' goes_on KILL
behaviour 'a terminated run goes on when named' goes_on TERM named
behaviour 'Ctrl-C keeps and shows what is there' interrupted_shows_what_is_there
behaviour 'a run of another host is refused and kept' other_host
behaviour 'a run of another boot goes on with a warning' other_boot
behaviour 'a run of other work is refused and kept' other_work
behaviour 'nothing to resume is told' nothing_to_resume

plan_done
