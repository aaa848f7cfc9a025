#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tree.sh - what holds for every file of the project.
. "${SOURCE:?}/tests/lib.sh"

# Each check prints the files that break its rule; it reads the names, NUL-ended, from stdin.
no_file()
{
	local rule=$1 check=$2 found

	shift 2
	found=$("$SOURCE/tools/source-files" "$@" | (cd "$SOURCE" && "$check"))
	[ -z "$found" ] || fail "no file that $rule" "$found"
}

machine_paths()
{
	# Spelt apart, else this file would name them; "somebody" is nobody.
	xargs -0 grep -nIE "/(home|Users|root|work)[/](shared|wt|main|[a-z]+/)" -- |
		grep -v "/home/[s]omebody/" || true
}
behaviour no_file_names_a_path_of_a_developers_machine \
	no_file 'names a path of a machine' machine_paths

without_licence()
{
	local file

	while IFS= read -r -d '' file; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file"
	done
}
behaviour every_source_file_names_its_licence \
	no_file 'lacks its SPDX line' without_licence '*.[ch]' '*.in' '*.sh' 'tools/*' '.ci/*' Makefile

wrong_licence()
{
	local file want

	while IFS= read -r -d '' file; do
		case $file in
		lib/* | include/* | tests/model/*) want=MIT ;;
		*) want=GPL-2.0-or-later ;;
		esac
		grep -qE "SPDX-License-Identifier: $want( |$)" "$file" || echo "$file: not $want"
	done
}
behaviour a_source_file_has_the_licence_of_its_folder \
	no_file 'has another licence than its folder' wrong_licence '*.[ch]'

large()
{
	xargs -0 -I '{}' find '{}' -maxdepth 0 -size +1024k
}
behaviour no_file_is_larger_than_1_MB no_file 'is larger than 1 MB' large

long_lines()
{
	# Columns with tabs of 8; a character counts once whatever its bytes.
	xargs -0 python3 -c '
import sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if len(line.rstrip("\n").expandtabs(8)) > 120:
                print(f"{name}:{number}: {len(line)}")'
}
c_lines()
{
	need_tool python3
	no_file 'has a line over 120 columns' long_lines '*.[ch]'
}
behaviour no_line_of_C_is_over_120_columns c_lines

not_executable()
{
	local file

	while IFS= read -r -d '' file; do
		if [ "$(head -c 2 "$file" | tr -d '\0')" = '#!' ]; then
			[ -x "$file" ] || echo "$file: not executable"
		elif [ -x "$file" ]; then
			echo "$file: executable without an interpreter line"
		fi
	done
}
behaviour scripts_and_only_scripts_are_executable \
	no_file 'is executable or has #!, but not both' not_executable

blanks_at_line_ends()
{
	xargs -0 grep -nIE '[[:blank:]]+$' -- || true
}
behaviour no_line_of_code_ends_in_blanks \
	no_file 'has blanks at a line end' blanks_at_line_ends '*.[ch]' '*.sh' '*meson.build' 'tools/*'

leftovers()
{
	# Spelt apart for the same reason.
	xargs -0 grep -nIE "\b(TO""DO|FIX""ME|X""XX)\b" -- || true
}
behaviour no_source_file_holds_a_note_of_unfinished_work \
	no_file 'has a note of unfinished work' leftovers '*.[ch]' 'tools/*'

plan_done
