#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# execl.sh - the image of the execl tests, and what an iteration of them costs in system calls.
. "${SOURCE:?}/tests/lib.sh"

WORK=$BUILD/src/workload
IMAGE=$WORK/onproc-work-execl
STATIC=$WORK/onproc-work-execl-static-image
# By hand from strace on Debian 12, glibc 2.36, for a program that links libc alone.
CALLS_GLIBC_2_36=29

# System calls from each execve to the next, of the third of the images to the seventh.
calls_per_image()
{
	awk '{ sub(/^[0-9]+ +/, "") }
		/^execve\(/ { image++ }
		/^[a-z_0-9]+\(/ && image >= 3 && image <= 7 { calls[image]++ }
		END { for (image in calls) print calls[image] }' "$1" | sort -u
}

# calls_of LOG WORDS…: calls of an image that is started with the words.
calls_of()
{
	local log=$1

	shift
	run strace -f -qq -o "$log" "$@"
	[ "$STATUS" -eq 0 ] || fail 'strace of the chain' "status $STATUS"
	calls_per_image "$log"
}

as_many_as_a_minimal_program()
{
	need_tool strace
	expect_equal "$(calls_of minimal "$BUILD/tests/behaviour/workload/minimal-chain" 9)" \
		"$(calls_of execl "$IMAGE" execl --bare 500)" 'calls per image'
}

calls_are_29()
{
	need_tool strace
	[ "$(getconf GNU_LIBC_VERSION)" = 'glibc 2.36' ] ||
		skip "29 calls are those of glibc 2.36, here is $(getconf GNU_LIBC_VERSION)"
	expect_equal "$CALLS_GLIBC_2_36" "$(calls_of execl "$IMAGE" execl --bare 500)" \
		'calls per image'
}

two_calls_without_libc()
{
	need_tool strace
	skip_if_sanitized 'the leak check of the starter fails under strace'
	[ -e "$STATIC" ] || skip 'execl-static is not for this architecture'
	expect_equal 2 "$(calls_of static "$WORK/onproc-work-execl-static" execl-static --bare 200)" \
		'calls per image'
}

image_has_24_kilobytes()
{
	local bytes

	bytes=$(stat -c %s "$IMAGE")
	expect_true '20 KiB or more' test "$bytes" -ge 20480
	expect_true '28 KiB or less' test "$bytes" -le 28672
}

image_needs_libc_alone()
{
	need_tool readelf
	expect_equal 'libc.so.6' \
		"$(readelf -d "$IMAGE" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')" 'libraries'
	readelf -h "$IMAGE" >header
	expect_file header 'DYN'
}

static_image_needs_nothing()
{
	need_tool readelf
	[ -e "$STATIC" ] || skip 'execl-static is not for this architecture'
	readelf -lhd "$STATIC" >headers
	expect_file headers 'EXEC \(Executable file\)'
	expect_file_lacks headers 'INTERP'
	expect_file_lacks headers 'NEEDED'
}

# The words of a chain, each of which must be a number of 64 bits.
bad_words_are_refused()
{
	local image number

	for image in "$IMAGE" "$STATIC"; do
		[ -e "$image" ] || continue
		for number in x '' -1 1x ' 1' 18446744073709551616; do
			expect_status 2 "$image" execl 0 8 0 0 1 "$number" 0 0
		done
	done
}

without_its_image()
{
	[ -e "$STATIC" ] || skip 'execl-static is not for this architecture'
	cp "$WORK/onproc-work-execl-static" alone
	expect_status 1 ./alone execl-static --bare 20
	expect_stderr_has 'alone-image: No such file'
}

behaviour an_image_makes_as_many_calls_as_a_minimal_program as_many_as_a_minimal_program
behaviour an_image_makes_29_system_calls calls_are_29
behaviour an_image_without_libc_makes_2_system_calls two_calls_without_libc
behaviour the_image_has_about_24_kilobytes image_has_24_kilobytes
behaviour the_image_needs_libc_alone image_needs_libc_alone
behaviour the_static_image_needs_nothing static_image_needs_nothing
behaviour an_image_refuses_words_that_are_no_numbers bad_words_are_refused
behaviour execl_static_says_that_its_image_is_missing without_its_image

plan_done
