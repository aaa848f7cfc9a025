#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage.sh - what is typed wrong is refused with status 129, in words that help.
. "${SOURCE:?}/tests/lib.sh"

# refuses PATTERN ARGUMENT…: status 129, the pattern on stderr, nothing on stdout, nothing stored.
refuses()
{
	local pattern=$1

	shift
	expect_status 129 "$ONPROC" "$@"
	expect_stderr_has "$pattern"
	expect_stderr_has '^Try: onproc .*--help'
	expect_stdout_empty
	expect_no_file "$XDG_DATA_HOME/onproc"
}

nothing_typed()
{
	expect_status 129 "$ONPROC"
	expect_stderr_has '^Usage: onproc VERB'
	expect_stdout_empty
}

options_and_operands()
{
	refuses '--slot-tim: unknown option; did you mean --slot-time\?' bench --slot-tim 1s
	refuses '--frobnicate: unknown option$' bench --frobnicate
	refuses '-Z: unknown option' bench -Z
	refuses 'expected RUN' export
	refuses 'expected FILE' import
	refuses 'b: one operand too many' show a b
	refuses '--json, --csv and --unixbench' export last --json --csv
	refuses 'tabel.*did you mean table\?' show --format tabel
}

options_before_a_verb()
{
	refuses '-V: unknown option; did you mean --version\?' -V
	refuses '--versoin: unknown option; did you mean --version\?' --versoin
	refuses '-Z: unknown option; those of a verb follow it' -Z
}

copy_counts()
{
	refuses '"0": expected counts from 1 to 1000000' bench -c 0
	refuses '"99999999999999999999": expected counts from 1' bench -c 99999999999999999999
	refuses '"2\.\.": expected a number of copies or "all" after' bench -c 2..
	refuses '"x": expected a number of copies' bench -c 1 -c x
	refuses '"-1": expected a number of copies' bench -c -1
}

sizes()
{
	refuses '--slots: "0": expected a whole number from 1' bench --slots 0
	refuses '--slot-time: "0s": expected a time from 10ms to 1h' bench --slot-time 0s
	refuses '--warmup: "x": expected a time' bench --warmup x
	refuses '--precision: "0%": expected a share' bench --precision 0%
	refuses '--time: "1ms": expected a time from 1s' bench --time 1ms
	refuses '--seed: "-1": expected a whole number' bench --seed -1
}

parameters()
{
	refuses 'expected TEST.NAME=VALUE' bench messaging --param groups
	refuses 'messaging.group: unknown parameter; did you mean groups\?' \
		bench messaging --param messaging.group=1
	refuses 'messaging.groups=0: expected a whole number from 1' \
		bench messaging --param messaging.groups=0
	refuses 'messaging is not among the tests' bench pipe --param messaging.groups=1
	refuses '--groups: .*messaging is not among the tests' bench pipe -g 4
	refuses 'nosuch.*unknown test' bench pipe --param nosuch.x=1
	refuses 'the test has no parameters' bench pipe --param pipe.x=1
}

contradictions()
{
	refuses '--plan and --list' bench --plan --list
	refuses '--topology is only for --plan' bench --topology synthetic:core:2
	refuses '-i and --slots' bench -i 3 --slots 3
	refuses '--classic has' bench --classic --quick
	refuses '--classic has' bench --classic --slots 3
}

behaviour 'no verb prints the verbs' nothing_typed
behaviour 'an unknown verb is refused with a near one' \
	refuses 'bnech: unknown verb; did you mean bench\?' bnech
behaviour 'help for an unknown verb is refused with a near one' \
	refuses 'lst: unknown verb; did you mean list\?' help lst
behaviour 'an unknown test is refused with a near one' \
	refuses 'pip: unknown test; did you mean pipe\?' bench dhry2reg pip
behaviour 'a test that is near to none points to the list' \
	refuses 'frobnicate: unknown test; onproc bench --list shows all' bench frobnicate
behaviour 'an unknown suite is refused with a near one' \
	refuses 'unixbench7: unknown suite; did you mean unixbench6\?' bench --suite unixbench7
behaviour 'a group is no suite' refuses 'shell: unknown suite' bench --suite shell
behaviour 'unknown options and wrong operands are refused' options_and_operands
behaviour 'unknown options before a verb are options' options_before_a_verb
behaviour 'an option without its value is refused' \
	refuses '--slots: needs a value \(N\)' bench --slots
behaviour 'copy counts outside their bounds are refused' copy_counts
behaviour 'slot sizes outside their bounds are refused' sizes
behaviour 'wrong parameters of tests are refused' parameters
behaviour 'a CPU that there is not is refused' refuses '--pin: .*99999' bench pipe --pin 99999
behaviour 'options that contradict each other are refused' contradictions
behaviour 'what is echoed is escaped' refuses 'a\\x1b\[31m\\nb: unknown test' \
	bench $'a\e[31m\nb'

plan_done
