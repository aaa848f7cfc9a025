# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# lib.sh - what the tests of the sensor share: skipping where there is none, a daemon, a client.
. "${SOURCE:?}/tests/lib.sh"

# A thousand clients take a while where a hundred others want the CPUs.
export DEADLINE=180

export ONPROC_SENSOR=sched ONPROC_SENSOR_SOCKET=$TMPDIR/sensor.sock
# The daemon gives up what the leak check at its end needs.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
client=$TMPDIR/sensor-client
# of the daemon; for who sources this
export daemon_pid=

# A user without rights runs the client too.
chmod 755 "$PRIVATE" "$TMPDIR"
cp "$BUILD/tests/behaviour/sensor/sensor-client" "$client"
[ ! -e "$BUILD/bpf/libonproc-sched.so" ] ||
	export ONPROC_SCHED_MODULE=$BUILD/bpf/libonproc-sched.so

# Skips all when no program can be loaded here, with the reason that onproc gives.
need_sched()
{
	local reason

	need_root 'loading eBPF programs needs root'
	reason=$(ONPROC_SENSOR_SOCKET=/nonexistent "$ONPROC" sensor status --json |
		python3 -c 'import json, sys
for kind in json.load(sys.stdin)["kinds"]:
	if kind["name"] == "sched" and not kind["works"]:
		print(kind["reason"])')
	[ -z "$reason" ] || skip "$reason"
}

# serve OPTION…: a daemon that is there when this returns; daemon_pid is its process.
serve()
{
	# The daemon of the behaviour before may take a while to end.
	ONPROC_SENSOR_SOCKET=$(mktemp -u "$TMPDIR/sensor.XXXXXX")
	rm -f "$PRIVATE/background.out"
	background "$ONPROC" sensor serve --socket "$ONPROC_SENSOR_SOCKET" "$@"
	wait_until daemon_answers_or_ended
	daemon_answers || fail 'a daemon that serves' "$(cat "$PRIVATE/background.out")"
	daemon_pid=$BACKGROUND
}

daemon_answers()
{
	grep -q 'serving up to' "$PRIVATE/background.out"
}

daemon_answers_or_ended()
{
	daemon_answers || ! kill -0 "$BACKGROUND"
}

as_nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

is()
{
	expect_status 0 "$client" "$1"
}

is_for_nobody()
{
	expect_status 0 as_nobody "$client" "$1"
}
