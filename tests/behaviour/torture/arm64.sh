#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# arm64.sh - the lock library on arm64: cross-built, its tests run by an emulator.

. "${SOURCE:?}/tests/lib.sh"

DEADLINE=300
MESON=${MESON:-meson}
need_tool aarch64-linux-gnu-gcc qemu-aarch64 "$MESON" "${NINJA:-ninja}"

# The C library for it comes as a package of its own.
printf '#include <stdio.h>\nint main(void) { return puts("ok") < 0; }\n' >probe.c
aarch64-linux-gnu-gcc probe.c -o probe 2>/dev/null || skip 'no C library for arm64'
arm64()
{
	timeout --kill-after=5 "$DEADLINE" qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"
}
[ "$(arm64 ./probe 2>/dev/null)" = ok ] || skip 'qemu-aarch64 does not run a program for arm64'

library_builds()
{
	expect_status 0 "$MESON" setup -Dlibrary_only=true \
		--cross-file "$SOURCE/tests/behaviour/torture/aarch64.ini" build-arm64 "$SOURCE"
	expect_status 0 "${NINJA:-ninja}" -j2 -C build-arm64
	expect_stdout_lacks 'warning:'
	expect_equal AArch64 "$(aarch64-linux-gnu-readelf -h build-arm64/lib/libonproc.so |
		sed -n 's/^ *Machine: *//p')" machine
}
behaviour library_builds_for_arm64 library_builds

# The helpers choose between both kinds of instructions when it runs; none is called by the PLT.
atomics_suit_the_cpu()
{
	[ -f build-arm64/lib/libonproc.so ] || skip 'it was not built'
	aarch64-linux-gnu-objdump -d --no-show-raw-insn build-arm64/lib/libonproc.so |
		awk '/^[0-9a-f]+ <.*>:$/ { inside = $2 == "<onproc_mutex_lock>:" } inside' >lock
	expect_file lock
	expect_file_lacks lock '@plt>'
	if ! grep -q 'casa' lock; then
		expect_file lock '__aarch64_(cas|swp|ldset|ldadd)'
	fi
}
behaviour atomics_suit_the_cpu_on_arm64 atomics_suit_the_cpu

built()
{
	[ -x build-arm64/tests/torture/torture ] || skip 'it was not built'
}

# 70,000 threads take an emulator minutes.
left_out='slots_of_ended_threads'

# That of Debian 12 loses its way where the forked child of several threads starts one.
cat >fork.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void *run(void *seconds)
{
	sleep(*(unsigned int *)seconds);
	return NULL;
}
int main(void)
{
	unsigned int none = 0, long_s = 60;
	pthread_t thread;
	int status = 1;

	pthread_create(&thread, NULL, run, &long_s);
	if (!fork())
		_exit(pthread_create(&thread, NULL, run, &none) || pthread_join(thread, NULL));
	wait(&status);
	_exit(status != 0);
}
END
aarch64-linux-gnu-gcc -pthread fork.c -o fork
DEADLINE=30 arm64 ./fork >/dev/null 2>&1 || left_out+=' fork'

unit_tests_pass()
{
	local program

	built
	echo "left out: $left_out"
	export SHIM_SKIP=$left_out
	for program in build-arm64/tests/unit/lib/test-lib-*; do
		[ -f "$program" ] || continue
		expect_status 0 arm64 "$program"
		expect_stdout_has '^ok 1 - '
		expect_stdout_lacks '^not ok'
		cat "$STDOUT"
	done
}
behaviour library_passes_its_unit_tests_on_arm64 unit_tests_pass

withstands()
{
	built
	expect_status 0 arm64 build-arm64/tests/torture/torture --seconds 4 --threads 4,16
	expect_stdout_has '^threads 16: [1-9][0-9]* operations'
	expect_stdout_has '^mutex_lock +[1-9]'
	expect_stdout_has '^disturbance signal: [1-9]'
	cat "$STDOUT"
}
behaviour locks_withstand_the_torture_on_arm64 withstands

catches()
{
	built
	expect_status 1 arm64 build-arm64/tests/torture/torture --broken exclusion --seconds 60
	expect_stderr_has 'FAILED .*mutual exclusion'
}
behaviour torture_catches_a_broken_lock_on_arm64 catches

# Atomics of one instruction where the CPU has them, a wait that is one, the CPU's own clock.
right_instructions()
{
	built
	aarch64-linux-gnu-objdump -d build-arm64/lib/libonproc.so >all
	expect_file all '(bl|b).*<__aarch64_cas4_acq>|[[:space:]]casa[[:space:]]'
	expect_file all '<__aarch64_cas2_|[[:space:]]cas[al]*h[[:space:]]'
	expect_file all $'\tisb'
	expect_file all 'cntvct_el0'
}
behaviour library_has_the_instructions_meant_for_arm64 right_instructions

plan_done
