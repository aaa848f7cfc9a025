# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# lib.sh - runs made of numbers in a database of the script's own.
. "${SOURCE:?}/tests/lib.sh"

need_tool python3 jq
db=$TMPDIR/runs.db

onproc()
{
	"$ONPROC" "$1" --db "$db" "${@:2}"
}

# store ID [KEY=VALUE...]: see make-run.
store()
{
	"$SOURCE/tests/behaviour/compare/make-run" "$@" >"$TMPDIR/made.json"
	onproc import "$TMPDIR/made.json" >"$TMPDIR/imported"
}

fresh()
{
	rm -rf "$db"*
}
