#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# help.sh - help, man page and completion say the same of every verb.
. "${SOURCE:?}/tests/lib.sh"

verbs=$("$ONPROC" help --complete verb)
completion=$BUILD/docs/onproc

# Every verb of the table; a test of nothing would pass.
verbs_are_there()
{
	[ "$(wc -w <<<"$verbs")" -ge 9 ] || fail 'nine verbs or more' "$verbs"
}

fits_80_columns()
{
	awk -v what="$1" 'length > 80 { print what ": " length ": " $0; wide = 1 } END { exit wide }' "$STDOUT"
}

help_of_each()
{
	local verb

	verbs_are_there
	for verb in $verbs; do
		expect_status 0 "$ONPROC" "$verb" --help
		expect_stdout_has "^Usage: onproc $verb "
		expect_stderr_empty
		fits_80_columns "$verb"
		cp "$STDOUT" "$TMPDIR/help"
		expect_status 0 "$ONPROC" help "$verb"
		cmp "$STDOUT" "$TMPDIR/help"
	done
	expect_no_file "$XDG_DATA_HOME/onproc"
}

help_of_onproc()
{
	local verb word

	for word in help --help -h; do
		expect_status 0 "$ONPROC" "$word"
		fits_80_columns onproc
		for verb in $verbs; do
			expect_stdout_has "^  $verb +[a-z]"
		done
	done
}

version()
{
	expect_status 0 "$ONPROC" --version
	expect_stdout_has '^onproc [0-9]+\.[0-9]+'
	expect_status 0 "$ONPROC" version
	expect_stdout_has '^onproc [0-9]+\.[0-9]+'
}

# The options of a verb as its help has them: "--copies -c" a line.
options_of()
{
	"$ONPROC" "$1" --help |
		sed -nE 's/^ {2,6}(-([a-zA-Z]), )?--([a-z-]+)( .*)?$/--\3 -\2/p' | sed 's/ -$//' | sort
}

man_options_of()
{
	"$ONPROC" help --man "$1" |
		sed -nE 's/^(\*-([a-zA-Z])\*, )?\*--([a-z-]+)\*.*$/--\3 -\2/p' | sed 's/ -$//' | sort
}

# What bash offers after "onproc VERB -".
completed_options_of()
{
	(
		# shellcheck disable=SC1090 # generated
		. "$completion"
		COMP_WORDS=(onproc "$1" -) COMP_CWORD=2 COMPREPLY=()
		_onproc || :
		printf '%s\n' "${COMPREPLY[@]}"
	) | sort
}

all_three_agree()
{
	local verb

	verbs_are_there
	for verb in $verbs; do
		options_of "$verb" >"$TMPDIR/options"
		grep -qx -e '--help -h' "$TMPDIR/options" || fail "$verb --help has --help" "$(cat "$TMPDIR/options")"
		grep -qx -e '--db' "$TMPDIR/options" || fail "$verb --help has --db" "$(cat "$TMPDIR/options")"
		expect_equal "$(cat "$TMPDIR/options")" "$(man_options_of "$verb")" "$verb: help and man page"
		expect_equal "$(tr ' ' '\n' <"$TMPDIR/options" | sort)" \
			"$(completed_options_of "$verb")" "$verb: help and completion"
	done
}

completion_offers()
{
	local expected=$1
	shift
	expect_equal "$expected" "$(
		# shellcheck disable=SC1090 # generated
		. "$completion"
		onproc() { "$ONPROC" "$@"; }
		COMP_WORDS=(onproc "$@") COMP_CWORD=$# COMPREPLY=()
		_onproc || : # nothing to offer is no error here
		echo "${COMPREPLY[*]}"
	)" "onproc $*"
}

completion_words()
{
	completion_offers 'resume rm run' r
	completion_offers 'context1 context1-same context1-cross context1-smt context1-node' bench context
	completion_offers 'unixbench6 unixbench5' bench --suite u
	completion_offers 'table' show --format t
	completion_offers 'table' show --format = t
	completion_offers 'table unixbench json csv' show --format =
	completion_offers 'spread' bench --pin s
	completion_offers 'show' help sh
	completion_offers '' list something
	: >"$TMPDIR/run1.json"
	completion_offers 'run1.json' import run1
	completion_offers 'run1.json' bench --output run1
	expect_no_file "$XDG_DATA_HOME/onproc"
}

a_page_for_each_verb()
{
	local verb

	need_tool scdoc
	expect_file "$BUILD/docs/onproc.1" 'onproc-bench'
	for verb in $verbs; do
		expect_file "$BUILD/docs/onproc-$verb.1" "onproc-$verb"
	done
	expect_equal "$(wc -w <<<"$verbs")" "$(find "$BUILD/docs" -name 'onproc-*.1' | wc -l)" \
		'pages for verbs'
}

pages_are_clean()
{
	local page

	need_tool scdoc
	type -P mandoc >/dev/null || type -P groff >/dev/null || skip 'neither mandoc nor groff is installed'
	for page in "$BUILD"/docs/*.1; do
		if type -P mandoc >/dev/null; then
			expect_status 0 mandoc -T lint -W error "$page"
		fi
		if type -P groff >/dev/null; then
			expect_status 0 groff -man -wall -z "$page"
			expect_stderr_empty
		fi
	done
}

behaviour '--help of every verb ends well and fits 80 columns' help_of_each
behaviour 'onproc help names every verb' help_of_onproc
behaviour 'the version is printed' version
behaviour 'help, man page and completion have the same options' all_three_agree
behaviour 'completion offers verbs, tests, suites, choices and files' completion_words
behaviour 'every verb has its man page' a_page_for_each_verb
behaviour 'man pages have no errors' pages_are_clean

plan_done
