# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# import-lib.sh - what the tests of imports share; sourced behind tests/lib.sh.

# shellcheck disable=SC2034 # for the tests
data=$SOURCE/tests/data/import
db=$TMPDIR/runs.db

# import_file FILE: into a database of its own; its runs, as an array in the order of their ids, into runs.json.
import_file()
{
	local id

	need_tool jq
	rm -rf "$db"*
	expect_status 0 "$ONPROC" import --db "$db" "$1"
	while read -r id; do
		"$ONPROC" export --db "$db" "$id"
	done <"$STDOUT" | jq -s . >runs.json
}

# refuse FILE PATTERN: nothing in it is sound, and stderr says why.
refuse()
{
	rm -rf "$db"*
	expect_status 128 "$ONPROC" import --db "$db" "$1"
	expect_stdout_empty
	expect_stderr_has "$2"
}

# has FILTER: it is true of the array of runs.
has()
{
	expect_json "$1" runs.json
}

# Scores as a report prints them, of all runs.
printed_scores()
{
	jq -c '[.[].scores[].value * 10 | round / 10]' runs.json
}

expect_no_warning_of_a_score()
{
	expect_stderr_lacks 'printed index score'
}

# value TEST [RUN]: the estimate of a test in a run.
value()
{
	jq -r --arg test "$1" ".[${2:-0}].series[] | select(.test == \$test) | .estimate.value" runs.json
}
