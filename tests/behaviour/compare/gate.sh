#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# gate.sh - what the exit status of a gate says.
. "${SOURCE:?}/tests/behaviour/compare/lib.sh"

passes()
{
	fresh
	store base
	store new
	expect_status 0 onproc gate base new
	expect_stdout_has '^gate: passed, 1 test; margin 1%'
}

regression()
{
	fresh
	store base tests=pipe,execl
	store new tests=pipe,execl rate=950
	expect_status 1 onproc gate base new
	expect_stdout_has '^regressed: pipe -5\.00% \[.*\] by Holm'
	expect_stdout_has '^gate: regressed, 2 of 2 tests'
}

sides()
{
	fresh
	store worse ratio=0.95
	store same ratio=1
	store without
	expect_status 1 onproc gate worse
	expect_stdout_has '^regressed: pipe -5\.00%'
	expect_stdout_has 'ABBA'
	expect_status 0 onproc gate same
	expect_status 128 onproc gate without
	expect_stderr_has 'has no two sides'
}

better_passes()
{
	fresh
	store base
	store new rate=1100
	expect_status 0 onproc gate base new
}

trivial()
{
	fresh
	store base noise=0.002
	store new noise=0.002 rate=995
	expect_status 0 onproc gate base new
	expect_stdout_has '^note: pipe -0\.50% .* is worse, by less than the margin'
}

undecided()
{
	fresh
	store base noise=0.1
	store new noise=0.1
	expect_status 125 onproc gate base new
	expect_stdout_has '^undecided: pipe .*further slots a side expected: [0-9]+'
	expect_stdout_has '^gate: undecided, 1 of 1 tests'
}

imports_are_undecided()
{
	fresh
	store base imported=1
	store new imported=1 rate=500
	expect_status 125 onproc gate base new
	expect_stdout_has '^undecided: pipe: n=1, no interval'
}

margin()
{
	fresh
	store base
	store new rate=970
	expect_status 1 onproc gate base new
	expect_status 0 onproc gate base new --margin 10%
}

not_comparable()
{
	fresh
	store base
	store new hash=b
	expect_status 128 onproc gate base new
	expect_stderr_has 'nothing can be compared'
}

part_not_comparable()
{
	fresh
	store base tests=pipe,execl
	store new tests=pipe
	expect_status 0 onproc gate base new
	expect_stdout_has '^gate: passed, 1 test'
}

two_operands()
{
	expect_status 129 onproc gate
	expect_status 129 onproc gate a b c
}

by_tag()
{
	fresh
	store base
	store new
	onproc tag base v6.12
	expect_status 0 onproc gate v6.12 last
}

behaviour gate_passes_equal_runs passes
behaviour gate_fails_a_regression_beyond_the_margin regression
behaviour gate_judges_the_sides_of_one_run sides
behaviour gate_passes_what_is_better better_passes
behaviour gate_notes_a_loss_within_the_margin trivial
behaviour gate_skips_while_undecided undecided
behaviour gate_skips_runs_without_intervals imports_are_undecided
behaviour gate_takes_a_margin margin
behaviour gate_of_runs_that_cannot_be_compared_is_an_error not_comparable
behaviour gate_leaves_out_tests_of_one_run part_not_comparable
behaviour gate_takes_one_or_two_runs two_operands
behaviour gate_takes_tags by_tag

plan_done
