#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# command.sh - any command as an instrument of bench. Values come from files, not from the clock.
. "${SOURCE:?}/tests/lib.sh"

bench()
{
	"$ONPROC" bench --seed 1 "$@"
}

# Lines of a file, 0 where it is not there.
lines()
{
	cat "$1" 2>/dev/null | wc -l
}

wall_time_is_the_rate()
{
	expect_status 0 bench --cmd 'sleep 0.11' --slots 2 --json
	expect_json '.series[0] | .unit == "1/s" and .title == "sleep 0.11" and .copies == 1'
	expect_json '.series[0].test | test("^cmd/[0-9a-f]{8}@1$")'
	expect_json '[.series[0].slots[].rate] | all(. > 0 and . < 9.1)'
	expect_json '[.series[0].slots[] | select(.length_ns < 110000000)] == []'
	expect_json '.series[0].content_hash | length == 64'
}

a_short_command_is_repeated()
{
	expect_status 0 bench --cmd 'echo x=5 >>runs' --slots 1 --json
	expect_json '.series[0].slots[-1].evidence | .runs > 1 and .wall_ns >= 100000000'
}

text_goes_to_the_shell_unchanged()
{
	expect_status 0 bench --slots 1 --name it --cmd \
		'printf "%s\n" "$ONPROC_BLOCK" "$ONPROC_COPIES" "[$ONPROC_SIDE]" '\''a  $x `b` \"%%s'\'' >seen; sleep 0.1'
	# shellcheck disable=SC2016 # as it was typed
	expect_equal "$(printf '%s\n' 0 1 '[]' 'a  $x `b` \"%%s')" "$(cat seen)" 'what the shell saw'
	expect_status 0 "$ONPROC" show last --format json
	expect_json '.series[0] | .test == "cmd/it@1"'
}

# The directory is there while the slot lasts, and gone after it.
scratch_directory()
{
	expect_status 0 bench --slots 1 --dir "$TMPDIR" \
		--cmd 'echo "$ONPROC_DIR" >where; touch "$ONPROC_DIR/file"; sleep 0.1'
	expect_no_file "$(cat where)"
	[ -s where ] || fail 'a directory' 'none'
}

metrics_become_rates()
{
	expect_status 0 bench --slots 1 --json --cmd 'echo "{\"jobs\":[{\"bw\":250}]}"; sleep 0.1' \
		--metric 'json:jobs[0].bw MB/s'
	expect_json '.series[0] | .unit == "MB/s" and .slots[-1].rate == 250'
	expect_status 0 bench --slots 1 --json --cmd 'echo took 0.25 s; sleep 0.1' \
		--metric 'regex:took ([0-9.]+) s s lower'
	expect_json '.series[0] | .unit == "1/s" and .slots[-1].rate == 4'
	expect_json '.series[0].slots[-1].evidence.metric == 0.25'
}

usage_is_kept()
{
	expect_status 0 bench --slots 1 --json \
		--cmd 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 0.1'
	expect_json '.series[0].slots[-1].evidence |
		.user_ns + .system_ns > 0 and .peak_bytes > 100000 and .runs == 1'
}

prepare_cleanup_and_warmup()
{
	expect_status 0 bench --slots 2 --prepare 'echo x >>prepared' --cleanup 'echo x >>cleaned' \
		--warmup 3 --cmd 'echo x >>ran; sleep 0.1'
	# a slot that something disturbed is measured once more
	slots=$(lines prepared)
	[ "$slots" -ge 2 ] && [ "$slots" -le 3 ] || fail '2 or 3 slots' "$slots"
	expect_equal "$slots" "$(lines cleaned)" 'cleanups'
	expect_equal $((4 * slots)) "$(lines ran)" 'runs'
}

cleanup_follows_a_failure()
{
	expect_status 125 bench --slots 1 --cmd 'exit 3' --cleanup 'echo x >>cleaned_too'
	[ "$(lines cleaned_too)" -ge 1 ] || fail 'a cleanup' none
	expect_status 125 bench --slots 1 --cmd 'true' --prepare 'echo no >&2; exit 1'
	expect_stderr_has '--prepare ended with status 1; it printed: no'
}

failure_fails_the_slot()
{
	expect_status 125 bench --slots 2 --json --cmd 'echo words of the end >&2; exit 7'
	expect_stderr_has 'the command ended with status 7; it printed: words of the end'
	expect_json '.series[0].slots | length == 2 and all(.status == "failed" and .rate == null)'
	expect_status 125 bench --slots 1 --cmd 'kill -SEGV $$'
	expect_stderr_has 'the command was killed by SIGSEGV'
	expect_status 0 bench --slots 1 --ignore-failure --cmd 'sleep 0.1; exit 7'
}

output_cannot_reach_the_terminal()
{
	expect_status 125 bench --slots 1 --cmd "printf '\\033[31mred\\n' >&2; exit 1"
	expect_stderr_lacks $'\033'
	expect_stdout_lacks $'\033'
}

timeout_ends_a_run()
{
	expect_status 125 bench --slots 1 --timeout 300ms --cmd 'sleep 1000 & sleep 1000'
	expect_stderr_has 'the command: no end within 0.3 s'
}

metric_that_is_not_there()
{
	expect_status 125 bench --slots 1 --cmd 'echo y=5' --metric 'regex:x=([0-9]+)'
	expect_stderr_has 'metric regex:x=.*nothing that the command printed matches'
	expect_status 125 bench --slots 1 --cmd 'echo "{}"' --metric 'json:a.b'
	expect_stderr_has 'metric json:a.b: a: no such member'
}

metric_that_is_no_number()
{
	local text

	for text in nan inf -1 0; do
		expect_status 125 bench --slots 1 --cmd "echo x=$text" --metric 'regex:x=(.*)'
		expect_stderr_has 'expected a finite number above 0, found'
	done
}

# It goes away while it is measured: what was measured stays.
command_that_vanishes()
{
	printf '#!/bin/sh\nsleep 0.1\n[ "$ONPROC_BLOCK" -lt 2 ] || rm -f "$0"\n' >vanishing
	chmod +x vanishing
	run bench --slots 6 --json --cmd ./vanishing
	expect_json '[.series[0].slots[] | select(.status != "failed")] | length >= 3'
	expect_json '[.series[0].slots[] | select(.status == "failed") | .error] |
		length >= 2 and all(test("not found"))'
}

without_a_shell()
{
	expect_status 0 bench --slots 1 --shell none --cmd \
		'sh -c '\''printf "%s\n" "$@" >words; sleep 0.1'\'' x "a b" $HOME a\ b * ;'
	# shellcheck disable=SC2016 # nobody expands it
	expect_equal "$(printf '%s\n' 'a b' '$HOME' 'a b' '*' ';')" "$(cat words)" 'words'
	expect_status 129 bench --slots 1 --shell none --cmd 'no-such-program x'
	expect_stderr_has 'no program "no-such-program" in PATH'
	expect_status 129 bench --slots 1 --shell none --cmd "sleep 'x"
	expect_stderr_has 'expected a closing'
}

# The behaviour fails for a process that outlives it.
no_orphan_is_left()
{
	expect_status 0 bench --slots 1 --cmd 'sleep 1000 & setsid sleep 1000 & sleep 0.1'
}

is_running()
{
	local pid

	for pid in $(private_processes); do
		grep -qz 'sleep 987' "/proc/$pid/cmdline" && return 0
		[ "$(tr '\0' ' ' <"/proc/$pid/cmdline")" = 'sleep 987 ' ] && return 0
	done
	return 1
}

killed_onproc_takes_its_command_along()
{
	background "$ONPROC" bench --slots 1 --cmd 'sleep 987 & sleep 987'
	wait_until is_running
	kill -KILL "$BACKGROUND"
	is_gone()
	{
		! is_running
	}
	wait_until is_gone
}

fake()
{
	mkdir -p fake
	printf '#!/bin/sh\nsleep 0.1\ncat <<END\n%s\nEND\n' "$2" >"fake/$1"
	chmod +x "fake/$1"
}

adapters_supply_metric_and_unit()
{
	fake hackbench 'Time: 0.250'
	fake perf '     Total time: 0.500 [sec]'
	fake other 'events per second: 42.5'
	export PATH=$PWD/fake:$PATH
	expect_status 0 bench --slots 1 --json --cmd 'hackbench -g 4'
	expect_json '.series[0] | .unit == "1/s" and .slots[-1].rate == 4'
	expect_status 0 bench --slots 1 --json --cmd 'perf bench sched messaging'
	expect_json '.series[0].slots[-1].rate == 2'
	expect_status 0 bench --slots 1 --json --cmd other --adapter sysbench
	expect_json '.series[0] | .unit == "events/s" and .slots[-1].rate == 42.5'
	expect_status 0 bench --slots 1 --json --cmd 'hackbench -g 4' --metric time
	expect_json '.series[0].slots[-1].rate < 10'
}

real_fio()
{
	need_tool fio
	expect_status 0 bench --slots 1 --json --cmd 'fio --name=x --directory="$ONPROC_DIR" --size=4m \
		--rw=write --bs=64k --output-format=json --time_based --runtime=1'
	expect_json '.series[0] | .unit == "B/s" and .slots[-1].rate > 1000'
}

copies_are_told()
{
	expect_status 0 bench --slots 1 --json -c 1,3 --metric 'regex:c=([0-9]+) n' \
		--cmd 'echo "c=$ONPROC_COPIES"; sleep 0.1'
	expect_json '[.series[] | [.copies, .slots[-1].rate]] | sort == [[1, 1], [3, 3]]'
}

beside_tests_of_its_own()
{
	expect_status 0 bench hanoi -c 1 --slots 1 --slot-time 100ms --warmup 10ms --json \
		--cmd 'sleep 0.1' --name nap
	expect_json '[.series[].test] | sort == ["cmd/nap@1", "unixbench6/hanoi@1"]'
}

other_commands_are_other_tests()
{
	local one two

	expect_status 0 bench --slots 1 --json --cmd 'sleep 0.1' --name nap
	one=$(jq -r '.series[0].content_hash' "$STDOUT")
	expect_status 0 bench --slots 1 --json --cmd 'sleep 0.10' --name nap
	two=$(jq -r '.series[0].content_hash' "$STDOUT")
	[ "$one" != "$two" ] || fail 'another hash' "$two"
	expect_status 128 "$ONPROC" compare last~1 last
}

slots_reached()
{
	[ "$(cat "$XDG_DATA_HOME"/onproc/*.journal.d/*.jsonl 2>/dev/null | grep -c '"rate"')" -ge "$1" ]
}

killed_run_goes_on()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	background "$ONPROC" bench --slots 8 --cmd 'echo x=5; sleep 0.1' --metric 'regex:x=(.) u' --name it
	wait_until slots_reached 3
	kill -KILL "$BACKGROUND"
	was_cut_off()
	{
		"$ONPROC" list 2>&1 | grep 'was cut off'
	}
	wait_until was_cut_off
	expect_status 0 "$ONPROC" resume --json
	expect_json '.series[0] | .test == "cmd/it@1" and
		([.slots[] | select(.status == "ok")] | length == 8 and all(.rate == 5))'
}

wrong_usage()
{
	expect_status 129 bench --metric 'json:x'
	expect_stderr_has 'about a command of --cmd: give one'
	expect_status 129 bench pipe --timeout 1s
	expect_stderr_has 'about a command: give one'
	expect_status 129 bench --cmd ''
	expect_status 129 bench --cmd ' '
	expect_status 129 bench --cmd true --metric 'words'
	expect_stderr_has 'expected json:PATH'
	expect_status 129 bench --cmd true --metric 'regex:x'
	expect_stderr_has 'expected a group'
	expect_status 129 bench --cmd true --name 'a b'
	expect_status 129 bench --cmd true --pin compact
	expect_status 129 bench --cmd true --warmup many
	expect_stderr_has 'warmup'
	expect_status 129 bench --cmd "$(printf '\377')"
	expect_stderr_has 'UTF-8'
}

for name in wall_time_is_the_rate a_short_command_is_repeated text_goes_to_the_shell_unchanged \
	scratch_directory metrics_become_rates usage_is_kept prepare_cleanup_and_warmup \
	cleanup_follows_a_failure failure_fails_the_slot output_cannot_reach_the_terminal \
	timeout_ends_a_run metric_that_is_not_there metric_that_is_no_number command_that_vanishes \
	without_a_shell no_orphan_is_left killed_onproc_takes_its_command_along \
	adapters_supply_metric_and_unit real_fio copies_are_told beside_tests_of_its_own \
	other_commands_are_other_tests killed_run_goes_on wrong_usage; do
	behaviour "$name" "$name"
done
plan_done
