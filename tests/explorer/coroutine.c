// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * coroutine.c - the stacks that the client's threads run on, and the switch between them.
 *
 * swapcontext() asks the kernel for the signal mask at each switch, and an execution is hundreds
 * of switches: so a few instructions for each of the two architectures. A coroutine is abandoned
 * where it stands when its execution ends, and its stack is used again.
 */
#include "explorer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#	define WITH_ASAN 1
#elif defined(__has_feature)
#	if __has_feature(address_sanitizer)
#		define WITH_ASAN 1
#	endif
#endif
#ifdef WITH_ASAN
#	include <sanitizer/asan_interface.h>
#	include <sanitizer/common_interface_defs.h>
#endif

#define STACK_BYTES ((size_t)256 * 1024)

struct coroutine {
	void *stack_pointer;
	char *stack; /* lowest byte; NULL: that of the process */
	const void *bottom;
	size_t bytes;
	void *fake;
	void (*entry)(void);
};

static struct coroutine coroutines[THREADS + 1];
static struct coroutine *arriving, *leaving;

/* Saves the registers that a call keeps, and the stack pointer in *from; goes to that of `to`. */
void coroutine_registers(void **from, void *to);

#if defined(__x86_64__)
#	define SAVED_WORDS 6
__asm__(".text\n"
	".globl coroutine_registers\n"
	".type coroutine_registers, @function\n"
	"coroutine_registers:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size coroutine_registers, .-coroutine_registers\n");
#elif defined(__aarch64__)
#	define SAVED_WORDS 20
__asm__(".text\n"
	".globl coroutine_registers\n"
	".type coroutine_registers, %function\n"
	"coroutine_registers:\n"
	"	sub sp, sp, #160\n"
	"	stp x19, x20, [sp, #0]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #160\n"
	"	ret\n"
	".size coroutine_registers, .-coroutine_registers\n");
#else
/* cppcheck-suppress preprocessorErrorDirective */
#	error "the explorer knows x86-64 and arm64"
#endif

/* Told to the address sanitizer after each arrival on another stack. */
static void arrived(void)
{
#ifdef WITH_ASAN
	const void *bottom;
	size_t bytes;

	__sanitizer_finish_switch_fiber(arriving->fake, &bottom, &bytes);
	if (!leaving->stack) {
		leaving->bottom = bottom;
		leaving->bytes = bytes;
	}
#endif
}

static void start(void)
{
	arrived();
	arriving->entry();
	abort(); /* a thread ends by a last switch */
}

void coroutine_prepare(unsigned int number, void (*entry)(void))
{
	struct coroutine *coroutine = &coroutines[number];
	void **top;

	if (!coroutine->stack) {
		coroutine->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (coroutine->stack == MAP_FAILED)
			abort();
	}
	coroutine->entry = entry;
	coroutine->bottom = coroutine->stack;
	coroutine->bytes = STACK_BYTES;
	coroutine->fake = NULL;
#ifdef WITH_ASAN
	/* What frames that were abandoned have poisoned. */
	__asan_unpoison_memory_region(coroutine->stack, STACK_BYTES);
#endif
	top = (void **)(void *)(coroutine->stack + STACK_BYTES);
#if defined(__x86_64__)
	*--top = NULL; /* the address that start() would return to */
	*--top = (void *)start;
	top -= SAVED_WORDS;
	memset(top, 0, SAVED_WORDS * sizeof(*top));
#else
	top -= SAVED_WORDS;
	memset(top, 0, SAVED_WORDS * sizeof(*top));
	top[11] = (void *)start; /* x30 */
#endif
	coroutine->stack_pointer = top;
}

void coroutine_switch(unsigned int from, unsigned int to)
{
	leaving = &coroutines[from];
	arriving = &coroutines[to];
#ifdef WITH_ASAN
	__sanitizer_start_switch_fiber(&leaving->fake, arriving->bottom, arriving->bytes);
#endif
	coroutine_registers(&leaving->stack_pointer, arriving->stack_pointer);
	arrived();
}
