#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ab.sh - two sides in blocks: verdicts, order, switching, stopping, resuming. Rates are read from
# files and variables, so that no verdict depends on the machine.
. "${SOURCE:?}/tests/lib.sh"

DEADLINE=180

# Prints its side's value, after just long enough for one run to make a slot.
METRIC=(--name m --metric 'regex:x=([0-9.]+) u' --cmd 'echo "x=$V"; sleep 0.1')
KNOB=(--a 'off: echo 100 >knob; echo A >>switches' --b 'on: echo 110 >knob; echo B >>switches'
	--check 'cat knob' --name k --metric 'regex:x=([0-9.]+) u'
	--cmd 'echo "x=$(cat knob)"; sleep 0.1')

ab()
{
	"$ONPROC" ab --seed 5 "$@"
}

# "0 ABBA" for each block of a run's document, of slots that FILTER takes, in their order.
blocks_of()
{
	jq -r "[.series[] | .side as \$side | .slots[] | select(${2:-.status == \"ok\"}) |
		{ordinal, block, side: \$side}] | sort_by(.ordinal) | group_by(.block)[] |
		\"\\(.[0].block) \\(map(.side) | join(\"\"))\"" "$1"
}

other_blocks()
{
	grep -vE '^[0-9]+ (ABBA|BAAB)$' blocks || true
}

better_worse_and_same()
{
	expect_status 0 ab --a-env V=100 --b-env V=110 "${METRIC[@]}"
	expect_stdout_has '^m .* \+10.*better$'
	expect_status 0 ab --a-env V=110 --b-env V=100 "${METRIC[@]}"
	expect_stdout_has '^m .*worse$'
	expect_status 0 ab --a-env V=1000 --b-env V=1001 "${METRIC[@]}" --json
	expect_json '.schema == "onproc.comparison" and .design == "abba"'
	expect_json '.tests[0] | .verdict == "better" and .trivial'
}

two_equal_sides()
{
	expect_status 0 env V=7 "$ONPROC" ab --seed 5 "${METRIC[@]}"
	expect_stdout_has '^m .*same$'
	expect_stdout_has '8 blocks'
}

blocks_are_abba_or_baab_in_drawn_order()
{
	expect_status 0 ab --a-env V=5 --b-env V=5 --blocks 10 "${METRIC[@]}"
	expect_status 0 "$ONPROC" show last --format json
	blocks_of "$STDOUT" >blocks
	expect_equal 10 "$(wc -l <blocks)" 'blocks'
	expect_equal '' "$(other_blocks)" 'other blocks'
	grep -q ABBA blocks && grep -q BAAB blocks || fail 'both orders' "$(cat blocks)"
	expect_json '.run.plan.design == "abba" and .run.plan.looks == false and .run.seed == "5"'
	# a block that something disturbed was repeated in an order of its own
	blocks_of "$STDOUT" '.rerun | not' >first
	expect_status 0 ab --a-env V=5 --b-env V=5 --blocks 10 "${METRIC[@]}"
	expect_status 0 "$ONPROC" show last --format json
	expect_equal "$(cat first)" "$(blocks_of "$STDOUT" '.rerun | not')" 'order of the same seed'
}

sides_have_names()
{
	expect_status 0 ab --a before --b after --a-env V=5 --b-env V=6 --blocks 6 "${METRIC[@]}" --json
	expect_json '.a.name == "before" and .b.name == "after"'
	expect_status 0 "$ONPROC" compare last --format json
	expect_json '.a.name == "before" and .b.name == "after" and .tests[0].verdict == "better"'
}

the_machine_is_switched_and_put_back()
{
	rm -f switches
	expect_status 0 ab "${KNOB[@]}" --blocks 6
	expect_stdout_has '^k .*better$'
	expect_equal 100 "$(cat knob)" 'the knob afterwards'
	expect_equal A "$(tail -n1 switches)" 'the last switch'
	# two in a row of one side need no switch between them
	expect_equal '' "$(sed '$d' switches | uniq -d)" 'switches to where it was'
	expect_equal '' "$(ls "$XDG_DATA_HOME/onproc/onproc.db.sides.d")" 'notes'
}

restore_is_another_command()
{
	expect_status 0 ab "${KNOB[@]}" --blocks 1 --restore 'echo put back >knob'
	expect_equal 'put back' "$(cat knob)" 'the knob afterwards'
}

# What no shell reads is checked before anything is switched.
words_are_checked_before_switching()
{
	rm -f switches
	expect_status 129 ab "${KNOB[@]:0:6}" --shell none --cmd 'nosuchprogram-of-ours x'
	expect_stderr_has 'no program "nosuchprogram-of-ours" in PATH'
	expect_status 129 ab "${KNOB[@]:0:6}" --shell none --cmd true --prepare 'nosuchprogram-of-ours'
	expect_status 129 ab "${KNOB[@]:0:6}" --shell none --cmd true --cleanup "''"
	expect_status 129 ab --a 'x: echo A >>switches' --b 'y: true' --shell none --a-cmd true --b-cmd "'unclosed"
	expect_no_file switches
}

few_blocks_are_told_at_the_start()
{
	expect_status 0 ab --a-env V=5 --b-env V=6 --blocks 5 "${METRIC[@]}"
	expect_stderr_has '^onproc ab: fewer than 6 blocks give a ratio, but no interval and no verdict$'
	expect_stdout_has '^m .*no interval'
	expect_status 0 ab --a-env V=5 --b-env V=6 --blocks 6 "${METRIC[@]}"
	expect_stderr_lacks 'fewer than'
	expect_stdout_has '^m .*better$'
}

sides_are_told_by_what_they_are()
{
	expect_status 0 ab --a-env V=100 --b-env V=110 --blocks 1 "${METRIC[@]}"
	expect_stdout_has '^A: with V=100$'
	expect_stdout_has '^B: with V=110$'
	expect_status 0 env V=7 "$ONPROC" ab --blocks 1 "${METRIC[@]}"
	expect_stdout_has '^B: as A, nothing is switched between them$'
	expect_status 0 ab --blocks 1 --a before --b after --a-cmd 'sleep 0.1' --b-cmd 'sleep 0.11'
	expect_stdout_has '^B after: running `sleep 0.11`$'
}

two_commands()
{
	expect_status 0 ab --a-cmd 'echo x=3; sleep 0.1' --b-cmd 'echo x=4; sleep 0.1' --blocks 6 \
		--metric 'regex:x=(.) u' --name pair --json
	expect_json '.tests[0] | .test == "cmd/pair@1" and .a.value == 3 and .b.value == 4' ||
		expect_json '.tests[0].verdict == "better"'
}

variables_reach_the_tests()
{
	has_variable()
	{
		[ -n "$(grep -lsz "^ONPROC_TEST_MARK=$1\$" /proc/[0-9]*/environ)" ]
	}
	background "$ONPROC" ab hanoi --slot-time 100ms --warmup 10ms --blocks 50 \
		--a-env ONPROC_TEST_MARK=left --b-env ONPROC_TEST_MARK=right
	wait_until has_variable left
	wait_until has_variable right
}

tests_of_onproc_have_their_own_blocks()
{
	expect_status 0 ab hanoi pipe -c 1,2 --slot-time 50ms --warmup 10ms --blocks 1
	expect_status 0 "$ONPROC" show last --format json
	expect_json '[.series[] | select(.side == "A")] | length == 4'
	expect_json '[.series[] | [.slots[] | select(.status == "ok")] | length] | all(. == 2)'
}

slots_reached()
{
	[ "$(cat "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl 2>/dev/null | grep -c '"rate"')" -ge "$1" ]
}

was_cut_off()
{
	"$ONPROC" list 2>&1 | grep 'was cut off'
}

# A run that was cut in a block measures the rest, and gives whole blocks in the drawn order.
resumed_after()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	background "$ONPROC" ab --seed 5 "${KNOB[@]}" --blocks 8
	wait_until slots_reached 6
	kill "-$1" "$BACKGROUND"
	wait_until was_cut_off
	expect_status 0 "$ONPROC" resume
	expect_stdout_has '^k .*better$'
	expect_equal 100 "$(cat knob)" 'the knob afterwards'
	expect_status 0 "$ONPROC" show last --format json
	blocks_of "$STDOUT" >blocks
	expect_equal 8 "$(wc -l <blocks)" 'blocks'
	expect_equal '' "$(other_blocks)" 'other blocks'
	expect_json '[.series[].slots[].ordinal] | length == (unique | length)'
	expect_json '[.series[].slots[] | select(.status == "failed")] == []'
}

# A block of a killed run gets evidence of something external: it is repeated whole.
block_with_external_evidence_is_repeated()
{
	local journal slot place ordinal=0

	rm -rf "$XDG_DATA_HOME/onproc"
	background "$ONPROC" ab --seed 5 "${KNOB[@]}" --blocks 8
	wait_until slots_reached 1
	kill -KILL "$BACKGROUND"
	wait_until was_cut_off
	journal=$(echo "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl)
	# the run, its series, and one whole block, in which one slot was disturbed
	grep -v '"slot"' "$journal" >edited
	slot=$(grep -m1 '"slot"' "$journal")
	for place in 0:0 1:0 1:1 0:1; do
		jq -c --argjson n "$((ordinal++))" --arg at "$place" '.series = ($at[0:1] | tonumber) |
			.number = ($at[2:3] | tonumber) | .slot.block = 0 | .slot.ordinal = $n |
			.slot.rerun = false | .slot.status = "ok" |
			.slot.evidence.external = (if $n == 2 then [{"kind": "steal", "cpu": 0.5}] else [] end)' \
			<<<"$slot"
	done >>edited
	cp edited "$journal"
	expect_status 0 "$ONPROC" resume
	expect_status 0 "$ONPROC" show last --format json
	expect_json '[.series[].slots[] | select(.block == 0 and .status == "replaced")] | length == 4'
	expect_json '[.series[].slots[] | select(.block == 0 and .status == "ok")] |
		length == 4 and all(.rerun)'
}

# damaged FILTER WORDS: the journal of a killed run, each line through jq: resume says so, and the
# journal is not lost. The machine is as it was left, and the next resume of the sound one goes on.
damaged()
{
	jq -c "$1" saved >"$journal"
	expect_status 128 "$ONPROC" resume
	expect_stderr_has "$2"
	[ -s "$journal" ] || fail 'the journal' 'none'
}

journal_that_was_edited_is_refused_with_words()
{
	local journal

	rm -rf "$XDG_DATA_HOME/onproc"
	background "$ONPROC" ab --seed 5 "${KNOB[@]}" --blocks 6
	wait_until slots_reached 5
	kill -KILL "$BACKGROUND"
	wait_until was_cut_off
	journal=$(echo "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl)
	cp "$journal" saved
	damaged 'if .slot then .slot.block = 4294967295 else . end' 'slot 0 is of block 4294967295, expected fewer'
	damaged 'if .run then .run.plan.sides.A = null else . end' 'plan\.sides\.A: expected an object'
	damaged 'if .run then del(.run.plan.design) else . end' 'plan\.design: expected "abba"'
	damaged 'if .run then .run.plan.sides.blocks = "x" else . end' 'plan\.sides\.blocks'
	damaged 'if .run then .run.plan.sides.B.environment = ["ONPROC_SIDE=x"] else . end' \
		"plan\\.sides\\.B\\.environment: expected texts NAME=VALUE, none of them onproc's own"
	damaged 'if .slot then .slot.rate = null else . end' 'line [0-9]+ is damaged .* is kept'
	# cut within its first line, and within a later one
	head -c 300 saved >"$journal"
	expect_status 128 "$ONPROC" resume
	expect_stderr_has 'expected the line of the run, found a part of a line'
	head -c "$(($(wc -c <saved) - 40))" saved >"$journal"
	expect_status 0 "$ONPROC" resume
	expect_stdout_has '^k .*better$'
	expect_equal 100 "$(cat knob)" 'the knob afterwards'
	expect_status 0 "$ONPROC" show last --format json
	blocks_of "$STDOUT" >blocks
	expect_equal 6 "$(wc -l <blocks)" 'blocks'
	expect_equal '' "$(other_blocks)" 'other blocks'
}

time_ends_a_run()
{
	expect_status 0 ab --a-env V=5 --b-env V=5 --time 5s --blocks 1000 "${METRIC[@]}"
	expect_status 0 "$ONPROC" show last --format json
	expect_json '.run.warnings | any(test("time budget"))'
}

wrong_usage()
{
	expect_status 129 ab --a 'x: true' "${METRIC[@]}"
	expect_stderr_has '--a and --b: give both'
	expect_status 129 ab --a 'x: true' --b y "${METRIC[@]}"
	expect_stderr_has 'only one side has a SETUP'
	expect_status 129 ab --a-cmd true
	expect_stderr_has '--a-cmd and --b-cmd: give both'
	expect_status 129 ab --a-cmd true --b-cmd true --cmd true
	expect_status 129 ab --a-env '1=2' --cmd true
	expect_stderr_has 'NAME=VALUE'
	expect_status 129 ab --a-env ONPROC_SIDE=x --cmd true
	expect_stderr_has 'ONPROC_SIDE=x": onproc sets this variable itself'
	expect_status 129 ab --b-env ONPROC_DIR=/ --cmd true
	expect_status 129 ab --check 'cat knob' --cmd true
	expect_stderr_has '--check and --restore are about what is switched'
	expect_status 129 ab --a-cmd true --b-cmd true --check 'cat knob'
	expect_status 129 ab --restore true --cmd true
	expect_status 129 ab --blocks 0
	expect_status 129 ab nosuchtest
}

for name in better_worse_and_same two_equal_sides blocks_are_abba_or_baab_in_drawn_order \
	sides_have_names the_machine_is_switched_and_put_back restore_is_another_command \
	words_are_checked_before_switching few_blocks_are_told_at_the_start \
	sides_are_told_by_what_they_are two_commands \
	variables_reach_the_tests tests_of_onproc_have_their_own_blocks; do
	behaviour "$name" "$name"
done
behaviour 'a terminated run goes on' resumed_after TERM
behaviour 'a killed run goes on' resumed_after KILL
for name in block_with_external_evidence_is_repeated \
	journal_that_was_edited_is_refused_with_words time_ends_a_run wrong_usage; do
	behaviour "$name" "$name"
done
plan_done
