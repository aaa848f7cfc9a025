// SPDX-License-Identifier: GPL-2.0-or-later
// probe-cxx.cc - the mutexes and conditions of C++: "PROGRAM --list", "PROGRAM NAME".
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <future>
#include <iostream>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace
{

std::mutex global; // usable before main

struct Early {
	Early()
	{
		const std::lock_guard<std::mutex> guard(global);
		seen = 1;
	}
	int seen = 0;
} early;

template <typename Lock> void count_with_threads(const char *what, Lock lock)
{
	volatile long count = 0;
	std::vector<std::thread> threads;

	threads.reserve(6);
	for (int i = 0; i < 6; i++)
		threads.emplace_back([&] {
			for (int j = 0; j < 3000; j++) {
				lock([&] { count = count + 1; });
			}
		});
	for (auto &thread : threads)
		thread.join();
	std::cout << what << ": " << count << '\n';
}

void mutexes()
{
	std::mutex plain;
	std::recursive_mutex recursive;
	std::timed_mutex timed;
	std::recursive_timed_mutex recursive_timed;

	std::cout << "before main: " << early.seen << '\n';
	count_with_threads("mutex", [&](auto body) {
		const std::lock_guard<std::mutex> guard(plain);
		body();
	});
	count_with_threads("recursive", [&](auto body) {
		const std::lock_guard<std::recursive_mutex> one(recursive);
		const std::lock_guard<std::recursive_mutex> two(recursive);
		body();
	});
	count_with_threads("timed", [&](auto body) {
		while (!timed.try_lock_for(1ms))
			;
		body();
		timed.unlock();
	});
	count_with_threads("recursive timed", [&](auto body) {
		while (!recursive_timed.try_lock_until(std::chrono::system_clock::now() + 1ms))
			;
		body();
		recursive_timed.unlock();
	});
	timed.lock();
	std::thread([&] {
		std::cout << "steady: " << timed.try_lock_for(10ms) << '\n';
		std::cout << "system: "
			  << timed.try_lock_until(std::chrono::system_clock::now() + 10ms) << '\n';
	}).join();
	timed.unlock();
}

void shared_mutexes()
{
	std::shared_mutex shared;
	std::shared_timed_mutex timed;
	volatile long seen = 0;

	count_with_threads("shared", [&](auto body) {
		{
			const std::shared_lock<std::shared_mutex> guard(shared);
			seen = 1;
		}
		const std::unique_lock<std::shared_mutex> guard(shared);
		body();
	});
	timed.lock_shared();
	std::cout << "steady: " << timed.try_lock_for(10ms) << '\n';
	std::cout << "steady read: " << timed.try_lock_shared_for(10ms) << '\n';
	std::cout << "system: " << timed.try_lock_until(std::chrono::system_clock::now() + 10ms)
		  << '\n';
	timed.unlock_shared();
	timed.unlock_shared();
}

void conditions()
{
	std::mutex mutex;
	std::condition_variable condition;
	std::condition_variable_any any;
	std::shared_mutex shared;
	bool ready = false;

	std::unique_lock<std::mutex> lock(mutex);
	std::cout << "steady: "
		  << (condition.wait_until(lock, std::chrono::steady_clock::now() + 20ms) ==
		      std::cv_status::timeout)
		  << '\n';
	std::cout << "system: "
		  << (condition.wait_until(lock, std::chrono::system_clock::now() + 20ms) ==
		      std::cv_status::timeout)
		  << '\n';
	std::cout << "for: " << condition.wait_for(lock, 20ms, [&] { return ready; }) << '\n';
	std::thread waker([&] {
		const std::lock_guard<std::mutex> guard(mutex);
		ready = true;
		condition.notify_all();
	});
	condition.wait(lock, [&] { return ready; });
	lock.unlock();
	waker.join();
	ready = false;
	std::thread other([&] {
		const std::unique_lock<std::shared_mutex> guard(shared);
		ready = true;
		any.notify_one();
	});
	{
		std::shared_lock<std::shared_mutex> reading(shared);
		any.wait(reading, [&] { return ready; });
	}
	other.join();
	std::cout << "woken\n";
}

void ends_of_threads()
{
	std::mutex mutex;
	std::condition_variable condition;
	std::unique_lock<std::mutex> lock(mutex);
	bool ready = false;

	// The thread still holds its lock when its last function has returned.
	std::thread thread([&] {
		std::unique_lock<std::mutex> inner(mutex);
		ready = true;
		std::notify_all_at_thread_exit(condition, std::move(inner));
	});
	condition.wait(lock, [&] { return ready; });
	lock.unlock();
	thread.join();
	std::cout << "ready: " << ready << '\n';
}

void futures()
{
	std::once_flag once;
	std::vector<std::future<int>> futures;
	int calls = 0, sum = 0;

	futures.reserve(20);
	for (int i = 0; i < 20; i++)
		futures.push_back(std::async(std::launch::async, [&, i] {
			std::call_once(once, [&] { calls++; });
			return i;
		}));
	for (auto &future : futures)
		sum += future.get();
	std::cout << "sum: " << sum << ", calls: " << calls << '\n';
}

const struct {
	const char *name;
	void (*run)();
} tests[] = {
	{ "cxx_mutexes", mutexes },	    { "cxx_shared_mutexes", shared_mutexes },
	{ "cxx_conditions", conditions },   { "cxx_notify_at_thread_exit", ends_of_threads },
	{ "cxx_futures_and_once", futures },
};

} // namespace

int main(int argc, char **argv)
{
	for (const auto &test : tests) {
		if (argc == 2 && !std::strcmp(argv[1], "--list"))
			std::cout << test.name << '\n';
		else if (argc == 2 && !std::strcmp(argv[1], test.name))
			return test.run(), 0;
	}
	return argc == 2 && !std::strcmp(argv[1], "--list") ? 0 : 2;
}
