// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * execl_static_image.c - the image of execl-static: system calls by instruction, no libc, no
 * relocation.
 *
 * Built with -nostdlib -static -no-pie. The clock is read by a system call: the vDSO would have to
 * be searched for its symbol in every image.
 */
#include "base/clock.h"
#include "workload/execl_chain.h"

#include <asm/unistd.h>
#include <errno.h>
#include <sys/mman.h>

#if defined(__x86_64__)

__asm__(".globl _start\n"
	"_start:\n"
	"	xor %ebp, %ebp\n"
	"	mov %rsp, %rdi\n"
	"	and $-16, %rsp\n"
	"	call image_start\n");

static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

__asm__(".globl _start\n"
	"_start:\n"
	"	mov x29, #0\n"
	"	mov x30, #0\n"
	"	mov x0, sp\n"
	"	bl image_start\n");

static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#endif

static char **environment;

void image_start(long *stack) __attribute__((noreturn, used));

uint64_t chain_now_ns(void)
{
	struct timespec now = { 0 };

	system_call(__NR_clock_gettime, CLOCK_MONOTONIC_RAW, (long)&now, 0, 0, 0, 0);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

char *chain_number_write(uint64_t number, char text[CHAIN_NUMBER_BYTES])
{
	char *at = text + CHAIN_NUMBER_BYTES - 1;

	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	return at;
}

bool chain_number_read(const char *text, uint64_t *number)
{
	*number = 0;
	if (!*text)
		return false;
	for (; *text; text++)
		if (*text < '0' || *text > '9' || __builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*text - '0'), number))
			return false;
	return true;
}

int chain_exec(const char *path, char **word)
{
	return (int)system_call(__NR_execve, (long)path, (long)word, (long)environment, 0, 0, 0);
}

static struct page *map(size_t bytes)
{
	long at = system_call(__NR_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			      PAGE_FD, 0);

	return at < 0 && at > -4096 ? NULL : (struct page *)at;
}

/* The starter has checked the page; its size follows from the number of copies in its first bytes.
 */
bool chain_map(struct work *work, uint32_t copy)
{
	struct page *page = map(sizeof(*page));
	uint32_t copies = page ? page->copies : 0;

	if (copy >= copies || page->magic != PAGE_MAGIC)
		return false;
	page = map(page_bytes(copies, 0));
	if (!page)
		return false;
	work->page = page;
	work->line = page_line(page, copy);
	work->copy = copy;
	return true;
}

void image_start(long *stack)
{
	char **word = (char **)(stack + 1);
	int code = 2;

	environment = word + stack[0] + 1;
	if (stack[0] == CHAIN_WORDS)
		code = chain_go_on(word);
	for (;;)
		system_call(__NR_exit_group, code, 0, 0, 0, 0, 0);
}
