#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# history.sh - a test over all stored runs.
. "${SOURCE:?}/tests/behaviour/compare/lib.sh"

# Twelve runs of one level, then twelve that are 3 % slower by another kernel.
level()
{
	local i rate kernel

	fresh
	for i in {10..33}; do
		rate=$((1000 + i % 3)) kernel=6.12.0
		[ "$i" -lt 22 ] || rate=$((970 + i % 3)) kernel=6.13.0
		store "r$i" imported=1 "rate=$rate" "kernel=$kernel" "created=17960473$i"
	done
}

change()
{
	level
	expect_status 0 onproc history pipe
	expect_stdout_has 'confirmed: -[23]\.[0-9]+% .* r21 and'
	expect_stdout_has '^    - kernel: 6\.12\.0$'
	expect_stdout_has '^    \+ kernel: 6\.13\.0$'
	expect_stdout_lacks '^.{81}'
	expect_stdout_lacks '[^ -~]'
	LC_ALL=C.UTF-8
	expect_status 0 onproc history pipe
	expect_stdout_has '█'
	expect_status 0 onproc history unixbench6/pipe --format json
	expect_json '.series | length == 1 and .[0].changes[0].at == 12 and .[0].changes[0].differences[0].path == "kernel"'
	expect_status 0 onproc history unixbench6/pipe@1 --format csv
	expect_equal 25 "$(wc -l <"$STDOUT")" lines
	expect_equal 1 "$(grep -c '"confirmed"' "$STDOUT")" changes
	expect_status 0 onproc history pipe --margin 10%
	expect_stdout_has 'drift: '
}

fingerprints()
{
	local print

	fresh
	store a
	store b version=2
	store c copies=4
	expect_status 0 onproc history pipe --format json
	expect_json '[.series[].points | length] == [1, 1, 1]'
	expect_json '[.series[].fingerprint] | unique | length == 2'
	print=$(jq -r '.series[] | select(.test == "unixbench6/pipe@2").fingerprint' "$STDOUT")
	expect_status 0 onproc history pipe --env "${print:0:8}" --format json
	expect_json '.series | length == 1 and .[0].points[0].run == "b"'
	expect_status 0 onproc history pipe -c 4 --format json
	expect_json '.series | length == 1 and .[0].points[0].run == "c"'
}

none()
{
	fresh
	store a
	expect_status 128 onproc history nosuch
	expect_stderr_has 'nosuch: no run in .* has such a test'
	expect_status 128 onproc history pipe -c 77
	expect_stderr_has 'this fingerprint and copy count'
	expect_status 128 onproc history pipe --env zz
	expect_status 129 onproc history
}

behaviour history_finds_a_change_and_what_changed_with_it change
behaviour history_has_a_series_for_each_fingerprint_and_copy_count fingerprints
behaviour history_says_what_it_did_not_find none

plan_done
