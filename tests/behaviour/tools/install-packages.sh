#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # code for the stubs
# install-packages.sh - tools/install-packages on machines made of stub programs.
. "${SOURCE:?}/tests/lib.sh"

# machine NAME: an empty machine whose PATH holds only what the script itself needs; each stub
# writes its name and arguments to $TMPDIR/NAME.calls.
machine()
{
	local tool

	MACHINE=$TMPDIR/$1
	CALLS=$TMPDIR/$1.calls
	mkdir "$MACHINE"
	: >"$CALLS"
	for tool in bash env awk paste cat rm touch; do
		ln -s "$(type -P "$tool")" "$MACHINE/$tool"
	done
	stub id 'echo 1000'
}

# stub NAME CODE: a program that notes how it was called, then runs CODE.
stub()
{
	printf '#!%s/bash\necho "%s $*" >>"%s"\n%s\n' "$MACHINE" "$1" "$CALLS" "${2:-exit 0}" \
		>"$MACHINE/$1"
	chmod +x "$MACHINE/$1"
}

everything_for_build()
{
	stub cc 'exec cat'
	stub meson 'echo 1.0.1'
	stub ninja
	stub make
	stub pkg-config
}

install_packages()
{
	env -i PATH="$MACHINE" "$MACHINE/bash" "$SOURCE/tools/install-packages" "$@"
}

nothing_missing()
{
	machine complete
	everything_for_build
	stub apt-get
	stub dpkg
	stub sudo
	expect_status 0 install_packages build
	expect_stdout_empty
	expect_stderr_empty
	expect_file_lacks "$CALLS" '^(apt-get|dpkg|sudo)'
}
behaviour install_packages_asks_for_nothing_when_nothing_is_missing nothing_missing

no_root_no_sudo()
{
	machine rootless
	everything_for_build
	rm "$MACHINE/ninja"
	stub apt-get
	stub dpkg
	expect_status 1 install_packages build
	expect_stdout_empty
	expect_stderr_has 'Missing for "build": Ninja \(ninja-build\)$'
	expect_stderr_has 'needs root and there is no sudo'
	expect_stderr_has '^    apt-get install ninja-build$'
	expect_file_lacks "$CALLS" '^apt-get'
}
behaviour install_packages_says_how_without_root_and_sudo no_root_no_sudo

# apt-get "installs" by making the stub that was missing.
as_root()
{
	machine rootful
	everything_for_build
	rm "$MACHINE/ninja"
	stub id 'echo 0'
	stub dpkg
	stub apt-get "case \"\$*\" in
		*' install '*) echo noise; echo 'exit 0' >'$MACHINE/ninja'; chmod +x '$MACHINE/ninja';;
		esac"
	ln -s "$(type -P chmod)" "$MACHINE/chmod"
	expect_status 0 install_packages build
	expect_stdout_empty
	expect_stderr_has '^Installing with apt-get: ninja-build$'
	expect_equal 'update' "$(sed -n 's/^apt-get .*\(update\)$/\1/p' "$CALLS")"
	expect_file "$CALLS" '^apt-get .*-y.* install --no-install-recommends ninja-build$'
}
behaviour install_packages_as_root_installs_what_is_missing_and_only_that as_root

through_sudo()
{
	machine sudo
	everything_for_build
	rm "$MACHINE/ninja"
	stub dpkg
	stub apt-get
	stub sudo '[ "$1" = -n ] && shift; exec "$@"'
	expect_status 1 install_packages build
	expect_file "$CALLS" '^sudo -n env DEBIAN_FRONTEND=noninteractive apt-get .* install'
	expect_stderr_has 'Still missing after the installation: Ninja'
}
behaviour install_packages_uses_sudo_and_says_what_is_still_missing through_sudo

failed_install()
{
	machine offline
	everything_for_build
	rm "$MACHINE/pkg-config"
	stub id 'echo 0'
	stub dpkg
	stub apt-get 'exit 100'
	expect_status 1 install_packages build
	expect_stderr_has 'apt-get update failed'
	expect_stderr_has 'By hand: apt-get install pkg-config libjansson-dev libsqlite3-dev libhwloc-dev'
}
behaviour install_packages_fails_when_apt_get_fails failed_install

fedora()
{
	machine fedora
	everything_for_build
	stub pkg-config '[ "$2" != cmocka ]'
	stub dnf
	expect_status 0 install_packages build
	expect_status 1 install_packages check
	expect_stderr_has '^Install it with: sudo dnf install libcmocka-devel( [a-z0-9-]+)* bc( [a-z0-9-]+)*$'
	expect_file_lacks "$CALLS" '^dnf'
}
behaviour install_packages_prints_the_dnf_command fedora

arch()
{
	machine arch
	stub pacman
	expect_status 1 install_packages lint
	expect_stderr_has '^Install it with: sudo pacman -S --needed gcc glibc .* clang .*cppcheck shellcheck$'
	expect_equal 1 "$(grep pacman "$STDERR" | grep -o clang | wc -l)" 'times that clang is named'
}
behaviour install_packages_prints_the_pacman_command arch

unknown()
{
	machine unknown
	everything_for_build
	stub meson 'echo 0.53.2'
	expect_status 1 install_packages build
	expect_stderr_has 'Missing for "build": Meson \(meson\)$'
	expect_stderr_has '^    Debian, Ubuntu: meson$'
	expect_stderr_has '^    Fedora:         meson$'
	expect_stderr_has '^    Arch:           meson$'
}
behaviour install_packages_names_packages_on_an_unknown_system unknown

versions()
{
	local version

	for version in 0.61 0.61.2 0.100.1 1.0.1 1.6.0rc1 2.0; do
		machine "meson-$version"
		everything_for_build
		stub meson "echo $version"
		expect_status 0 install_packages build
	done
	for version in 0.60.9 0.6 '' 'not a version'; do
		machine "meson-${version:-none}"
		everything_for_build
		stub meson "echo $version"
		expect_status 1 install_packages build
	done
}
behaviour install_packages_compares_versions_as_numbers versions

found()
{
	machine finds
	everything_for_build
	stub pkg-config '[ "$2" != hwloc ]'
	stub jq
	expect_status 0 install_packages found
	expect_stdout_has '^gcc$'
	expect_stdout_has '^jq$'
	expect_stdout_lacks 'hwloc|strace'
}
behaviour install_packages_prints_what_is_found found

wrong_use()
{
	expect_status 129 "$SOURCE/tools/install-packages"
	expect_stderr_has '^usage: '
	expect_status 129 "$SOURCE/tools/install-packages" everything
}
behaviour install_packages_refuses_an_unknown_set wrong_use

plan_done
