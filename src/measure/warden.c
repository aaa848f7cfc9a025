// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * warden.c - see warden.h.
 *
 * Everything below warden_main() runs in the warden, a fork of the harness that never returns,
 * never prints and touches none of the harness's objects but the board.
 */
#include "measure/warden.h"

#include "base/clock.h"
#include "base/remove_tree.h"
#include "measure/descendants.h"
#include "measure/priority.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload/page.h"

#define CLOSE_MOST	 65536		 /* descriptors that are closed one by one */
#define KILL_PATIENCE_NS (15 * NS_PER_S) /* > the 10 s after which descendants_kill() gives up */

static size_t board_bytes(uint32_t copies)
{
	return sizeof(struct warden_board) + copies * sizeof(struct warden_copy);
}

static void board_fail(struct warden_board *board, int code, const char *what)
{
	board->code = code;
	snprintf(board->text, sizeof(board->text), "%s: %s", what, strerror(-code));
	atomic_store_explicit(&board->failed, 1, memory_order_release);
}

/*
 * Keeps the page, on PAGE_FD, and the standard output of the copies, and closes the rest: a warden
 * that still held the journal of the run would keep it locked for as long as it cleans up after a
 * harness that was killed.
 */
static int descriptors_close(int page_fd, int stdout_fd)
{
	struct rlimit open_files = { .rlim_cur = 1024 };

	if (stdout_fd >= 0 && dup2(stdout_fd, STDOUT_FILENO) < 0)
		return -errno;
	if (page_fd < 0)
		close(PAGE_FD);
	else if (page_fd == PAGE_FD ? fcntl(PAGE_FD, F_SETFD, 0) < 0 : dup2(page_fd, PAGE_FD) < 0)
		return -errno;
	if (!syscall(SYS_close_range, PAGE_FD + 1, ~0u, 0))
		return 0;
	/* Before Linux 5.9. */
	getrlimit(RLIMIT_NOFILE, &open_files);
	for (int fd = PAGE_FD + 1; (rlim_t)fd < open_files.rlim_cur && fd < CLOSE_MOST; fd++)
		close(fd);
	return 0;
}

/* What every copy of the slot inherits besides the page: 0 /dev/null, 1 that too or what was asked
 * for, 2 the pipe. */
static int descriptors_set(int stderr_fd, bool has_stdout)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, 0) < 0 || (!has_stdout && dup2(null, 1) < 0) ||
	    dup2(stderr_fd, 2) < 0)
		return -errno;
	close(null);
	close(stderr_fd);
	return 0;
}

/* All that a copy needs between vfork() and exec, made before: there it may only call the kernel.
 */
struct launch {
	const char *program;
	char *const *argv, *const *environment;
	cpu_set_t *cpus; /* NULL: not pinned */
	size_t cpus_bytes;
	pid_t warden;
	int *failed; /* errno of what kept the copy from starting, on the board */
};

static void __attribute__((noreturn)) copy_exec(struct launch *launch)
{
	sigset_t none;

	sigemptyset(&none);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != launch->warden)
		_exit(127);
	if (launch->cpus && sched_setaffinity(0, launch->cpus_bytes, launch->cpus)) {
		*launch->failed = errno;
		_exit(127);
	}
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(launch->program, launch->argv, launch->environment);
	*launch->failed = errno;
	_exit(127);
}

static pid_t __attribute__((noinline)) copy_vfork(struct launch *launch)
{
	/* A fork would copy the page tables of the warden for each of a thousand copies. */
	pid_t child = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */

	if (!child)		   /* copy_exec() calls the kernel alone */
		copy_exec(launch); /* NOLINT(clang-analyzer-unix.Vfork) */
	return child;
}

static int copy_start(const struct warden_request *request, struct warden_board *board,
		      uint32_t number)
{
	char text[16];
	char *argv[4] = { (char *)(uintptr_t)request->program, (char *)(uintptr_t)request->test,
			  text, NULL };
	struct launch launch = { .program = request->program,
				 .argv = request->argv ? request->argv : argv,
				 .environment = request->environment,
				 .warden = getpid(),
				 .failed = &board->exec_errno };
	int cpu = request->cpu ? request->cpu[number] : -1;
	pid_t child;

	snprintf(text, sizeof(text), "%u", number);
	if (cpu >= 0) {
		launch.cpus = CPU_ALLOC((size_t)cpu + 1);
		if (!launch.cpus)
			return -ENOMEM;
		launch.cpus_bytes = CPU_ALLOC_SIZE((size_t)cpu + 1);
		CPU_ZERO_S(launch.cpus_bytes, launch.cpus);
		CPU_SET_S((size_t)cpu, launch.cpus_bytes, launch.cpus);
	}
	board->exec_errno = 0;
	board->copy[number].start_ns = clock_raw_ns();
	child = copy_vfork(&launch);
	if (child < 0)
		*launch.failed = errno;
	else
		board->copy[number].pid = child; /* also when exec failed: it must be reaped */
	CPU_FREE(launch.cpus);
	return -*launch.failed;
}

static uint64_t time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_usec * 1000;
}

/* Waits for every child that has ended and writes down how. */
static void copies_reap(struct warden_board *board, uint32_t copies)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		for (uint32_t i = 0; i < copies; i++) {
			struct warden_copy *copy = &board->copy[i];

			if (copy->pid != pid ||
			    atomic_load_explicit(&copy->ended, memory_order_relaxed))
				continue;
			copy->status = status;
			copy->end_ns = clock_raw_ns();
			copy->user_ns = time_ns(&usage.ru_utime);
			copy->system_ns = time_ns(&usage.ru_stime);
			copy->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
			copy->voluntary = (uint64_t)usage.ru_nvcsw;
			copy->involuntary = (uint64_t)usage.ru_nivcsw;
			atomic_store_explicit(&copy->ended, 1, memory_order_release);
			atomic_fetch_add_explicit(&board->ended, 1, memory_order_release);
			break;
		}
	}
}

static void tail_read(struct warden_board *board, int fd)
{
	char bytes[WARDEN_TAIL_BYTES];
	ssize_t got;

	while ((got = read(fd, bytes, sizeof(bytes))) > 0) {
		uint32_t used = atomic_load_explicit(&board->tail_used, memory_order_relaxed);

		for (ssize_t i = 0; i < got; i++)
			board->tail[(used + (uint32_t)i) % WARDEN_TAIL_BYTES] = bytes[i];
		atomic_store_explicit(&board->tail_used, used + (uint32_t)got,
				      memory_order_release);
	}
}

static void copies_watch(struct warden_board *board, uint32_t copies, int signals, int tail)
{
	struct pollfd ready[2] = { { .fd = signals, .events = POLLIN },
				   { .fd = tail, .events = POLLIN } };

	while (atomic_load_explicit(&board->ended, memory_order_relaxed) <
	       atomic_load_explicit(&board->started, memory_order_relaxed)) {
		if (poll(ready, 2, -1) < 0)
			continue;
		if (ready[1].revents)
			tail_read(board, tail);
		if (ready[0].revents) {
			struct signalfd_siginfo came;

			while (read(signals, &came, sizeof(came)) == sizeof(came)) {
				if (came.ssi_signo == SIGTERM)
					return; /* from the harness, or from its death */
			}
			copies_reap(board, copies);
		}
	}
}

static void __attribute__((noreturn))
warden_main(const struct warden_request *request, struct warden_board *board, pid_t harness)
{
	int tail[2] = { -1, -1 }, signals = -1, rc;
	sigset_t mask;

	/*
	 * A copy must see neither the harness's signals nor a real-time policy, its own (reset on
	 * fork) or that of whoever started it: busy copies on every CPU would lock up the machine.
	 */
	priority_drop();
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_NAME, "onproc-warden");

	if (getppid() != harness)
		goto out; /* it died before the parent-death signal was set */
	rc = descriptors_close(request->page_fd, request->stdout_fd);
	signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (rc || signals < 0 || pipe2(tail, O_CLOEXEC) ||
	    fcntl(tail[0], F_SETFL, O_NONBLOCK) < 0) {
		board_fail(board, rc ? rc : -errno, "preparing the copies");
		goto out;
	}
	if (request->scratch && chdir(request->scratch)) {
		board_fail(board, -errno, request->scratch);
		goto out;
	}
	rc = descriptors_set(tail[1], request->stdout_fd >= 0);
	if (rc) {
		board_fail(board, rc, "preparing the copies' descriptors");
		goto out;
	}
	for (uint32_t i = 0; i < request->copies; i++) {
		rc = copy_start(request, board, i);
		if (board->copy[i].pid)
			atomic_fetch_add_explicit(&board->started, 1, memory_order_release);
		if (rc) {
			board_fail(board, rc,
				   board->copy[i].pid ? request->program : "starting a copy");
			goto out;
		}
	}
	copies_watch(board, request->copies, signals, tail[0]);
	tail_read(board, tail[0]);
out:
	copies_reap(board, request->copies);
	atomic_store_explicit(&board->cleaning, 1, memory_order_release);
	descendants_kill(getpid());
	if (request->scratch && chdir("/") == 0)
		remove_tree(request->scratch);
	_exit(0);
}

int warden_prepare(struct error *err)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return error_errno(err, -errno, "becoming the subreaper of the copies");
	return 0;
}

int warden_start(struct warden *warden, const struct warden_request *request, struct error *err)
{
	pid_t harness = getpid();
	int rc;

	memset(warden, 0, sizeof(*warden));
	warden->pidfd = -1;
	warden->copies = request->copies;
	warden->scratch = request->scratch ? strdup(request->scratch) : NULL;
	if (request->scratch && !warden->scratch)
		return error_errno(err, -ENOMEM, "starting the copies");
	warden->board = mmap(NULL, board_bytes(request->copies), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (warden->board == MAP_FAILED) {
		warden->board = NULL;
		return error_errno(err, -ENOMEM, "memory for %u copies", request->copies);
	}
	warden->pid = fork();
	if (!warden->pid)
		warden_main(request, warden->board, harness);
	if (warden->pid < 0) {
		rc = -errno;
		warden->pid = 0;
		return error_errno(err, rc, "starting a process to watch over the copies");
	}
	setpgid(warden->pid, warden->pid); /* in both, so that neither has to wait for the other */
	warden->pidfd = (int)syscall(SYS_pidfd_open, warden->pid, 0);
	return 0;
}

/* Waits for the warden's end. Returns true when it is reaped. */
static bool warden_wait(struct warden *warden, uint64_t patience_ns)
{
	uint64_t deadline_ns = clock_raw_ns() + patience_ns;

	for (;;) {
		uint64_t now_ns = clock_raw_ns();
		struct pollfd ready = { .fd = warden->pidfd, .events = POLLIN };

		if (waitpid(warden->pid, NULL, WNOHANG) == warden->pid)
			return true;
		if (now_ns >= deadline_ns)
			return false;
		/* Without pidfd_open (before Linux 5.3) this polls every 2 ms. */
		poll(&ready, warden->pidfd >= 0,
		     warden->pidfd >= 0 ? (int)((deadline_ns - now_ns) / NS_PER_MS) + 1 : 2);
	}
}

void warden_finish(struct warden *warden, uint64_t patience_ns)
{
	if (!warden->pid)
		return;
	if (!warden_wait(warden, patience_ns)) {
		kill(warden->pid, SIGTERM);
		if (!warden_wait(warden, KILL_PATIENCE_NS)) {
			kill(warden->pid, SIGKILL);
			waitpid(warden->pid, NULL, 0);
		}
	}
	/* Nothing is left to do for these two unless the warden was killed. */
	descendants_kill(warden->pid);
	if (warden->scratch)
		remove_tree(warden->scratch);
	if (warden->pidfd >= 0)
		close(warden->pidfd);
	warden->pidfd = -1;
	warden->pid = 0;
}

void warden_free(struct warden *warden)
{
	if (warden->board)
		munmap(warden->board, board_bytes(warden->copies));
	free(warden->scratch);
	memset(warden, 0, sizeof(*warden));
}

bool warden_has_ended(const struct warden *warden)
{
	siginfo_t ended = { 0 };

	return waitid(P_PID, (id_t)warden->pid, &ended, WEXITED | WNOHANG | WNOWAIT) ||
	       ended.si_pid == warden->pid;
}

bool warden_is_broken(const struct warden *warden, const char **what)
{
	if (atomic_load_explicit(&warden->board->ended, memory_order_acquire)) {
		*what = "a copy ended before it was told to";
		return true;
	}
	/* Asked of the kernel: a warden that was killed writes nothing down. */
	if (atomic_load_explicit(&warden->board->cleaning, memory_order_acquire) ||
	    warden_has_ended(warden)) {
		*what = "the process that watches over the copies was killed";
		return true;
	}
	return false;
}

void warden_tail(const struct warden *warden, char *text, size_t bytes)
{
	uint32_t used, have, at = 0;

	text[0] = 0;
	if (!warden->board)
		return;
	used = atomic_load_explicit(&warden->board->tail_used, memory_order_acquire);
	have = used < WARDEN_TAIL_BYTES ? used : WARDEN_TAIL_BYTES;
	if (have > bytes - 1)
		have = (uint32_t)bytes - 1;
	for (uint32_t i = used - have; i != used; i++) {
		unsigned char byte = (unsigned char)warden->board->tail[i % WARDEN_TAIL_BYTES];

		if (byte == '\n')
			byte = ' ';
		text[at++] = byte < 0x20 || byte == 0x7f ? '?' : (char)byte;
	}
	while (at && text[at - 1] == ' ')
		at--;
	text[at] = 0;
}
