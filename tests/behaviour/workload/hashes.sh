#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# hashes.sh - content hashes of sources: what changes them and what does not.
. "${SOURCE:?}/tests/lib.sh"

HASH=$BUILD/src/workload/hash-sources

# hash_of TEXT: of a file with this text.
hash_of()
{
	printf '%b' "$1" >source.c
	run "$HASH" hashes key=source.c
	[ "$STATUS" -eq 0 ] || fail 'a hash' "status $STATUS"
	sed -n 's/.*{ "key", "\([0-9a-f]\{64\}\)" },/\1/p' hashes
}

same()
{
	expect_equal "$(hash_of "$1")" "$(hash_of "$2")" 'hash'
}

differ()
{
	[ "$(hash_of "$1")" != "$(hash_of "$2")" ] || fail 'two hashes' "one, for $1 and $2"
}

comments()
{
	same 'int a; int b;' 'int a; /* here */ int b; // there\n'
	same 'int a;' '/* it'"'"'s "quoted */int a;'
	same 'int/**/a;' 'int a;'
}

white_space()
{
	same 'int f(int a) { return a+1; }\n' 'int f( int a )\n{\n\treturn a + 1;\n}\n'
	same 'int a;\n' 'int\\\n a;\r\n'
	same '#define A 1\nint a;' '#  define   A   1\n\nint a;\n'
}

tokens()
{
	differ 'int a = 1;' 'int a = 2;'
	differ 'int a = b;' 'int a = c;'
	differ 'a = b - -c;' 'a = b --c;'
	differ 'int ab;' 'int a b;'
	differ 'a = 1 .5;' 'a = 1.5;'
	differ 'x = a <b;' 'x = a <= b;'
	differ 'f(a, b);' 'f(b, a);'
}

literals()
{
	differ 'c = "a  b";' 'c = "a b";'
	differ 'c = "/* a */";' 'c = "";'
	differ 'c = "// a";' 'c = "// b";'
	differ "c = '\"'; d = 1; /* \" */" "c = '\"'; d = 2; /* \" */"
	differ 'c = "\\"a"; b' 'c = "\\"b"; b'
}

directives()
{
	differ '#define A\nB' '#define A B\n'
	differ '#define A(x) x\n' '#define A (x) x\n'
	differ '#if A\nB\n#endif\n' '#if A B\n#endif\n'
}

words()
{
	same '{ .title = "One", .id = "x" }' '{ .title = "Two", .id = "x" }'
	same '{ .id = "x", .help = "a, b" "c" }' '{ .id = "x", .help = "d" }'
	same '{ .help = f(a, b), .id = "x" }' '{ .id = "x" }'
	same '{ .note = NULL, .id = "x", }' '{ .note = "new", .id = "x", }'
	differ '{ .title = "One", .id = "x" }' '{ .title = "One", .id = "y" }'
	differ 'a.title == 1;' 'a.title == 2;'
	differ '{ .titles = 1 }' '{ .titles = 2 }'
}

several_files()
{
	printf 'int a;' >a.c
	printf 'int b;' >b.c
	expect_status 0 "$HASH" first k=a.c k=b.c other=a.c
	expect_status 0 "$HASH" second k=b.c k=a.c other=a.c
	expect_equal 2 "$(wc -l <first)" 'keys'
	[ "$(grep '"k"' first)" != "$(grep '"k"' second)" ] || fail 'an order of files' 'none'
	expect_equal "$(grep other first)" "$(grep other second)" 'the other key'
}

no_file()
{
	expect_status 1 "$HASH" hashes key=nowhere.c
	expect_stderr_has 'nowhere.c: No such file'
	expect_no_file hashes
	expect_status 1 "$HASH" hashes key
	expect_stderr_has 'not KEY=FILE'
	expect_status 2 "$HASH"
	expect_stderr_has '^usage'
}

unfinished_text()
{
	local text

	for text in '"' "'" '/*' '"\0134' '.title =' '{ .help = (' '#define' '\0134' ''; do
		hash_of "$text" >/dev/null
	done
}

behaviour a_comment_changes_nothing comments
behaviour white_space_changes_nothing white_space
behaviour a_token_changes_the_hash tokens
behaviour a_literal_is_taken_as_it_is literals
behaviour the_end_of_a_directive_counts directives
behaviour words_about_a_test_change_nothing words
behaviour the_files_of_a_key_are_one_text several_files
behaviour a_missing_file_is_an_error no_file
behaviour an_unfinished_text_ends unfinished_text

plan_done
