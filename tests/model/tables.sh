#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tables.sh - the tables of orders on top of lib/*.c agree with the code and with mutants.txt.
. "${SOURCE:?}/tests/lib.sh"

# The rows of a file: `label`, then a `= name` for each mutant, or `= not shown`.
rows()
{
	sed -nE -e '/^ \*\/$/q' -e 's/^ \* ([A-Z][0-9]+) .*/\1/p' \
		-e '/^ \*    = /{s/^ \*    = //;s/, */\n= /g;s/^/= /;p}' "$1"
}

mutants_exist()
{
	local file name

	grep -E '^[a-z0-9_]+$' "$SOURCE/tests/model/mutants.txt" >"$TMPDIR/mutants"
	expect_true 'mutants' [ -s "$TMPDIR/mutants" ]
	for file in "$SOURCE"/lib/*.c; do
		rows "$file" | sed -n -e '/^= not shown$/d' -e 's/^= //p' | while read -r name; do
			grep -qx -- "$name" "$TMPDIR/mutants" || printf '%s %s\n' "${file##*/}" "$name"
		done
	done >"$TMPDIR/missing"
	expect_equal '' "$(cat "$TMPDIR/missing")" 'mutants that are in a table only'
}
behaviour every_mutant_that_a_table_of_orders_names_exists mutants_exist

# Labels: /* S1 */, /* T2, T3 */.
labels_stand()
{
	local file

	for file in "$SOURCE"/lib/*.c; do
		rows "$file"
	done | sed '/^=/d' | sort -u >"$TMPDIR/rows"
	grep -rhoE --include='*.[ch]' '/\* [A-Z][0-9]+(, [A-Z][0-9]+)* \*/' "$SOURCE/lib" \
		"$SOURCE/include" | grep -oE '[A-Z][0-9]+' | sort -u >"$TMPDIR/used"
	expect_true 'labels in the code' [ "$(wc -l <"$TMPDIR/used")" -gt 20 ]
	expect_equal '' "$(comm -13 "$TMPDIR/rows" "$TMPDIR/used")" 'labels without a row'
	expect_equal '' "$(comm -23 "$TMPDIR/rows" "$TMPDIR/used")" 'rows that no access has the label of'
}
behaviour every_label_of_an_order_stands_in_a_table_and_in_the_code labels_stand

# A row that says neither, in a table whose other rows do.
rows_are_shown()
{
	local file

	for file in "$SOURCE"/lib/*.c; do
		rows "$file" >"$TMPDIR/rows"
		grep -q '^=' "$TMPDIR/rows" || continue
		awk -v file="${file##*/}" '
			/^=/ { label = ""; next }
			{ if (label) print file, label; label = $0 }
			END { if (label) print file, label }' "$TMPDIR/rows"
	done >"$TMPDIR/open"
	expect_equal '' "$(cat "$TMPDIR/open")" 'rows without a mutant that do not say "not shown"'
}
behaviour every_row_names_its_mutant_or_says_that_it_is_not_shown rows_are_shown

plan_done
