#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# manual.sh - every function of the library has its page, and the page says how it fails.
. "${SOURCE:?}/tests/lib.sh"

need_tool scdoc nm python3

exported()
{
	nm -D --defined-only "$BUILD/lib/libonproc.so" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }'
}

listed()
{
	"$SOURCE/docs/man/page" --list "$SOURCE"/include/onproc/*.h
}

exported_have_pages()
{
	local function number=0

	for function in $(exported); do
		[ -s "$BUILD/docs/$function.3" ] || fail "no page for $function"
		number=$((number + 1))
	done
	[ "$number" -gt 30 ] || fail "only $number functions are exported"
}
behaviour every_exported_function_has_a_page exported_have_pages

inline_have_pages()
{
	local header function

	while read -r header function; do
		[ -s "$BUILD/docs/$function.3" ] || fail "no page for $function of $header"
	done < <(listed)
}
behaviour every_function_of_the_headers_has_a_page inline_have_pages

pages_name_errors()
{
	local header function

	while read -r header function; do
		grep -A 2 '^# ERRORS$' "$BUILD/docs/$function.3.scd" |
			grep -qE '^(None\.|Returned as .*-E[A-Z]+)' ||
			fail "the page of $function of $header names no errors"
	done < <(listed)
}
behaviour every_page_names_the_errors pages_name_errors

int_functions_say_how_they_end()
{
	local header function

	while read -r header function; do
		grep -q "^int $function" "$BUILD/docs/$function.3.scd" || continue
		grep -A 2 '^# DESCRIPTION$' "$BUILD/docs/$function.3.scd" |
			grep -qE 'Always 0|-E[A-Z]+|errno|Returns' ||
			fail "$function of $header does not say how it ends"
	done < <(listed)
}
behaviour functions_with_a_status_say_which int_functions_say_how_they_end

uncommented_is_refused()
{
	printf '/* SPDX */\n/* x.h - x. */\n#ifndef X\nint onproc_x(void);\n#endif\n' >x.h
	! "$SOURCE/docs/man/page" --list x.h 2>err || fail 'taken'
	grep -q 'onproc_x has no comment' err
}
behaviour a_function_without_a_comment_is_refused uncommented_is_refused

plan_done
