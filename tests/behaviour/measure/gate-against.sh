#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# gate-against.sh - onproc gate that measures: against a tag, and under git bisect run.
. "${SOURCE:?}/tests/lib.sh"

DEADLINE=180

# A rate with noise of 1 % either way, drawn from the commit and the slot: no clock in it.
write_metric()
{
	cat >metric <<-'END'
	#!/bin/sh
	sleep 0.1
	[ ! -e fails ] || [ "$ONPROC_BLOCK" -lt "$(cat fails)" ] || { echo broke >&2; exit 3; }
	awk -v rate="$(cat rate)" -v seed="$(cat seed)" -v block="$ONPROC_BLOCK" \
		'BEGIN { srand(seed * 1000 + block); printf "x=%.6f\n", rate * (0.99 + 0.02 * rand()) }'
	END
	chmod +x metric
}

write_base()
{
	write_metric
	echo 1 >seed
	echo "$1" >rate
	expect_status 0 "$ONPROC" bench --cmd ./metric --metric 'regex:x=(.*) u' --slots 12 --name m
	expect_status 0 "$ONPROC" tag last good
}

gate()
{
	"$ONPROC" gate --against good --margin 2% --seed 1 "$@"
}

passes_what_is_equal()
{
	write_base 1000
	echo 2 >seed
	expect_status 0 gate
	expect_stdout_has '^gate: passed, 1 test'
	expect_status 0 "$ONPROC" show last --format json
	expect_json '.run.status == "complete" and (.series[0].slots | length >= 8)'
}

stops_what_is_worse()
{
	write_base 1000
	echo 900 >rate
	expect_status 1 gate
	expect_stdout_has '^regressed: m '
	expect_stdout_has '^gate: regressed, 1 of 1 tests'
}

faster_passes()
{
	write_base 1000
	echo 1200 >rate
	expect_status 0 gate
}

# Four slots have no interval at 95 %, however many are compared with them within the time.
undecided_is_125()
{
	write_base 1000
	expect_status 0 "$ONPROC" bench --cmd ./metric --metric 'regex:x=(.*) u' --slots 1 --name m
	expect_status 0 "$ONPROC" tag last poor
	expect_status 125 "$ONPROC" gate --against poor --time 3s
	expect_stdout_has 'gate: undecided'
}

broken_commit_is_125()
{
	write_base 1000
	rm metric
	expect_status 125 gate --time 5s
	expect_stderr_has 'nothing can be compared.*not found'
}

# The slots before it look well; a command that fails from some slot on has passed nothing.
failing_in_the_middle_is_125()
{
	write_base 1000
	for from in 3 7; do
		echo "$from" >fails
		expect_status 125 gate
		tr -s ' \n' ' ' <"$STDOUT" | grep -qF \
			'undecided: m: given up after 2 slots that failed, the last: the command ended with status 3; it printed: broke' ||
			fail 'why it is undecided' "$(cat "$STDOUT")"
		expect_status 0 "$ONPROC" show last --format json
		expect_json "[.series[0].slots[] | select(.status != \"failed\" and (.rerun | not))] | length >= $from"
	done
	rm fails
}

tests_are_chosen_by_name()
{
	expect_status 0 "$ONPROC" bench hanoi pipe -c 1 --slots 1 --slot-time 50ms --warmup 10ms
	expect_status 0 "$ONPROC" tag last two
	run "$ONPROC" gate --against two pipe --time 20s
	# runs of one second have no order
	expect_status 0 "$ONPROC" show "$(sed -n 's/.*stored as \([^ ]*\) in.*/\1/p' "$STDERR")" --format json
	expect_json '[.series[].test] == ["unixbench6/pipe@1"]'
	expect_status 129 "$ONPROC" gate --against two syscall
	expect_stderr_has 'syscall: the run has no such test'
}

wrong_usage()
{
	expect_status 129 "$ONPROC" gate
	expect_stderr_has 'expected BASE NEW'
	expect_status 129 "$ONPROC" gate one two three
	expect_status 128 "$ONPROC" gate --against nosuch
	expect_status 0 "$ONPROC" ab --cmd 'sleep 0.1' --blocks 1
	expect_status 128 "$ONPROC" gate --against last
	expect_stderr_has 'a comparison of two sides'
	expect_status 129 "$ONPROC" gate --against last:A
}

# What was typed is right; it is the stored run that cannot be measured again.
import_is_no_usage_error()
{
	local id

	id=$("$ONPROC" import "$SOURCE/tests/data/import/fio.json" 2>/dev/null)
	expect_status 128 "$ONPROC" gate --against "$id"
	expect_stderr_has 'was imported: what another tool measured cannot be measured again'
	expect_stderr_lacks 'Try:'
}

commit()
{
	echo "$1" >seed
	echo "$2" >rate
	git add -A
	git -c user.name=test -c user.email=test@localhost commit -qm "commit $1"
}

bisect_finds_the_slow_commit()
{
	local number

	need_tool git awk
	mkdir repository
	cd repository
	git init -q .
	write_metric
	for number in $(seq 1 6); do
		commit "$number" 1000
	done
	expect_status 0 "$ONPROC" bench --cmd ./metric --metric 'regex:x=(.*) u' --slots 12 --name m
	expect_status 0 "$ONPROC" tag last good
	commit 7 950
	for number in $(seq 8 14); do
		commit "$number" 951
	done
	git bisect start HEAD HEAD~13 >/dev/null
	expect_status 0 git bisect run "$ONPROC" gate --against good --margin 2% --time 1m
	expect_equal 'commit 7' "$(git log -1 --format=%s refs/bisect/bad)" 'the first bad commit'
}

for name in passes_what_is_equal stops_what_is_worse faster_passes undecided_is_125 \
	broken_commit_is_125 failing_in_the_middle_is_125 tests_are_chosen_by_name wrong_usage import_is_no_usage_error bisect_finds_the_slow_commit; do
	behaviour "$name" "$name"
done
plan_done
