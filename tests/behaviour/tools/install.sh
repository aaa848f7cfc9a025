#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # code for eval
# install.sh - what `meson install` puts where, and that it works from there.
. "${SOURCE:?}/tests/lib.sh"
need_tool "${MESON:-meson}" jq

prefix=$("${MESON:-meson}" introspect --buildoptions "$BUILD" |
	jq -r '.[] | select(.name == "prefix").value') || skip 'Meson does not tell the prefix'
ROOT=$TMPDIR/root
INSTALLED=$ROOT$prefix

installs()
{
	expect_status 0 "${MESON:-meson}" install -C "$BUILD" --no-rebuild --destdir "$ROOT"
	expect_true 'the program is there' test -x "$INSTALLED/bin/onproc"
	expect_true 'workload programs are there' \
		eval 'ls "$INSTALLED"/libexec/onproc/onproc-work-* >"$PRIVATE/programs"'
	expect_file "$INSTALLED/share/man/man1/onproc.1"
	expect_file "$INSTALLED/share/bash-completion/completions/onproc" 'complete .*onproc'
	expect_file "$INSTALLED/share/licenses/onproc/LICENSE" 'GNU GENERAL PUBLIC LICENSE'
	expect_file "$INSTALLED/share/doc/onproc/README.md"
	expect_file "$INSTALLED/share/doc/onproc/docs/method.md"
	expect_file "$INSTALLED/share/doc/onproc/docs/workloads.md"
}
behaviour install_puts_programs_man_completion_and_licence_in_place installs

only_there()
{
	local entries

	entries=$(ls -A "$ROOT")
	expect_equal "$(cut -d/ -f2 <<<"$prefix")" "$entries" 'entries of DESTDIR'
}
behaviour install_writes_below_destdir_and_prefix_only only_there

runs()
{
	expect_status 0 "$INSTALLED/bin/onproc" --version
	expect_stdout_has 'onproc [0-9]+\.[0-9]+'
	expect_status 0 "$INSTALLED/bin/onproc" bench --list
	expect_stdout_has 'pipe'
}
behaviour install_runs_version_and_list_from_destdir runs

# Every test of the list comes from a program; those of the build directory must not be needed.
stands_alone()
{
	need_tool strace
	skip_if_sanitized 'the leak check does not work under strace'
	expect_status 0 strace -f -qq -e trace=execve,openat -o trace \
		"$INSTALLED/bin/onproc" bench --plan pipe
	expect_file_lacks trace "$BUILD"
}
behaviour install_does_not_look_into_the_build_directory stands_alone

plan_done
