#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench.sh - bench from its command line to its stored run, in slots as short as can be.
. "${SOURCE:?}/tests/lib.sh"

short=(--slots 1 --slot-time 200ms --warmup 10ms)

bench()
{
	"$ONPROC" bench "$@"
}

unwritable_dir()
{
	expect_status 128 bench pipe -c 1 "${short[@]}" --dir /proc
	expect_stderr_has '/proc: '
	expect_status 128 bench pipe -c 1 "${short[@]}" --dir "$TMPDIR/missing"
	expect_stderr_has 'missing.*No such file or directory'
	expect_no_file "$XDG_DATA_HOME/onproc"
}

plan_runs_nothing()
{
	expect_status 0 bench --plan --seed 1
	expect_stdout_has '^24 rows, 12 slots each of 1s after 250ms'
	expect_stdout_has '^about [0-9]+m'
	expect_stdout_has 'unixbench6/shell8@1 +1 copy'
	expect_stderr_empty
	cp "$STDOUT" first
	expect_status 0 bench --plan --seed 1
	cmp "$STDOUT" first
	expect_no_file "$XDG_DATA_HOME/onproc"
}

plan_shows_what_was_set()
{
	expect_status 0 bench messaging -g 7 -p --plan --time 10s
	expect_stdout_has 'at most 12 slots'
	expect_stdout_has '^ +groups=7 pipe=1$'
	expect_status 129 bench pipe --plan --output plan.json
	expect_stderr_has '--output is for a run'
	expect_no_file plan.json
}

# The tool of dc is looked for in PATH.
plan_of_nothing()
{
	mkdir -p none
	expect_status 125 env PATH="$PWD/none" "$ONPROC" bench --plan dc -c 1
	expect_stdout_has '^nothing would run$'
	expect_stdout_has 'dc: not found in PATH'
	expect_stdout_lacks 'about|Order'
	expect_stderr_has 'none of the tests can run here'
	expect_status 125 env PATH="$PWD/none" "$ONPROC" bench --plan --json dc -c 1
	expect_json '[.plan.rows[].unsupported] | all'
}

plan_of_one()
{
	expect_status 0 bench --plan pipe -c 1 --slots 1
	expect_stdout_has '^1 row, 1 slot each of 1s'
	expect_status 0 bench --plan pipe -c 1 --classic
	expect_stdout_has '^1 row as UnixBench 6 runs it'
	run bench pipe -c 1 "${short[@]}"
	expect_stderr_has ': 1 row, 1 slot, about'
	expect_stdout_has '^1 slot of 200 ms a row'
}

# hides DIRECTORY COMMAND...: in a mount namespace of its own, where DIRECTORY is empty.
hides()
{
	# shellcheck disable=SC2016 # the inner shell expands them
	unshare -m sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$@"
}

need_mounts()
{
	need_root
	need_tool unshare
	hides /mnt true 2>/dev/null || skip 'no mount namespace'
}

without_sys()
{
	need_mounts
	expect_status 0 hides /sys "$ONPROC" bench --plan pipe -c 1
	expect_stderr_empty
}

without_proc()
{
	skip_if_sanitized 'the sanitizers read /proc'
	need_tool strings
	need_mounts
	[ ! -e "$(strings -a "$ONPROC" | grep -m1 '/onproc-work-ipc$')" ] || skip 'onproc is installed'
	expect_status 128 hides /proc "$ONPROC" bench pipe -c 1 "${short[@]}"
	expect_stderr_has '/proc/self/exe: No such file or directory; is /proc mounted\?'
}

plan_document()
{
	expect_status 0 bench --plan --json -c 1 -c 3 index --quick --seed 5
	expect_json '.schema == "onproc.plan" and .estimate_ns > 0'
	expect_json '.plan | .slots == 7 and .slot_ns == 500000000 and .warmup_ns == 150000000'
	expect_json '.plan | .seed == 5 and .suite == "unixbench6"'
	expect_json '.plan.suite_tests | length == 12'
	expect_json '[.plan.rows[].copies] | unique == [1, 3]'
}

precision()
{
	expect_status 0 bench --plan --json pipe -c 1 --precision 1%
	expect_json '.plan.precision == 0.01 and .plan.slots == 140'
	expect_status 0 bench --plan --json pipe -c 1 --precision 0.005 --slots 20 --time 2m
	expect_json '.plan.precision == 0.005 and .plan.slots == 20'
	expect_json '.plan.budget_ns == 120000000000'
}

suites()
{
	expect_status 0 bench --plan --json unixbench5 -c 1
	expect_json '.plan.suite == "unixbench5" and (.plan.rows | length == 12)'
	expect_status 0 bench --plan --json --suite unixbench5 -c 1
	expect_json '.plan.suite == "unixbench5" and (.plan.rows | length == 12)'
	expect_status 0 bench --plan --json pipe -c 1
	expect_json '.plan.suite == "unixbench6" and (.plan.rows | length == 1)'
	expect_status 0 bench --plan --json fstime5 -c 1
	expect_json '.plan.suite == "unixbench5"'
	expect_status 0 bench --plan --json messaging -c 1
	expect_json '.plan.suite == null'
}

classic()
{
	expect_status 0 bench --plan --classic -c 1
	expect_stdout_has 'as UnixBench 6 runs them'
	expect_status 0 bench --plan --json --classic -i 4 -c 1 pipe
	expect_json '.plan.classic and .plan.classic_i == 4'
	expect_status 0 bench --plan --json -i 4 -c 1 pipe
	expect_json '(.plan.classic | not) and .plan.slots == 4'
}

messaging()
{
	expect_status 0 bench --plan --json messaging -c 1 -g 400 -pt -l 7
	expect_json '.plan.rows[0].params == {"groups":400,"pipe":1,"thread":1,"loops":7}'
	expect_status 0 bench --plan --json messaging -c 1 --param messaging.groups=3
	expect_json '.plan.rows[0].params.groups == 3'
}

other_machine()
{
	expect_status 0 bench --plan pipe -c all --pin compact --topology 'synthetic:pack:2 core:4 pu:2'
	expect_stdout_has 'unixbench6/pipe@1 +16 copies'
	expect_stdout_has 'on CPUs 0 1 2 3'
}

list_of_tests()
{
	expect_status 0 bench --list
	expect_stdout_has '^pipe +unixbench6/pipe@1 +lps +ipc +yes'
	expect_stdout_has '^unixbench5 '
	expect_status 0 bench --list --json
	expect_json '.schema == "onproc.tests"'
	expect_json '[.tests[] | select(.supported | not) | .reason] | all(length > 0)'
	expect_json '[.tests[].id] | length == (unique | length)'
	expect_status 0 bench --list --json fs
	expect_json '[.tests[].name] | index("fstime") != null and index("pipe") == null'
}

stored_run()
{
	local id

	expect_status 0 bench pipe syscall -c 1,2 "${short[@]}"
	expect_stdout_has '^pipe '
	expect_stderr_has 'stored as [0-9]{8}-[0-9]{6}-[0-9a-f]{6} in '
	id=$(sed -nE 's/.*stored as ([^ ]+) in .*/\1/p' "$STDERR")
	expect_status 0 "$ONPROC" show "$id" --format json
	expect_json '.run.status == "complete" and (.series | length == 4)'
	expect_json '.run.command | endswith("bench pipe syscall -c 1,2 --slots 1 --slot-time 200ms --warmup 10ms")'
	expect_json '.run.elapsed_s > 0'
	expect_json '[.series[].slots | length] | all(. >= 1)'
	expect_equal '' "$(compgen -G "$XDG_DATA_HOME/onproc/*.journal.d/*" || :)" 'journals left'
}

document_on_stdout()
{
	expect_status 0 bench pipe -c 1 "${short[@]}" --json --output copy.json
	expect_json '.schema == "onproc.run"'
	cmp "$STDOUT" copy.json
	"$ONPROC" export last >stored.json
	cmp "$STDOUT" stored.json
}

unwritable_output()
{
	expect_status 128 bench pipe -c 1 "${short[@]}" --output missing/run.json
	expect_stderr_has 'missing/run\.json'
	expect_stderr_lacks 'slots?, about'
}

named_but_unsupported()
{
	local test

	test=$("$ONPROC" bench --list --json | jq -r '[.tests[] | select(.supported | not) | .name][0] // empty')
	[ -n "$test" ] || skip 'every test runs here'
	expect_status 125 bench pipe "$test" -c 1 "${short[@]}"
	expect_stdout_has '^pipe +12440 +[0-9]'
	expect_stderr_has "$test"
}

# The tools of a test are looked for in PATH: one without them has the others left.
without_tools()
{
	mkdir -p bin
	ln -sf "$(type -P sh)" bin/sh
	expect_status 125 env PATH="$PWD/bin" "$ONPROC" bench dc -c 1 "${short[@]}"
	expect_stderr_has 'dc: not found in PATH'
	expect_status 125 env PATH="$PWD/bin" "$ONPROC" bench shell1 pipe -c 1 "${short[@]}"
	expect_stdout_has '^pipe +12440 +[0-9]'
}

mentions_orphan()
{
	"$ONPROC" list 2>&1 | grep 'was cut off'
}

orphan()
{
	local directory=$XDG_DATA_HOME/onproc/onproc.db.journal.d

	expect_status 0 "$ONPROC" list
	background "$ONPROC" bench pipe -c 1 --slots 1000 --slot-time 50ms --warmup 0
	wait_until eval "grep -qs '\"slot' $directory/*.jsonl"
	kill -KILL "$BACKGROUND"
	wait_until mentions_orphan
	expect_status 0 "$ONPROC" list
	expect_stderr_has 'run [0-9a-f-]+ was cut off; onproc resume [0-9a-f-]+ goes on'
	# Who measures has been told by now.
	expect_status 0 bench pipe -c 1 "${short[@]}"
	expect_stderr_lacks 'was cut off'
	expect_status 0 "$ONPROC" list
	expect_stderr_has 'was cut off; onproc resume'
	expect_status 0 "$ONPROC" rm "$(basename "$directory"/*.jsonl .jsonl)"
	expect_status 0 "$ONPROC" list
	expect_stderr_lacks 'was cut off'
}

behaviour 'the plan shows parameters that were set, and refuses --output' plan_shows_what_was_set
behaviour 'an unwritable --dir is refused before measuring' unwritable_dir
behaviour '--plan runs nothing and draws its order from the seed' plan_runs_nothing
behaviour '--plan of what cannot run says so' plan_of_nothing
behaviour 'one row and one slot are in the singular' plan_of_one
behaviour 'without /sys the plan has no noise' without_sys
behaviour 'without /proc bench says that it is missing' without_proc
behaviour '--plan --json is a document' plan_document
behaviour 'a precision and a budget are in the plan' precision
behaviour 'the index printed is that of the suite asked for' suites
behaviour '--classic has the passes of UnixBench' classic
behaviour 'messaging takes the options of perf bench' messaging
behaviour '--plan shows placements on another machine' other_machine
behaviour '--list shows what runs here and why not' list_of_tests
behaviour 'a run is stored as it was typed' stored_run
behaviour '--json and --output are the stored document' document_on_stdout
behaviour 'an unwritable --output is refused before measuring' unwritable_output
behaviour 'a named test that cannot run makes it inconclusive' named_but_unsupported
behaviour 'a missing tool costs its tests alone' without_tools
behaviour 'a killed run is listed as cut off until it is removed' orphan

plan_done
