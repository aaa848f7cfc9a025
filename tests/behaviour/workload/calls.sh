# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# calls.sh - what a workload does per iteration, counted by strace.
#
# A test runs in its bare form for a short and for a longer time. What set-up and end cost is in
# both, so that the difference is what the iterations cost. A counted test may be stopped with one
# iteration under way, which is then in the calls but not in the count.

WORK=$BUILD/src/workload

# traced NAME MS PROGRAM TEST [WORD…]: into NAME.calls (name and number, one a line, without those
# that a signal made start again), NAME.count (iterations) and NAME.exits (processes ended).
traced()
{
	local name=$1 ms=$2 program=$3 test=$4

	shift 4
	strace -f -qq -o "$name.strace" \
		"$WORK/onproc-work-$program" "$test" --bare "$ms" 0 "$@" >"$name.out" ||
		fail "$test under strace" 'it failed'
	read -r count _ <"$name.out"
	echo "$count" >"$name.count"
	awk '{
		line = $0
		sub(/^[0-9]+ +/, "", line)
		if (line ~ /^[a-z_0-9]+\(/) {
			call = line
			sub(/\(.*/, "", call)
			calls[call]++
		} else if (line ~ /^<\.\.\. [a-z_0-9]+ resumed>/) {
			split(line, word, " ")
			call = word[2]
		} else
			next
		if (line ~ / = \? ERESTART/)
			calls[call]--
	}
	END { for (call in calls) print call, calls[call] }' "$name.strace" >"$name.calls"
}

# Processes that ended. Without -qq strace says so; the attached ones too.
traced_processes()
{
	local name=$1 ms=$2 program=$3 test=$4

	shift 4
	strace -f -e trace=execve -o "$name.strace" \
		"$WORK/onproc-work-$program" "$test" --bare "$ms" 0 "$@" >"$name.out" 2>/dev/null ||
		fail "$test under strace" 'it failed'
	read -r count _ <"$name.out"
	echo "$count" >"$name.count"
	grep -c '+++ exited with' "$name.strace" >"$name.exits"
	# An exec that failed was one try along PATH.
	grep -cE 'execve(\(| resumed).* = 0$' "$name.strace" >"$name.execs"
}

# of NAME CALL
of()
{
	awk -v call="$2" '$1 == call { n = $2 } END { print n + 0 }' "$1.calls"
}

# both ITERATIONS PROGRAM TEST [WORD…]: traces a and b until b has so many iterations more than a.
both()
{
	local need=$1 ms=400

	shift
	traced a 40 "$@"
	until traced b "$ms" "$@" && [ $(($(cat b.count) - $(cat a.count))) -ge "$need" ]; do
		ms=$((ms * 2))
		[ "$ms" -le 30000 ] || skip "too slow under strace: $(cat b.count) iterations in $ms ms"
	done
	iterations=$(($(cat b.count) - $(cat a.count)))
}

# more CALL: how many b made more than a.
more()
{
	echo $(($(of b "$1") - $(of a "$1")))
}

# expect_between LOW HIGH CAME WHAT
expect_between()
{
	if [ "$3" -lt "$1" ] || [ "$3" -gt "$2" ]; then
		fail "$4: $1 to $2" "$3"
	fi
}

# expect_calls CALL=N…: exactly so many per iteration, and no others at all.
expect_calls()
{
	local want call number got

	for want; do
		call=${want%=*} number=${want#*=}
		got=$(more "$call")
		expect_between $((number * (iterations - 1))) $((number * (iterations + 1))) "$got" \
			"$number $call in each of $iterations iterations"
	done
	while read -r call _; do
		for want; do
			[ "$call" != "${want%=*}" ] || continue 2
		done
		got=$(more "$call")
		[ "${got#-}" -le 3 ] || fail "no $call in the loop" "$got in $iterations iterations"
	done <b.calls
}
