#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# documents.sh - what the documents claim is what the program does.
#
# Every line "$ COMMAND" of a ```sh block is run, in order, in the source tree with a private HOME. It
# must succeed; where output follows, that must be its stdout, a line "..." standing for any lines.
# `make` is only asked whether it knows the target. With UPDATE_GOLDEN=1 the output in the
# documents is replaced by what came, but for blocks with "...".

. "${SOURCE:?}/tests/lib.sh"

documents=(README.md CONTRIBUTING.md docs/ab.md docs/compare.md docs/import.md docs/lock-benchmark.md
	docs/method.md docs/run.md docs/workloads.md)
PATH=$(dirname "$ONPROC"):$PATH
# The name by which the documents call the program.
[ "$(basename "$ONPROC")" = onproc ] || skip "the program is not called onproc"

# matches EXPECTED CAME: equal, where a line "..." of EXPECTED stands for any text.
matches()
{
	local expected=$1 came=$2 piece

	while [[ $expected == *...* ]]; do
		piece=${expected%%...*}
		expected=${expected#*...}
		[[ $came == "$piece"* ]] || return 1
		came=${came#"$piece"}
		piece=${expected%%...*}
		[ -n "$piece" ] || return 0
		[[ $came == *"$piece"* ]] || return 1
		came=$piece${came#*"$piece"}
	done
	[ "$expected" = "$came" ]
}

check_command()
{
	local command=$1 expected=$2

	cd "$SOURCE" || exit 1
	case $command in
	'make '*) command="make -n ${command#make }" expected= ;;
	esac
	expect_status 0 bash -c "$command"
	[ -z "$expected" ] || matches "$expected" "$(cat "$STDOUT")" ||
		fail "$expected" 'other output'
}

# each_command DOCUMENT FUNCTION: calls FUNCTION LINE COMMAND OUTPUT.
each_command()
{
	local number=0 line='' command='' output='' at=0 is_shell=

	while IFS= read -r line; do
		number=$((number + 1))
		case $is_shell$line in
		'```sh') is_shell=1 ;;
		'1```' | '1$ '*)
			[ -z "$command" ] || "$2" "$at" "$command" "${output%$'\n'}"
			command='' output='' at=$number
			if [ "$line" = '```' ]; then is_shell=; else command=${line#'$ '}; fi
			;;
		1*) output+=$line$'\n' ;;
		esac
	done <"$SOURCE/$1"
}

test_command()
{
	behaviour "$document line $1: $2" check_command "$2" "$3"
}

# Prints the document with the output that its commands give now.
updated()
{
	local line='' is_shell='' is_output=''

	while IFS= read -r line; do
		case $is_shell$line in
		'```sh') is_shell=1 ;;
		'1```') is_shell='' is_output='' ;;
		'1$ '*)
			printf '%s\n' "$line"
			is_output=
			if has_exact_output "${line#'$ '}"; then
				is_output=1
				(cd "$SOURCE" && bash -c "${line#'$ '}" </dev/null 2>/dev/null)
			fi
			continue
			;;
		esac
		[ -n "$is_output" ] || printf '%s\n' "$line"
	done <"$SOURCE/$document"
}

has_exact_output()
{
	local wanted=$1 found=

	exact()
	{
		if [ "$2" = "$wanted" ] && [ -n "$3" ] && [[ $3 != *...* ]]; then found=1; fi
	}
	each_command "$document" exact
	[ -n "$found" ]
}

# Rows of the table of tests in docs/workloads.md, as the program would write them.
workload_rows()
{
	"$ONPROC" bench --list --json | jq -r '.tests[] |
		"| `\(.name)` | \(.title) | \(.unit) | \(if .baseline > 0 then .baseline else "–" end) | \(.help) |"'
}

every_test_is_documented()
{
	need_tool jq
	workload_rows >"$TMPDIR/rows"
	grep '^| `' "$SOURCE/docs/workloads.md" >"$TMPDIR/documented"
	expect_equal '' "$(diff "$TMPDIR/rows" "$TMPDIR/documented")" 'rows of docs/workloads.md'
}

# docs/workloads.md with the rows of now in place of those it has.
updated_rows()
{
	local line='' is_done=''

	while IFS= read -r line; do
		case $line in
		'| `'*)
			[ -n "$is_done" ] || workload_rows
			is_done=1
			;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$SOURCE/docs/workloads.md"
}

if [ -n "${UPDATE_GOLDEN:-}" ]; then
	for document in "${documents[@]}"; do
		updated >"$TMPDIR/document"
		cp "$TMPDIR/document" "$SOURCE/$document"
	done
	updated_rows >"$TMPDIR/document"
	cp "$TMPDIR/document" "$SOURCE/docs/workloads.md"
	skip 'documents updated'
fi
for document in "${documents[@]}"; do
	each_command "$document" test_command
done
behaviour every_test_is_documented every_test_is_documented

plan_done
