#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# import-tools.sh - results of fio, hyperfine, Google Benchmark, hackbench and perf bench, whole and damaged.
. "${SOURCE:?}/tests/lib.sh"
. "$SOURCE/tests/behaviour/store/import-lib.sh"

near()
{
	has "(($1) - $2) | fabs < 1e-6 * $2"
}

fio()
{
	import_file "$data/fio.json"
	has '.[0].run.tool == "fio-3.33" and .[0].run.created_s == 1700000000'
	# jobs of one name side by side: their rates add up
	has '.[0].series[0] | .test == "fio/seq/write-bw@1" and .copies == 2 and .unit == "B/s" and .estimate.value == 1572864000'
	has '.[0].series[1] | .test == "fio/seq/write-iops@1" and .estimate.value == 384000'
	# mean latency over all operations, (7 · 512 + 10 · 256) / 768 = 8 µs, inverted
	near '.[0].series[2].estimate.value' 125000
	has '.[0].series[2].note | contains("mean latency 8e-06 s, inverted")'
	has '.[0].series[3].test == "fio/rand-read/read-bw-group1@1"'
	expect_stderr_empty
}

fio_cut()
{
	sed '/"jobname": "rand read"/q' "$data/fio.json" >cut.txt
	import_file cut.txt
	has '[.[0].series[].test] == ["fio/seq/write-bw@1", "fio/seq/write-iops@1", "fio/seq/write-lat@1"]'
	expect_stderr_has 'line [0-9]+: the document is damaged: .*; the first 2 of its "jobs" are read'
}

fio_failed()
{
	sed '0,/"error": 0/s/"error": 0/"error": 28/; s/"jobname": "rand read"/"noname": 1/' "$data/fio.json" >failed
	import_file failed
	expect_stderr_has 'job 1, "seq", ended with error 28'
	expect_stderr_has 'job 3 has no "jobname"'
	has 'all(.[0].series[]; .reason | contains("error 28"))'
}

hyperfine()
{
	import_file "$data/hyperfine.json"
	has '.[0].series[0] | .test == "hyperfine/sort-big.txt@1" and .unit == "1/s" and [.slots[].rate] == [5, 4, (1 / 0.3)]'
	has '.[0].series[0].params.command == "sort big.txt"'
	has '.[0].series[0].slots[0].length_ns == 200000000'
	has '.[0].series[0].note | contains("times in s, inverted")'
}

hyperfine_failed()
{
	import_file "$data/hyperfine.json"
	expect_stderr_has '1 of 2 runs of "sort -u big.txt" failed'
	has '.[0].series[1] | [.slots[].status] == ["ok", "failed"] and .slots[1].error == "exit status 1"'
}

hyperfine_without_times()
{
	jq 'del(.results[].times)' "$data/hyperfine.json" >mean.json
	import_file mean.json
	has '.[0].series[0] | .estimate.value == 4 and (.slots | length) == 0'
}

hyperfine_damaged()
{
	jq '.results[0].mean = 0.5 | .results[0].times[1] = -1 | .results[1].command = .results[0].command' \
		"$data/hyperfine.json" >bad.json
	import_file bad.json
	expect_stderr_has 'the mean 0\.5 s of "sort big\.txt" is not that of its 3 times'
	expect_stderr_has 'result 2 is of "sort big\.txt" again'
	has '.[0].series[0].slots[1].error == "its time is no number > 0"'
	head -c 300 "$data/hyperfine.json" >cut.txt
	refuse cut.txt 'cut\.txt:[0-9]+: expected a JSON document'
}

gbench()
{
	import_file "$data/gbench.json"
	has '.[0].run | .host == "node5" and .created_s == 1716725643'
	# 100 ns, 125 ns and 80 ns
	has '.[0].series[0] | .test == "gbench/BM_copy-8@1" and ([.slots[].rate | round] == [10000000, 8000000, 12500000])'
	# 2.5 µs: the median of repetitions that are not there
	has '.[0].series[] | select(.test == "gbench/BM_only@1") | .estimate.value - 400000 | fabs < 1e-3'
	has '.[0].series[] | select(.test == "gbench/BM_threads@1") | .copies == 4'
}

gbench_failed()
{
	import_file "$data/gbench.json"
	expect_stderr_has 'BM_broken failed: no such device'
	has '.[0].series[] | select(.test == "gbench/BM_broken@1") | .estimate.value == null and .slots[0].status == "failed" and .reason == "no such device"'
	expect_status 0 "$ONPROC" show --db "$db" last
	expect_stdout_has 'no result: no such device'
}

gbench_damaged()
{
	jq '.benchmarks[0].time_unit = "weeks" | del(.benchmarks[1].name)' "$data/gbench.json" >bad.json
	import_file bad.json
	expect_stderr_has 'BM_copy/8 failed: its real time is no number > 0 of a known unit'
	expect_stderr_has 'benchmark 2 has no name'
	echo '{"context": {}, "benchmarks": []}' >empty.json
	refuse empty.json 'empty\.json:1: the array "benchmarks" is empty'
}

hackbench()
{
	import_file "$data/hackbench.txt"
	has '[.[0].series[] | [.test, ([.slots[].rate] | map(round))]] == [["hackbench/process-g10-f40-l100-s100@1", [4, 5]], ["hackbench/threaded-g1-f40-l100-s100@1", [20]]]'
	expect_stderr_empty
}

old_hackbench()
{
	printf 'Running with 10*40 (== 400) tasks.\nTime: 0.5\nRunning with 10*40 (== 400) tasks.\nTime: 0.25\n' >old
	import_file old
	has '.[0].series[0] | .test == "hackbench/g10-t400@1" and [.slots[].rate] == [2, 4]'
}

hackbench_damaged()
{
	cat >bad <<-'END'
		Running in process mode with 10 groups using 40 file descriptors each (== 500 tasks)
		Each sender will pass 100 messages of 100 bytes
		Time: 0.000
		Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
		Each sender will pass 100 messages of 100 bytes
		Time: abc
		Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
		Each sender will pass 100 messages of 100 bytes
		Time: 0.125
		Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
	END
	import_file bad
	expect_stderr_has 'line 1: 10 groups of 40 descriptors are not 500 tasks'
	expect_stderr_has 'line 3: a time of 0 has no rate'
	expect_stderr_has 'line 6: expected "Time: SECONDS", found "Time: abc"'
	expect_stderr_has 'line 10: hackbench has no time'
	has '[.[0].series[0].slots[] | select(.status == "ok") | .rate] == [8]'
}

perf_bench()
{
	import_file "$data/perf-bench.txt"
	has '.[0].series[0] | .test == "perf-bench/sched-pipe-processes@1" and .unit == "ops/s" and [.slots[].rate] == [196404, 200000]'
	has '[.[0].series[1] | .test, .slots[0].rate, .unit] == ["perf-bench/sched-messaging-process-g10@1", 2, "1/s"]'
	has '[.[0].series[2] | .test, .slots[0].rate] == ["perf-bench/syscall-basic@1", 10000000]'
	has '[.[0].series[3:5][] | [.test, .slots[0].rate / 1073741824, .unit]] == [["perf-bench/mem-memcpy-default@1", 16, "B/s"], ["perf-bench/mem-memcpy-x86-64-movsq@1", 8, "B/s"]]'
	has '[.[0].series[5] | .test, .slots[0].rate] == ["perf-bench/futex-hash@1", 811716]'
	expect_stderr_empty
}

perf_bench_contradictory()
{
	sed 's/ 196404 ops/ 296404 ops/' "$data/perf-bench.txt" >bad
	import_file bad
	expect_stderr_has 'line 1: 1000000 operations in 5\.091 s are not 296404 a second'
}

perf_bench_cut()
{
	head -n 9 "$data/perf-bench.txt" >cut.txt
	import_file cut.txt
	expect_stderr_has 'line 8: perf bench sched/pipe has no time'
	has '.[0].series[0].slots | length == 1'
}

several_documents()
{
	cat "$data/hyperfine.json" "$data/hyperfine.json" >two.json
	import_file two.json
	has 'length == 2'
}

behaviour fio_gives_bandwidth_operations_and_latency_of_each_job fio
behaviour fio_that_was_cut_keeps_its_whole_jobs fio_cut
behaviour fio_jobs_that_failed_are_said fio_failed
behaviour each_time_of_hyperfine_is_a_slot hyperfine
behaviour hyperfine_runs_that_failed_are_failed_slots hyperfine_failed
behaviour hyperfine_without_times_has_its_mean hyperfine_without_times
behaviour hyperfine_that_contradicts_itself_is_said hyperfine_damaged
behaviour each_repetition_of_google_benchmark_is_a_slot gbench
behaviour google_benchmarks_that_failed_are_failed_slots gbench_failed
behaviour google_benchmark_that_is_damaged_is_said gbench_damaged
behaviour each_time_of_hackbench_is_a_slot hackbench
behaviour hackbench_of_the_older_form_is_read old_hackbench
behaviour hackbench_that_is_damaged_is_said hackbench_damaged
behaviour each_kind_of_perf_bench_has_its_rate perf_bench
behaviour perf_bench_that_contradicts_itself_is_said perf_bench_contradictory
behaviour perf_bench_that_was_cut_keeps_its_whole_runs perf_bench_cut
behaviour several_documents_are_several_runs several_documents

plan_done
