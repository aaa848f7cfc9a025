#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# stdout.sh - a result that could not be written is never passed off as a success.
. "${SOURCE:?}/tests/lib.sh"

run_file=$SOURCE/tests/data/runs/quick.json

closed()
{
	"$ONPROC" "$@" >&-
}

full()
{
	"$ONPROC" "$@" >/dev/full
}

# fails HOW PATTERN ARGUMENT…
fails()
{
	local how=$1 pattern=$2

	shift 2
	expect_status 128 "$how" "$@"
	expect_stderr_has "$pattern"
}

closed_everywhere()
{
	"$ONPROC" import "$run_file" >/dev/null
	fails closed 'standard output is closed' list
	fails closed 'standard output is closed' list --json
	fails closed 'standard output is closed' show
	fails closed 'standard output is closed' export last
	fails closed 'standard output is closed' version
	fails closed 'standard output is closed' help
	fails closed 'standard output is closed' bench --help
	fails closed 'standard output is closed' bench --list
	fails closed 'standard output is closed' bench --plan
}

full_everywhere()
{
	"$ONPROC" import "$run_file" >/dev/null
	fails full 'No space left on device' list
	fails full 'No space left on device' show
	fails full 'No space left on device' show --format unixbench
	fails full 'No space left on device' show --format csv
	fails full 'No space left on device' export last
	fails full 'No space left on device' version
	fails full 'No space left on device' bench --list --json
	fails full 'No space left on device' bench --plan --json
}

closed_before_measuring()
{
	fails closed 'standard output is closed' bench pipe -c 1 --slots 1
	expect_stderr_lacks 'slots?, about'
	expect_no_file "$XDG_DATA_HOME/new/onproc"
}

# The database would be opened as descriptor 1 and every message written into it.
closed_does_no_harm()
{
	"$ONPROC" import "$run_file" >/dev/null
	"$ONPROC" list 2>/dev/null >&- || true
	(exec 0<&- 1>&- 2>&-; "$ONPROC" list) || true
	expect_status 0 "$ONPROC" show
}

stored_before_the_output_failed()
{
	rm -rf "$XDG_DATA_HOME/onproc"
	fails full 'No space left on device' import "$run_file"
	expect_status 0 "$ONPROC" list --json
	expect_json '.runs | length == 1'
}

removed_without_output()
{
	"$ONPROC" import "$run_file" >/dev/null
	expect_status 0 closed rm last
}

into_pipe()
{
	"$ONPROC" "$@" >&4
}

reader_gone()
{
	"$ONPROC" import "$run_file" >/dev/null
	mkfifo pipe
	# opened by a reader that ends before anything is written
	(exec 3<pipe) &
	exec 4>pipe
	wait
	expect_status 128 into_pipe export last
	expect_stderr_empty
}

behaviour 'a closed stdout is told by every verb that prints' closed_everywhere
behaviour 'a full stdout is told by every verb that prints' full_everywhere
behaviour 'bench finds a closed stdout before it measures' closed_before_measuring
behaviour 'closed descriptors do the database no harm' closed_does_no_harm
behaviour 'an import is stored though its id could not be printed' stored_before_the_output_failed
behaviour 'a verb that prints nothing needs no stdout' removed_without_output
behaviour 'a reader that has left ends it quietly, but not well' reader_gone

plan_done
