#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seqwrite.sh - the commands that onproc knows by name: fio writing files, on a file system that is
# there and on one that is made for it.
. "${SOURCE:?}/tests/lib.sh"

DEADLINE=120

without_fio()
{
	mkdir -p none
	expect_status 125 env PATH="$PWD/none" "$ONPROC" bench seqwrite -c 1 --slots 1
	expect_stderr_has 'cmd/seqwrite@1, 1 copy: fio: not found in PATH; install the package fio'
}

listed()
{
	expect_status 0 "$ONPROC" bench --list seqwrite --json
	expect_json '[.tests[].id] == ["cmd/seqwrite@1"]'
	expect_status 0 "$ONPROC" help --complete test
	expect_stdout_has '^seqwrite-xfs$'
	expect_status 129 "$ONPROC" bench seqwrit
	expect_stderr_has 'did you mean seqwrite'
}

one_command_at_most()
{
	expect_status 129 "$ONPROC" bench seqwrite seqwrite-xfs
	expect_stderr_has 'one command at most'
	expect_status 129 "$ONPROC" bench seqwrite --cmd true
	expect_status 129 "$ONPROC" bench seqwrite --metric time
}

# A program in the place of fio that tells what it was asked for.
fake_fio()
{
	mkdir -p fake
	cat >fake/fio <<-'END'
	#!/bin/sh
	printf '%s\n' "$*" >>"$ASKED"
	[ -z "$KEEP" ] || sleep 1000
	for word; do
		case $word in
		--directory=*) stat -f -c %T "${word#*=}" >>"$ASKED" ;;
		esac
	done
	echo '{"jobs": [{"write": {"bw_bytes": 4000}}]}'
	sleep 0.1
	END
	chmod +x fake/fio
	export PATH=$PWD/fake:$PATH ASKED=$PWD/asked KEEP=
	rm -f asked
}

copies_are_jobs()
{
	fake_fio
	expect_status 0 "$ONPROC" bench seqwrite -c 3 --slots 1 --dir "$TMPDIR" --json
	expect_json '.series[0] | .copies == 3 and .unit == "B/s" and .slots[-1].rate == 4000'
	expect_file asked "numjobs=3 .*--rw=write .*--directory=$TMPDIR/onproc-"
}

need_loop()
{
	need_root
	need_tool mkfs.xfs unshare truncate
	[ -e /dev/loop-control ] && grep -qw xfs /proc/filesystems || skip 'no loop devices or no XFS'
	unshare -m true 2>/dev/null || skip 'no mount namespace'
}

loops()
{
	grep -l 'onproc-' /sys/block/loop*/loop/backing_file 2>/dev/null | wc -l
}

writes_an_xfs_of_its_own()
{
	need_loop
	fake_fio
	expect_status 0 "$ONPROC" bench seqwrite-xfs -c 1 --slots 1 --dir "$TMPDIR" --json
	expect_json '.series[0].slots[-1].rate == 4000'
	expect_equal xfs "$(tail -n1 asked)" 'the file system'
	nothing_is_left
}

nothing_is_left()
{
	expect_equal '' "$(grep "$TMPDIR" /proc/mounts || true)" 'mounts'
	expect_equal '' "$(find "$TMPDIR" -maxdepth 1 -name 'onproc-??????')" 'directories'
	no_loops()
	{
		[ "$(loops)" -eq 0 ]
	}
	wait_until no_loops
}

is_asked()
{
	[ -s "$ASKED" ]
}

killed_onproc_leaves_no_file_system()
{
	need_loop
	fake_fio
	KEEP=1
	background "$ONPROC" bench seqwrite-xfs -c 1 --slots 1 --dir "$TMPDIR"
	wait_until is_asked
	[ "$(loops)" -eq 1 ] || fail 'a loop device' "$(loops)"
	kill -KILL "$BACKGROUND"
	no_processes()
	{
		[ -z "$(private_processes)" ]
	}
	wait_until no_processes
	KEEP=
	# a directory is swept by the next run
	expect_status 0 "$ONPROC" bench hanoi -c 1 --slots 1 --slot-time 50ms --warmup 0 --dir "$TMPDIR"
	nothing_is_left
}

real_fio_on_a_directory()
{
	need_tool fio
	expect_status 0 "$ONPROC" bench seqwrite -c 1,2 --slots 1 --dir "$TMPDIR" --json
	expect_json '[.series[].slots[-1].rate] | length == 2 and all(. > 1000)'
}

for name in without_fio listed one_command_at_most copies_are_jobs writes_an_xfs_of_its_own \
	killed_onproc_leaves_no_file_system real_fio_on_a_directory; do
	behaviour "$name" "$name"
done
plan_done
