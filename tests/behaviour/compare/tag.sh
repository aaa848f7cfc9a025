#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tag.sh - names of runs.
. "${SOURCE:?}/tests/behaviour/compare/lib.sh"

named()
{
	fresh
	store one
	store two
	expect_status 0 onproc tag one v6.12
	expect_stdout_empty
	expect_status 0 onproc show v6.12 --format json
	expect_json '.run.id == "one"'
	onproc export v6.12 --output exported.json
	expect_json '.run.id == "one"' exported.json
}

shown()
{
	fresh
	store one
	onproc tag one second
	onproc tag last first
	expect_status 0 onproc list
	expect_stdout_has '^  tagged first, second$'
	expect_status 0 onproc list --json
	expect_json '.runs[0].tags == ["first", "second"]'
}

moved()
{
	fresh
	store one
	store two
	onproc tag one base
	onproc tag two base
	expect_status 0 onproc show base --format json
	expect_json '.run.id == "two"'
}

taken_away()
{
	fresh
	store one
	store two
	onproc tag one x
	onproc tag two x
	expect_status 0 onproc tag --delete two x
	expect_status 0 onproc show x --format json
	expect_json '.run.id == "one"'
	expect_status 0 onproc tag --delete x
	expect_status 128 onproc show x
	expect_status 128 onproc tag --delete x
	expect_stderr_has 'x: no run has such a tag'
}

goes_with_its_run()
{
	fresh
	store one
	onproc tag one x
	expect_status 0 onproc rm x
	expect_status 128 onproc show x
}

bad_names()
{
	local name

	fresh
	store one
	for name in last 'a b' 7up 'a,b' '' "$(printf 'a%.0s' {1..64})"; do
		expect_status 128 onproc tag one "$name"
		expect_stderr_has 'expected a name of letters, digits'
	done
	expect_status 128 onproc tag one one
	expect_stderr_has 'one: a run has this id'
}

usage()
{
	expect_status 129 onproc tag
	expect_status 129 onproc tag one
	expect_stderr_has 'a run and its name are needed'
	expect_status 129 onproc tag a b c
	fresh
	expect_status 128 onproc tag nosuch name
}

behaviour a_tag_is_usable_wherever_a_run_is_named named
behaviour list_shows_tags shown
behaviour a_tag_means_the_run_that_got_it_last moved
behaviour a_tag_is_taken_away taken_away
behaviour a_tag_goes_with_its_run goes_with_its_run
behaviour names_that_could_be_something_else_are_refused bad_names
behaviour tag_says_how_it_is_used usage

plan_done
