#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# import-unixbench.sh - files of UnixBench, whole and damaged: text, HTML, CSV and log.
. "${SOURCE:?}/tests/lib.sh"
. "$SOURCE/tests/behaviour/store/import-lib.sh"

version_3()
{
	import_file "$data/unixbench-3.txt"
	has '.[0].run.tool == "UnixBench 3.11" and .[0].run.host == "node1" and .[0].run.created_s == 1031177492'
	has '.[0].scores == [.[0].scores[0]] and .[0].scores[0].suite == "unixbench3"'
	expect_equal '[82.2]' "$(printed_scores)"
	has '.[0].series[] | select(.title == "C Compiler Test") | .estimate.value == null and (.reason | contains("no measured results"))'
	has '.[0].series[1].note | contains("index 82.8 over the baseline 2541.7")'
	expect_stderr_empty
}

version_4()
{
	import_file "$data/unixbench-4.txt"
	has '.[0].run.tool == "UnixBench 4.1.0" and .[0].run.host == "node2" and .[0].run.created_s == 1104746400'
	# printed; the geometric mean of its ten rows
	expect_equal '[406.6]' "$(printed_scores)"
	has '.[0].scores[0] | .suite == "unixbench4" and .tests == 10'
	has 'all(.[0].series[]; .test | startswith("unixbench4/"))'
	expect_stderr_empty
}

version_5()
{
	import_file "$data/unixbench-5.txt"
	has 'length == 1 and (.[0].series | length == 24)'
	has '.[0].run.elapsed_s == 3383 and .[0].run.environment.cpus_online == 16'
	has '[.[0].scores[] | [.copies, .suite]] == [[1, "unixbench5"], [16, "unixbench5"]]'
	expect_stderr_empty
}

quoted_and_wrapped()
{
	# a mail program wraps at 72 columns and marks each line
	fold -s -w 72 "$data/unixbench-5.txt" | sed 's/^/> > /' >mail
	import_file mail
	has '.[0].series | length == 24'
	has '[.[0].scores[].tests] == [12, 12]'
	expect_stderr_empty
}

on_a_console()
{
	{
		echo '[root@node3 UnixBench]# ./Run'
		echo 'gcc -o ./pgms/arithoh -Wall ./src/arith.c'
		echo '   Version 5.1.3                      Based on the Byte Magazine Unix Benchmark'
		echo '1 x Pipe Throughput  1 2 3 4 5 6 7 8 9 10'
		printf '\033[1m========================================================================\033[0m\r\n'
		sed '1,/^   CPU 0/d; s/$/\r/' "$data/unixbench-5.txt"
	} >console
	import_file console
	has '.[0].run.tool == "UnixBench 5.1.3" and .[0].run.host == null'
	has '.[0].series | length == 24'
	expect_stderr_empty
}

other_counts_of_cpus()
{
	local count

	for count in '0 CPUs' 'unknown CPUs' '1 CPU'; do
		sed "s/^16 CPUs in system/$count in system/" "$data/unixbench-5.txt" >report
		import_file report
		has '.[0].series | length == 24'
	done
	has '.[0].run.environment.cpus_online == 1'
	sed 's/^16 CPUs/0 CPUs/' "$data/unixbench-5.txt" >report
	import_file report
	has '.[0].run.environment | has("cpus_online") | not'
}

an_empty_section()
{
	sed '/running 16 parallel/q' "$data/unixbench-5.txt" >empty
	import_file empty
	has '.[0].series | length == 12'
	expect_stderr_has 'line 45: the section has no results'
}

html()
{
	import_file "$data/unixbench.html"
	has '.[0].run | .host == "node4" and .created_s == 1397714146 and .tool == "UnixBench 5.1.3"'
	has '[.[0].series[] | .copies] == [1, 1, 1, 1, 8, 8, 8, 8]'
	expect_equal '[2542.9,3218.4]' "$(printed_scores)"
	expect_stderr_empty
}

html_cut()
{
	sed '/<tt>1352834.7/q' "$data/unixbench.html" >cut.txt
	import_file cut.txt
	has '.[0].series | length == 5'
	expect_stderr_has 'line [0-9]*: the file ends in a row'
	expect_stderr_has 'the section ends without its index score'
}

html_contradictory()
{
	sed 's|<tt>2542.9|<tt>2642.9|; s|<tt>2140.4|<tt>9140.4|' "$data/unixbench.html" >wrong
	import_file wrong
	expect_stderr_has 'the printed index score 2642\.9 is not that of its 3 rows, 2542\.9'
	expect_stderr_has 'the index 9140\.4 of Pipe Throughput does not follow from its result'
	expect_equal '[2542.9,3218.4]' "$(printed_scores)"
}

csv()
{
	import_file "$data/unixbench.csv"
	has '[.[0].series[] | [.copies, .test]] | length == 7'
	# the row of 8 copies is shorter by the graphics test: the others have not moved
	has '[.[0].series[] | select(.copies == 8) | .test] == ["unixbench6/dhry2reg@1", "unixbench6/pipe@1", "unixbench6/syscall@1"]'
	expect_stderr_empty
}

csv_odd_row()
{
	printf '16,1.0,2.0\nx,1,2,3,4\n' | cat "$data/unixbench.csv" - >odd
	import_file odd
	expect_stderr_has 'line 4: expected 5 fields, found 3'
	expect_stderr_has 'line 5: expected the number of copies, found "x"'
	has '[.[0].series[].copies] | unique == [1, 8]'
}

csv_cut()
{
	head -c -5 "$data/unixbench.csv" >cut.txt
	import_file cut.txt
	expect_stderr_has 'line 3: expected the score of System Call Overhead, found "62338"'
	has '.[0].series[6].estimate.value == null'
}

log_passes()
{
	import_file "$data/unixbench.log"
	has '[.[0].series[] | [.test, .copies, (.slots | length)]] == [["unixbench6/pipe@1", 1, 10], ["unixbench6/shell1@1", 1, 3], ["unixbench6/pipe@1", 2, 3]]'
	# the count over the time of one pass; of two copies their sum over the mean of their times
	has '.[0].series[0].slots[0].rate * 10.000123 - 26160452 | fabs < 1e-6'
	has '.[0].series[2].slots[0] | .counts == [12160452, 12161452] and (.rate * 10.001123 - 24321904 | fabs < 1e-6)'
	# per minute
	has '.[0].series[1].slots[0].rate * 60.02 / 60 - 10519 | fabs < 1e-9'
	# ten passes have an interval; the value is UnixBench's own
	has '.[0].series[0].estimate | .n == 10 and .lo != null'
	expect_stderr_lacks 'score'
}

log_score()
{
	# what UnixBench itself prints of these passes
	import_file "$data/unixbench.log"
	expect_equal "$(awk '/^>>>> score:/ { printf "%.6f\n", $3; exit }' "$data/unixbench.log")" \
		"$(printf '%.6f' "$(value unixbench6/pipe@1 | head -n 1)")" score
}

log_wrong_score()
{
	sed '0,/^>>>> score: /s/^>>>> score: [0-9]*/>>>> score: 999999/' "$data/unixbench.log" >wrong
	import_file wrong
	expect_stderr_has 'the printed score 999999\.[0-9]* of Pipe Throughput is not that of its 10 whole passes'
}

log_lines_of_the_programs()
{
	{
		printf '########\nFile Copy 1024 bufsize 2000 maxblocks -- 2 copies\n==> fstime\n\n'
		printf '#### Pass 1\n\n'
		# each copy writes a line for its write, read and copy phase: the last one counts
		printf 'COUNT|1|0|KBps\nTIME|2.0\nCOUNT|2|0|KBps\nTIME|2.0\nCOUNT|500000|0|KBps\nTIME|30.0\n'
		printf 'COUNT|3|0|KBps\nTIME|2.0\nCOUNT|4|0|KBps\nTIME|2.0\nCOUNT|600000|0|KBps\nTIME|30.0\n'
	} >log
	import_file log
	has '.[0].series[0].slots[0] | .rate == 1100000 and .counts == [500000, 600000]'
}

log_failed_pass()
{
	sed '0,/status: 0/s/status: 0/status: 132/; s/COUNT0: 26100000/COUNT0: -5/' "$data/unixbench.log" >failed
	import_file failed
	expect_stderr_has 'line 5: a copy failed: this pass of Pipe Throughput is left out'
	expect_stderr_has 'line 15: a copy has no count, time base or time: this pass'
	has '[.[0].series[0].slots[].status] | (map(select(. == "failed")) | length) == 2'
	has '.[0].series[0].estimate.n == 8'
}

log_cut()
{
	awk '/#### Pass 4/ { n++ } { print } n == 1 && /COUNT0/ { exit }' "$data/unixbench.log" | head -c -4 >cut.txt
	import_file cut.txt
	has '.[0].series[0].estimate.n == 3'
	expect_stderr_has 'the file ends in a pass'
	expect_stderr_has 'Pipe Throughput ends without its score'
}

refused()
{
	: >empty
	refuse empty 'not a file that onproc can import'
	echo '   BYTE UNIX Benchmarks (Version 5.1.3)' >banner
	refuse banner 'banner: UnixBench 3 to 6 text reports without any result'
	echo 'Concurrency,Pipe Throughput' >header
	refuse header 'header: UnixBench CSV without any result'
	printf 'Pipe Throughput -- 1 copy\n#### Pass 1\n# COUNT0: 12' >log
	refuse log 'log:3: the file ends in a pass'
}

the_printed_score_is_shown()
{
	import_file "$data/unixbench-5.txt"
	expect_status 0 "$ONPROC" show --db "$db" last
	expect_stdout_has 'imported +from UnixBench text report; printed index 1673\.0 at 1, 6460\.3 at'
}

every_prefix_is_read_without_harm()
{
	local bytes size name

	for name in unixbench.html unixbench.log unixbench.csv unixbench-3.txt unixbench-4.txt; do
		size=$(wc -c <"$data/$name")
		for ((bytes = 1; bytes < size; bytes += 1 + size / 40)); do
			head -c "$bytes" "$data/$name" >cut.txt
			run "$ONPROC" import --db "$db" cut.txt
			[ "$STATUS" -eq 0 ] || [ "$STATUS" -eq 128 ] ||
				fail 'status 0 or 128' "$STATUS after $bytes bytes of $name"
		done
	done
}

an_unknown_date_is_none()
{
	import_file "$data/unixbench.log"
	has '.[0].run | .created_s == null and .created_s_reason != null'
	expect_status 0 "$ONPROC" list --db "$db"
	expect_stdout_lacks ' 1970-01-01 '
}

# Clocks of reports are those of their machines: UTC is said of none that does not say so.
zones()
{
	sed 's/10:00:00 GMT 2005/10:00:00 BST 2005/' "$data/unixbench-4.txt" >bst.txt
	import_file bst.txt
	has '.[0].run.environment.imported.zone == "BST"'
	expect_status 0 "$ONPROC" show --db "$db" last
	expect_stdout_has '2005-01-03 10:00:00 BST'
	import_file "$data/unixbench-5.txt"
	has '.[0].run.environment.imported | .zone == null and has("zone")'
	expect_status 0 "$ONPROC" show --db "$db" last
	expect_stdout_has ' \(time zone unknown\)'
	expect_stdout_lacks 'UTC'
}

# A note of one copy count is not told of the others.
copies_are_named()
{
	awk '/^Pipe Throughput/ && !/samples/ { print; next }
		/^Pipe Throughput/ && n++ { sub("7 samples", "5 samples") } { print }' \
		"$data/unixbench-5.txt" >other-samples.txt
	import_file other-samples.txt
	expect_status 0 "$ONPROC" show --db "$db" last
	expect_stdout_has '^  dhry2reg, pipe \(1 copy\), context1, syscall5: imported: 10.0 s, 7 samples'
	expect_stdout_has '^  pipe \(16 copies\): imported: 10.0 s, 5 samples'
}

# Sections without a test in common have no ratio to one another, and no column for it.
no_scaling_without_a_ratio()
{
	cat >apart.txt <<-'END'
	BYTE UNIX Benchmarks (Version 5.1.3)

	Benchmark Run: Thu Apr 17 2014 04:08:10 - 04:36:14
	16 CPUs in system; running 1 parallel copy of tests

	Pipe Throughput                             2616045.2 lps   (10.0 s, 7 samples)

	Benchmark Run: Thu Apr 17 2014 04:36:14 - 05:04:22
	16 CPUs in system; running 16 parallel copies of tests

	Execl Throughput                              33540.8 lps   (29.9 s, 2 samples)
	END
	import_file apart.txt
	expect_status 0 "$ONPROC" show --db "$db" last
	expect_stdout_has '^16 copies$'
	expect_stdout_lacks scaling
	import_file "$data/unixbench-5.txt"
	expect_status 0 "$ONPROC" show --db "$db" last
	expect_stdout_has '^16 copies; scaling against 1 copy$'
	expect_stdout_has ' index scaling$'
}

again_changes_nothing()
{
	import_file "$data/unixbench.log"
	cp runs.json first.json
	expect_status 0 "$ONPROC" import --db "$db" "$data/unixbench.log"
	expect_equal 1 "$("$ONPROC" list --json --db "$db" | jq '.runs | length')" runs
}

behaviour version_3_has_the_arithmetic_mean_of_its_rows version_3
behaviour version_4_has_the_geometric_mean_of_its_ten_rows version_4
behaviour version_5_has_two_sections_in_one_run version_5
behaviour a_report_wrapped_and_quoted_by_a_mail_is_whole quoted_and_wrapped
behaviour a_capture_of_a_console_is_a_report on_a_console
behaviour zero_and_unknown_cpus_are_unknown other_counts_of_cpus
behaviour a_section_without_results_is_said an_empty_section
behaviour html_has_both_sections html
behaviour html_that_was_cut_keeps_its_whole_rows html_cut
behaviour html_that_contradicts_itself_is_said html_contradictory
behaviour csv_rows_without_graphics_do_not_shift csv
behaviour csv_rows_of_another_length_are_left_out csv_odd_row
behaviour csv_that_was_cut_in_a_number_has_none csv_cut
behaviour each_pass_of_a_log_is_a_slot log_passes
behaviour passes_of_a_log_give_the_printed_score log_score
behaviour a_log_whose_score_is_not_that_of_its_passes_says_so log_wrong_score
behaviour lines_of_the_programs_in_a_log_count_by_the_last_one log_lines_of_the_programs
behaviour a_failed_pass_of_a_log_is_a_failed_slot log_failed_pass
behaviour a_log_that_was_cut_keeps_its_whole_passes log_cut
behaviour a_file_without_anything_sound_is_refused refused
behaviour the_printed_score_is_shown the_printed_score_is_shown
behaviour every_prefix_of_a_file_is_read_without_harm every_prefix_is_read_without_harm
behaviour a_date_that_the_file_does_not_say_is_none an_unknown_date_is_none
behaviour a_clock_has_the_zone_that_its_report_says zones
behaviour notes_name_the_copies_that_they_are_of copies_are_named
behaviour copy_counts_without_a_ratio_have_no_column_for_it no_scaling_without_a_ratio
behaviour the_same_file_again_changes_nothing again_changes_nothing

plan_done
