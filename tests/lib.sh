# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2030,SC2031,SC2119,SC2120
#
# lib.sh - what a behaviour test in bash needs: TAP, assertions, a private place, deadlines.
#
#	#!/usr/bin/env bash
#	# SPDX-License-Identifier: GPL-2.0-or-later
#	# bad-input.sh - what bench says to wrong arguments.
#	. "${SOURCE:?}/tests/lib.sh"
#
#	refuses_zero_copies()
#	{
#		expect_status 129 "$ONPROC" bench -c 0
#		expect_stderr_has 'copies'
#		expect_stdout_empty
#	}
#	behaviour bench_refuses_zero_copies refuses_zero_copies
#
#	plan_done
#
# Meson gives SOURCE, BUILD, ONPROC (the program) and SANITIZE (the value of b_sanitize). HOME,
# TMPDIR and XDG_DATA_HOME are private to the script, shared by its behaviours, gone at exit.
#
# A behaviour runs in a subshell under `set -eE`: the first failing assertion or command ends it
# and is printed with what was expected and what came; variables do not outlive it (files in
# $TMPDIR do). A process that outlives a behaviour fails it, unless `background` started it.

set -uo pipefail

SOURCE=$(cd "${SOURCE:-$(dirname "${BASH_SOURCE[0]}")/..}" && pwd -P) || exit 1
BUILD=$(cd "${BUILD:-$SOURCE/build}" 2>/dev/null && pwd -P) || BUILD=${BUILD:-$SOURCE/build}
: "${ONPROC:=$BUILD/onproc}" "${SANITIZE:=none}"
case $ONPROC in
/*) ;;
*) ONPROC=$PWD/$ONPROC ;;
esac
PRIVATE=$(mktemp -d "${TMPDIR:-/tmp}/onproc-test.XXXXXX") || exit 1
TMPDIR=$PRIVATE/tmp
HOME=$PRIVATE/home
XDG_DATA_HOME=$PRIVATE/data
LC_ALL=C
export SOURCE BUILD ONPROC SANITIZE TMPDIR HOME XDG_DATA_HOME LC_ALL
unset LANG LANGUAGE CDPATH MAKEFLAGS MAKELEVEL
mkdir "$TMPDIR" "$HOME" "$XDG_DATA_HOME" || exit 1
cd "$TMPDIR" || exit 1

# The output of the last command run by an assertion, its words and its status.
STDOUT=$PRIVATE/stdout
STDERR=$PRIVATE/stderr
COMMAND=
STATUS=
: >"$STDOUT"
: >"$STDERR"

# Seconds that one command may take; a test sets it higher where the command measures.
: "${DEADLINE:=60}"
# How long a killed process may need to disappear.
ORPHAN_GRACE_S=5

test_number=0
tests_failed=0
plan_printed=
in_behaviour=

# Lines of stdin as TAP comments, safe for any reader: no control characters, no flood.
comment()
{
	cat -v | awk -v prefix="$1" 'NR <= 60 { print prefix $0 } END { if (NR > 60) print prefix "(" NR - 60 " more lines)" }'
}

# Processes that run with this script's HOME: what it started and what that left behind.
# The script itself carries the environment that it was started with, thus is not among them.
private_processes()
{
	local file

	# grep gets another HOME, else it would find itself.
	env HOME=/ grep -lzxF -e "HOME=$HOME" /proc/[0-9]*/environ 2>/dev/null |
		while IFS= read -r file; do
			file=${file#/proc/}
			printf '%s\n' "${file%/environ}"
		done
	return 0
}

kill_private_processes()
{
	local pids tries

	for tries in 1 2 3 4 5; do
		pids=$(private_processes)
		[ -n "$pids" ] || return 0
		# shellcheck disable=SC2086 # a list of process ids
		kill -KILL $pids 2>/dev/null
		sleep "0.$tries"
	done
}

kill_background()
{
	local pid

	[ -s "$PRIVATE/background" ] || return 0
	while read -r pid; do
		kill -KILL -- "-$pid" 2>/dev/null || kill -KILL "$pid" 2>/dev/null
	done <"$PRIVATE/background"
	rm -f "$PRIVATE/background"
}

# Names the processes that are still there after the grace; status 1 if any.
orphans_after_grace()
{
	local pid pids end

	end=$((SECONDS + ORPHAN_GRACE_S))
	while pids=$(private_processes) && [ -n "$pids" ]; do
		if [ "$SECONDS" -ge "$end" ]; then
			for pid in $pids; do
				printf 'left behind: %s %s\n' "$pid" \
					"$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
			done
			return 1
		fi
		sleep 0.05
	done
	return 0
}

at_exit()
{
	local status=$?

	trap - EXIT
	kill_background
	kill_private_processes
	if [ -z "$plan_printed" ]; then
		if [ "$status" -eq 0 ]; then
			printf '1..%d\n' "$test_number"
		else
			printf 'Bail out! the test script ended early with status %d\n' "$status"
		fi
	fi
	cd / && rm -rf "$PRIVATE"
	exit "$status"
}
trap at_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# behaviour NAME COMMAND…: one test. NAME in words or underscores; COMMAND mostly a function.
behaviour()
{
	local name=${1//\#/} status

	shift
	test_number=$((test_number + 1))
	rm -f "$PRIVATE/skip"
	(
		trap - EXIT INT TERM
		in_behaviour=1
		set -eE
		trap 'echo "line $LINENO: \`$BASH_COMMAND\` ended with status $?"' ERR
		"$@"
	) >"$PRIVATE/log" 2>&1 </dev/null
	status=$?
	kill_background
	if ! orphans_after_grace >>"$PRIVATE/log"; then
		status=1
		rm -f "$PRIVATE/skip"
		kill_private_processes
	fi
	if [ "$status" -eq 77 ] && [ -f "$PRIVATE/skip" ]; then
		printf 'ok %d - %s # SKIP %s\n' "$test_number" "$name" "$(cat "$PRIVATE/skip")"
	elif [ "$status" -eq 0 ]; then
		printf 'ok %d - %s\n' "$test_number" "$name"
	else
		printf 'not ok %d - %s\n' "$test_number" "$name"
		comment '#   ' <"$PRIVATE/log"
		tests_failed=$((tests_failed + 1))
	fi
}

# The end of the script. A script that ends without it but with status 0 gets its plan as well.
plan_done()
{
	printf '1..%d\n' "$test_number"
	plan_printed=1
	exit $((tests_failed > 0))
}

# skip REASON: in a behaviour this one, at the top of the script all.
skip()
{
	if [ -n "$in_behaviour" ]; then
		printf '%s' "$*" | tr '\n#' '  ' >"$PRIVATE/skip"
		exit 77
	fi
	printf '1..0 # SKIP %s\n' "$*"
	plan_printed=1
	exit 0
}

need_root()
{
	[ "$(id -u)" -eq 0 ] || skip "${1:-needs root}"
}

# need_tool NAME…: skips when a program is missing.
need_tool()
{
	local tool

	for tool; do
		type -P "$tool" >/dev/null || skip "$tool is not installed"
	done
}

# True in a build with a sanitizer; with a name (address, undefined, thread) in a build with that.
sanitized_build()
{
	case ,$SANITIZE, in
	,none, | ,,) return 1 ;;
	*",${1:-$SANITIZE},"*) return 0 ;;
	esac
	return 1
}

# skip_if_sanitized REASON: for what is slow or meaningless under a sanitizer.
skip_if_sanitized()
{
	! sanitized_build || skip "sanitized build ($SANITIZE): $*"
}

# background CMD…: starts a process in a session of its own; BACKGROUND is its id; killed with
# its group when the behaviour ends.
background()
{
	setsid "$@" </dev/null >"$PRIVATE/background.out" 2>&1 &
	BACKGROUND=$!
	echo "$BACKGROUND" >>"$PRIVATE/background"
}

# wait_until CMD…: polls until CMD succeeds; fails after DEADLINE seconds.
wait_until()
{
	local end=$((SECONDS + DEADLINE))

	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || fail "within $DEADLINE s: $*" 'it did not come about'
		sleep 0.05
	done
}

# fail EXPECTED CAME: ends the behaviour; with a command run before, shows its output too.
fail()
{
	printf 'expected: %s\ncame:     %s\n' "$1" "${2:-something else}"
	if [ -n "$COMMAND" ]; then
		printf 'command:  %s\nstatus:   %s\n' "$COMMAND" "$STATUS"
		head -c 20000 "$STDOUT" | comment 'stdout | '
		head -c 20000 "$STDERR" | comment 'stderr | '
	fi
	trap - ERR
	exit 1
}

# run CMD…: runs it under DEADLINE with an empty stdin, keeps STDOUT, STDERR, STATUS; no opinion.
# A function runs in a subshell without a deadline of its own; stdin is what STDIN names.
run()
{
	COMMAND=$*
	STATUS=0
	if [ "$(type -t "$1")" = file ]; then
		timeout --kill-after=5 "$DEADLINE" "$@" \
			<"${STDIN:-/dev/null}" >"$STDOUT" 2>"$STDERR" || STATUS=$?
	else
		("$@") <"${STDIN:-/dev/null}" >"$STDOUT" 2>"$STDERR" || STATUS=$?
	fi
	return 0
}

# expect_status N CMD…
expect_status()
{
	local want=$1

	shift
	run "$@"
	[ "$STATUS" -ne 124 ] || [ "$want" -eq 124 ] || fail "status $want" "no end within $DEADLINE s"
	[ "$STATUS" -eq "$want" ] || fail "status $want" "status $STATUS"
}

# Patterns are extended regular expressions, matched within a line.
expect_stdout_has()
{
	grep -qE -e "$1" "$STDOUT" || fail "stdout with /$1/" 'no such line'
}

expect_stdout_lacks()
{
	! grep -qE -e "$1" "$STDOUT" || fail "stdout without /$1/" "$(grep -m1 -E -e "$1" "$STDOUT")"
}

expect_stderr_has()
{
	grep -qE -e "$1" "$STDERR" || fail "stderr with /$1/" 'no such line'
}

expect_stderr_lacks()
{
	! grep -qE -e "$1" "$STDERR" || fail "stderr without /$1/" "$(grep -m1 -E -e "$1" "$STDERR")"
}

expect_stdout_empty()
{
	[ ! -s "$STDOUT" ] || fail 'nothing on stdout' "$(wc -c <"$STDOUT") bytes"
}

expect_stderr_empty()
{
	[ ! -s "$STDERR" ] || fail 'nothing on stderr' "$(wc -c <"$STDERR") bytes"
}

# expect_stdout_is TEXT: the whole of stdout, but for the last newline.
expect_stdout_is()
{
	[ "$(cat "$STDOUT")" = "$1" ] || fail "stdout to be \"$1\"" 'see below'
}

# expect_file PATH [PATTERN]: it is there, is not empty, has a line with PATTERN.
expect_file()
{
	[ -e "$1" ] || fail "file $1" 'it does not exist'
	[ -s "$1" ] || fail "file $1 with something in it" 'it is empty'
	[ $# -lt 2 ] || grep -qE -e "$2" "$1" || fail "file $1 with /$2/" "$(head -n 20 "$1")"
}

# expect_file_lacks PATH PATTERN: it is there and no line has PATTERN.
expect_file_lacks()
{
	[ -e "$1" ] || fail "file $1" 'it does not exist'
	! grep -qE -e "$2" "$1" || fail "file $1 without /$2/" "$(grep -m1 -E -e "$2" "$1")"
}

expect_no_file()
{
	[ ! -e "$1" ] || fail "no file $1" 'it exists'
}

# expect_json FILTER [FILE]: FILE (default: stdout) is one JSON document and FILTER is true of it.
expect_json()
{
	local file=${2:-$STDOUT} answer

	need_tool jq
	answer=$(jq -es 'length' "$file" 2>&1) || fail "JSON in $file" "$answer"
	[ "$answer" = 1 ] || fail "one JSON document in $file" "$answer of them"
	answer=$(jq -ce "$1" "$file" 2>&1) || fail "JSON for which $1" "$answer"
}

# expect_equal EXPECTED CAME [WHAT]
expect_equal()
{
	[ "$1" = "$2" ] || fail "${3:+$3: }$1" "$2"
}

# expect_true WHAT CMD…: CMD succeeds; WHAT says it in words.
expect_true()
{
	local what=$1

	shift
	"$@" || fail "$what" "\`$*\` ended with status $?"
}
