#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - tools/build and tools/check on small trees of planted tests.
. "${SOURCE:?}/tests/lib.sh"
need_tool python3 ninja "${MESON:-meson}"

# tree NAME: a project in a directory with a space, with our tools; planted tests are added to it.
tree()
{
	TREE="$TMPDIR/tree of $1"
	mkdir "$TREE"
	cp -r "$SOURCE/tools" "$TREE/"
	echo "project('planted', meson_version: '>=0.61')" >"$TREE/meson.build"
}

# plant NAME PROTOCOL SCRIPT
plant()
{
	printf '#!/bin/sh\n%s\n' "$3" >"$TREE/$1"
	chmod +x "$TREE/$1"
	echo "test('planted/$1', find_program('$1'), protocol: '$2', timeout: 2)" >>"$TREE/meson.build"
}

check()
{
	(cd "$TREE" && tools/check "$@")
}

last_line()
{
	tail -n 1 "$STDOUT"
}

counts_behaviours()
{
	tree passing
	plant three tap 'printf "ok 1 - a\nok 2 - b # SKIP no such tool\nok 3\n1..3\n"'
	plant plain exitcode 'exit 0'
	expect_status 0 check build
	expect_equal '3 passed, 0 failed, 1 skipped' "$(last_line)"
	expect_stdout_has '^SKIP planted/three: b: no such tool$'
}
behaviour check_counts_behaviours_and_names_the_skipped counts_behaviours

planted_failure()
{
	tree failing
	plant good tap 'printf "1..1\nok 1 - fine\n"'
	plant bad tap 'printf "ok 1 - a\nnot ok 2 - b\n#  because of this\n1..2\n"; exit 1'
	plant lies tap 'printf "1..2\nok 1 - a\nnot ok 2 - quiet\n"; exit 0'
	plant plain exitcode 'echo complaint >&2; exit 3'
	expect_status 1 check build
	expect_equal '3 passed, 3 failed' "$(last_line)"
	expect_stdout_has '^FAIL planted/bad: b$'
	expect_stdout_has '^FAIL planted/lies: quiet$'
	expect_stdout_has '^FAIL planted/plain: fail, status 3$'
	expect_stdout_has '^ *#  because of this$'
	expect_stdout_has '^ *complaint$'
}
behaviour check_fails_and_shows_a_planted_failure planted_failure

skip_of_cmocka()
{
	tree cmocka
	plant unit tap 'printf "1..2\nok 1 - a\n# needs root\nnot ok 2 # SKIP as_another_user\n"'
	expect_status 0 check build
	expect_equal '1 passed, 0 failed, 1 skipped' "$(last_line)"
	expect_stdout_has '^SKIP planted/unit: as_another_user: '
	expect_stdout_lacks 'FAIL +[0-9]'
}
behaviour check_takes_a_skip_of_cmocka_for_a_skip skip_of_cmocka

programs_that_break()
{
	tree breaking
	plant crash tap 'echo "ok 1 - a"; kill -SEGV $$'
	plant short tap 'printf "1..3\nok 1 - a\n"'
	plant bail tap 'echo "Bail out! no more"'
	plant silent tap 'exit 0'
	plant hangs tap 'echo "ok 1 - a"; exec sleep 60'
	expect_status 1 check build
	expect_equal '3 passed, 5 failed' "$(last_line)"
	expect_stdout_has '^FAIL planted/hangs: timeout'
	expect_stdout_has '^FAIL planted/silent: printed no test at all$'
}
behaviour check_counts_a_crash_a_short_plan_and_a_timeout_as_failures programs_that_break

nothing_ran()
{
	tree empty
	expect_status 1 check build
	expect_equal '0 passed, 0 failed' "$(last_line)"

	tree skipping
	plant all tap 'echo "1..0 # SKIP nothing here"'
	expect_status 1 check build
	expect_equal '0 passed, 0 failed, 1 skipped' "$(last_line)"
}
behaviour check_fails_when_no_test_ran nothing_ran

broken_build()
{
	tree broken
	plant good tap 'printf "1..1\nok 1 - fine\n"'
	echo "custom_target('x', output: 'x', command: ['sh', '-c', 'echo the reason; exit 1'], build_by_default: true)" \
		>>"$TREE/meson.build"
	expect_status 1 check build
	expect_stderr_has '^the reason$'
	expect_equal '0 passed, 1 failed' "$(last_line)"
}
behaviour check_fails_when_the_build_fails_and_shows_why broken_build

build()
{
	(cd "$TREE" && tools/build "$@")
}

quiet_build()
{
	tree quiet
	expect_status 0 build build
	expect_stdout_empty
	expect_status 0 build build
	expect_stdout_empty
	expect_equal 'Built build' "$(cat "$STDERR")"
}
behaviour build_says_one_line_and_nothing_on_stdout quiet_build

repairs()
{
	tree repaired
	expect_status 0 build build
	rm "$TREE/build/build.ninja"
	expect_status 0 build build
	: >"$TREE/build/meson-private/coredata.dat"
	rm "$TREE/build/build.ninja"
	expect_status 0 build build
	expect_true 'the build directory works' ninja -C "$TREE/build"
}
behaviour build_repairs_a_broken_build_directory repairs

moved()
{
	tree here
	plant good tap 'printf "1..1\nok 1 - fine\n"'
	expect_status 0 build build
	mv "$TREE" "$TMPDIR/tree of there"
	TREE="$TMPDIR/tree of there"
	expect_status 0 check build
	expect_equal '1 passed, 0 failed' "$(last_line)"
}
behaviour build_works_after_the_tree_was_moved moved

options()
{
	tree options
	expect_status 0 build build
	echo "option('shape', type: 'string', value: 'round')" >"$TREE/meson_options.txt"
	echo "message('shape ' + get_option('shape'))" >>"$TREE/meson.build"
	expect_status 0 build build -Dshape=square
	expect_file "$TREE/build/meson-logs/meson-log.txt" 'shape square'
	# An option that is gone from the project must not wedge the directory.
	echo "project('planted', meson_version: '>=0.61')" >"$TREE/meson.build"
	rm "$TREE/meson_options.txt"
	expect_status 0 build build
}
behaviour build_takes_options_and_survives_their_end options

# A compiler-less stand-in for cmocka: the packages that are found, as install-packages tells them.
new_package()
{
	tree packages
	printf '#!/bin/sh\ncat packages\n' >"$TREE/tools/install-packages"
	echo gcc >"$TREE/packages"
	echo "message('found ' + run_command('cat', 'packages', check: true).stdout().strip())" \
		>>"$TREE/meson.build"
	expect_status 0 build build
	expect_file "$TREE/build/meson-logs/meson-log.txt" 'found gcc'
	echo libcmocka-dev >"$TREE/packages"
	expect_status 0 build build
	expect_file "$TREE/build/meson-logs/meson-log.txt" 'found libcmocka-dev'
}
behaviour build_looks_again_when_a_package_was_installed new_package

foreign()
{
	tree foreign
	mkdir "$TREE/build"
	echo precious >"$TREE/build/file"
	expect_status 128 build build
	expect_stderr_has 'not a build directory'
	expect_file "$TREE/build/file" precious
}
behaviour build_leaves_a_directory_alone_that_is_not_its_own foreign

plan_done
