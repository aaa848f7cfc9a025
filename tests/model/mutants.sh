#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mutants.sh - each planted mistake of mutants.txt is found by the client that it names.
. "${SOURCE:?}/tests/lib.sh"
skip_if_sanitized 'what is found does not depend on it'

# The same numbers of executions for all: what is found, is found early. Drawn ones first: they
# get further from the first execution.
executions=300000

is_found()
{
	local number=$1 client=$2 how

	for how in "--drawn=$executions" "--most=$executions"; do
		run "$BUILD/tests/model/mutants-$client" --mutant="$number" --fails "$how"
		[ "$STATUS" -eq 0 ] || continue
		printf '%s %s %s: %s\n' "$number" \
			"$(sed -n 's/^# \([0-9]*\) executions.*/\1/p;q' "$STDOUT")" "$client" \
			"$(grep -m 1 -B 1 '^#    0 ' "$STDOUT" | sed -n '1s|^# \(.*/\)*||p')" >>"$TMPDIR/found"
		return 0
	done
	fail "a failing execution" "none: see mutants.txt, and whether its text is still in the source"
}

"$SOURCE/tests/model/mutate" --list "$SOURCE/tests/model/mutants.txt" >"$TMPDIR/list"
while read -r number name client; do
	behaviour "mutant_${name}_is_found" is_found "$number" "$client"
done <"$TMPDIR/list"
echo '# mutant, executions until found, client, finding'
while read -r number name _; do
	printf '# %-44s %s\n' "$name" "$(sed -n "s/^$number //p" "$TMPDIR/found" | cut -c 1-110)"
done <"$TMPDIR/list"

plan_done
