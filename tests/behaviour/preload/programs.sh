#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# programs.sh - programs that nobody here wrote give right results with our locks, under load.
#
# Each counts its locks, by which it is known that they were ours.
. "${SOURCE:?}/tests/lib.sh"
need_tool jq python3

under=("$ONPROC" run --json --output "$TMPDIR/locks" --)

# The program, by its name, has got this many locks of ours at least.
locks_were_ours()
{
	local acquired

	acquired=$(jq -s --arg program "$1" \
		'[.[] | select(.program | startswith($program)) | .locks[].acquired] | add // 0' locks)
	[ "$acquired" -ge "$2" ] || fail "$2 acquisitions in $1 or more" "$acquired"
	rm -f locks
}

stop_server()
{
	kill -TERM "$BACKGROUND"
	wait_until eval '! kill -0 "$BACKGROUND"'
}

# 8 threads write, read back and count up; what they read must be what they wrote.
memcached_load()
{
	cat >load.py <<-'END'
		import socket, sys, threading
		failed = []
		def client(me):
		    try:
		        stream = socket.socket(socket.AF_UNIX)
		        stream.connect("memcached.sock")
		        file = stream.makefile("rwb")
		        for i in range(250):
		            value = b"%d-%d" % (me, i) * 20
		            file.write(b"set k%d-%d 0 0 %d\r\n%s\r\n" % (me, i % 50, len(value), value))
		            file.write(b"get k%d-%d\r\nincr all 1\r\n" % (me, i % 50))
		            file.flush()
		            answers = [file.readline() for _ in range(5)]
		            assert answers[0] == b"STORED\r\n" and answers[2] == value + b"\r\n", answers
		            assert answers[4].strip().isdigit(), answers
		    except BaseException as error:
		        failed.append(repr(error))
		first = socket.socket(socket.AF_UNIX)
		first.connect("memcached.sock")
		first.sendall(b"set all 0 0 1\r\n0\r\n")
		assert first.recv(100) == b"STORED\r\n"
		threads = [threading.Thread(target=client, args=(i,)) for i in range(8)]
		[thread.start() for thread in threads]
		[thread.join() for thread in threads]
		first.sendall(b"get all\r\n")
		print(first.recv(100).split()[4].decode(), *failed)
	END
	background "${under[@]}" memcached -t 4 -s memcached.sock -u "$(id -un)"
	wait_until test -S memcached.sock
	expect_status 0 python3 load.py
	expect_stdout_is 2000
	stop_server
	locks_were_ours memcached 4000
}

memcached()
{
	need_tool memcached
	memcached_load
}
behaviour memcached_under_load memcached

redis()
{
	need_tool redis-server redis-benchmark redis-cli
	background "${under[@]}" redis-server --port 0 --unixsocket "$TMPDIR/redis.sock" --save '' \
		--io-threads 4 --io-threads-do-reads yes
	wait_until redis-cli -s redis.sock ping
	expect_status 0 redis-benchmark -s redis.sock -n 10000 -c 20 -P 8 -q -t incr,lpush,set
	expect_equal 10000 "$(redis-cli -s redis.sock get counter:__rand_int__)" 'the counter'
	expect_equal 10000 "$(redis-cli -s redis.sock llen mylist)" 'length of the list'
	redis-cli -s redis.sock shutdown nosave || true
	wait_until eval '! kill -0 "$BACKGROUND"'
	locks_were_ours redis 10
}
behaviour redis_with_io_threads_under_load redis

sqlite()
{
	python3 -c 'import sqlite3' 2>/dev/null || skip 'python3 has no sqlite3'
	cat >load.py <<-'END'
		import sqlite3, threading
		shared = sqlite3.connect("data.db", check_same_thread=False, isolation_level=None)
		assert sqlite3.threadsafety != 0
		shared.execute("pragma synchronous = off")
		shared.execute("create table t (who integer, what integer, unique (who, what))")
		def write(me):
		    for i in range(200):
		        shared.execute("insert into t values (?, ?)", (me, i))
		        shared.execute("select count(*) from t where who = ?", (me,)).fetchone()
		threads = [threading.Thread(target=write, args=(i,)) for i in range(8)]
		[thread.start() for thread in threads]
		[thread.join() for thread in threads]
		print(*shared.execute("select count(*), sum(what) from t").fetchone())
		print(*shared.execute("pragma integrity_check").fetchone())
	END
	expect_status 0 "${under[@]}" python3 load.py
	# 8 threads, 0 + … + 199 each
	expect_stdout_is $'1600 159200\nok'
	locks_were_ours python 10000
}
behaviour sqlite_in_several_threads sqlite

sysbench_threads()
{
	need_tool sysbench
	expect_status 0 "${under[@]}" sysbench threads --threads=8 --thread-locks=2 \
		--thread-yields=20 --events=2000 --time=0 run
	expect_stdout_has 'total number of events: +2000$'
	locks_were_ours sysbench 2000
}
behaviour sysbench_threads sysbench_threads

sysbench_mutex()
{
	need_tool sysbench
	expect_status 0 "${under[@]}" sysbench mutex --threads=8 --mutex-num=2 --mutex-locks=3000 \
		--mutex-loops=50 run
	expect_stdout_has 'total number of events: +8$'
	locks_were_ours sysbench 24000
}
behaviour sysbench_mutex sysbench_mutex

stress_ng()
{
	need_tool stress-ng
	# So many that the first instance is not done before the second one has begun: that fails.
	expect_status 0 "${under[@]}" stress-ng --mutex 2 --mutex-ops 2000000 --pthread 1 \
		--pthread-ops 200 --verify --metrics-brief --temp-path "$TMPDIR"
	expect_stderr_lacks 'fail'
	locks_were_ours stress-ng 100
}
behaviour stress_ng_mutex_and_threads_verified stress_ng

make_text()
{
	seq 1 400000 >text
}

compresses()
{
	local tool=$1 suffix=$2 unpack=$3

	need_tool "$tool" "$unpack"
	make_text
	expect_status 0 "${under[@]}" "$tool" -p4 -k text
	"$unpack" -dc "text.$suffix" >unpacked
	cmp text unpacked
	locks_were_ours "$tool" 20
	expect_status 0 "${under[@]}" "$tool" -p4 -dc "text.$suffix"
	cmp text "$STDOUT"
}
behaviour pbzip2_compresses_and_unpacks compresses pbzip2 bz2 bzip2
behaviour pigz_compresses_and_unpacks compresses pigz gz gzip

nginx_aio()
{
	need_tool nginx
	make_text
	cat >nginx.conf <<-END
		daemon off; worker_processes 2; pid $TMPDIR/nginx.pid; error_log $TMPDIR/error.log;
		user $(id -un) $(id -gn);
		thread_pool default threads=8;
		events { worker_connections 64; }
		http {
			access_log off; aio threads; sendfile off; output_buffers 2 16k;
			client_body_temp_path $TMPDIR/a; proxy_temp_path $TMPDIR/b;
			fastcgi_temp_path $TMPDIR/c; uwsgi_temp_path $TMPDIR/d; scgi_temp_path $TMPDIR/e;
			server { listen unix:$TMPDIR/nginx.sock; root $TMPDIR; }
		}
	END
	cat >load.py <<-'END'
		import hashlib, socket, threading
		want = hashlib.sha256(open("text", "rb").read()).digest()
		right = []
		def fetch():
		    for _ in range(5):
		        stream = socket.socket(socket.AF_UNIX)
		        stream.connect("nginx.sock")
		        stream.sendall(b"GET /text HTTP/1.0\r\n\r\n")
		        answer = b"".join(iter(lambda: stream.recv(1 << 16), b""))
		        body = answer[answer.index(b"\r\n\r\n") + 4:]
		        right.append(hashlib.sha256(body).digest() == want)
		threads = [threading.Thread(target=fetch) for _ in range(8)]
		[thread.start() for thread in threads]
		[thread.join() for thread in threads]
		print(sum(right))
	END
	background "${under[@]}" nginx -e "$TMPDIR/error.log" -p "$TMPDIR" -c "$TMPDIR/nginx.conf"
	wait_until test -S nginx.sock
	expect_status 0 python3 load.py
	expect_stdout_is 40
	stop_server
	locks_were_ours nginx 100
}
behaviour nginx_with_a_pool_of_threads nginx_aio

python_threads()
{
	cat >load.py <<-'END'
		import concurrent.futures, queue, threading
		jobs, done = queue.Queue(8), queue.Queue()
		def work():
		    while (job := jobs.get()) is not None:
		        done.put(job * 2)
		threads = [threading.Thread(target=work) for _ in range(6)]
		[thread.start() for thread in threads]
		for i in range(4000):
		    jobs.put(i)
		for _ in threads:
		    jobs.put(None)
		[thread.join(60) for thread in threads]
		print(sum(done.get() for _ in range(4000)), done.empty())
		barrier = threading.Barrier(6)
		with concurrent.futures.ThreadPoolExecutor(6) as pool:
		    print(sorted(pool.map(lambda i: (barrier.wait(60), i)[1], range(6))))
		condition, event = threading.Condition(), threading.Event()
		print(event.wait(0.02), condition.acquire() and condition.wait(0.02))
	END
	expect_status 0 "${under[@]}" python3 load.py
	# 2 × (0 + … + 3999)
	expect_stdout_is $'15996000 True\n[0, 1, 2, 3, 4, 5]\nFalse False'
	locks_were_ours python 1000
}
behaviour python_threads python_threads

plan_done
