#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# round_trip.sh - a run shown in the report shape of UnixBench reads back to the same scores.

. "${SOURCE:?}/tests/lib.sh"

RUN=20261130-142233-1a2b3c # tests/data/runs/quick.json

# Imports a run of tests/data and what is shown of it; leaves both as JSON.
round_trip()
{
	need_tool jq
	expect_status 0 "$ONPROC" import --db "$TMPDIR/$1.db" "$SOURCE/tests/data/runs/$1.json"
	run_id=$(cat "$STDOUT")
	expect_status 0 "$ONPROC" export --db "$TMPDIR/$1.db" "$run_id"
	cp "$STDOUT" "$TMPDIR/was.json"
	expect_status 0 "$ONPROC" show --db "$TMPDIR/$1.db" "$run_id" --format unixbench
	cp "$STDOUT" "$TMPDIR/report"
	expect_status 0 "$ONPROC" import --db "$TMPDIR/$1-again.db" "$TMPDIR/report"
	expect_status 0 "$ONPROC" export --db "$TMPDIR/$1-again.db" "$(cat "$STDOUT")"
	cp "$STDOUT" "$TMPDIR/is.json"
}

# Rates differ by the rounding to one decimal and no more, index scores by 0.1.
same_scores()
{
	jq -n --slurpfile was "$TMPDIR/was.json" --slurpfile is "$TMPDIR/is.json" '
		def rates: [.series[] | select(.test | startswith("unixbench")) |
			select(.estimate.value) |
			{test, copies, unit, value: .estimate.value}] | sort_by(.test, .copies);
		def scores: [.scores[] | {copies, value, tests, tests_full}] | sort_by(.copies);
		def near(a; b; by): (a - b) | fabs <= by;
		($was[0] | rates) as $a | ($is[0] | rates) as $b |
		($was[0] | scores) as $s | ($is[0] | scores) as $t |
		($a | map(del(.value))) == ($b | map(del(.value))) and
		($s | map(del(.value))) == ($t | map(del(.value))) and
		all(range($a | length); near($a[.].value; $b[.].value; 0.0501)) and
		all(range($s | length); near($s[.].value; $t[.].value; 0.1))' >"$TMPDIR/answer"
	expect_equal true "$(cat "$TMPDIR/answer")" 'same rates and scores'
}

whole_run()
{
	round_trip quick
	same_scores
	expect_json '.run.tool == "onproc 0.1.0" and .run.host == "build1"' "$TMPDIR/is.json"
	expect_json '.run.status == "imported"' "$TMPDIR/is.json"
}

partial_run()
{
	round_trip trouble
	same_scores
	expect_json '[.series[].test] | any(contains("messaging")) | not' "$TMPDIR/is.json"
}

imported_run()
{
	round_trip imported
	same_scores
	expect_json '.run.tool == "UnixBench 6.0.0"' "$TMPDIR/is.json"
}

nothing_to_show()
{
	jq '.series |= map(select(.test | startswith("onproc/"))) | .scores = []' \
		"$SOURCE/tests/data/runs/trouble.json" >"$TMPDIR/none.json"
	expect_status 0 "$ONPROC" import --db "$TMPDIR/none.db" "$TMPDIR/none.json"
	expect_status 125 "$ONPROC" show --db "$TMPDIR/none.db" --format unixbench
	expect_stdout_empty
}

under_a_german_locale()
{
	expect_status 0 "$ONPROC" import "$SOURCE/tests/data/runs/quick.json"
	expect_status 0 "$ONPROC" show "$RUN" --format unixbench
	cp "$STDOUT" "$TMPDIR/c-locale"
	expect_status 0 env LC_ALL=de_DE.UTF-8 "$ONPROC" show "$RUN" --format unixbench
	expect_true 'the same report' cmp "$TMPDIR/c-locale" "$STDOUT"
}

behaviour unixbench_shape_of_a_whole_run_reads_back_to_its_scores whole_run
behaviour unixbench_shape_of_a_partial_run_reads_back_to_its_scores partial_run
behaviour unixbench_shape_of_an_imported_run_reads_back_to_its_scores imported_run
behaviour unixbench_shape_of_a_run_without_its_tests_is_refused nothing_to_show
behaviour unixbench_shape_is_the_same_in_any_locale under_a_german_locale

plan_done
