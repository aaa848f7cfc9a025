/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execl_chain.h - the chain of images of the execl tests: what each hands to the next one.
 *
 * An image is started with these words; numbers are decimal, unsigned, of 64 bits, times are
 * CLOCK_MONOTONIC_RAW ns. One image links libc (execl_libc.c), the other nothing
 * (execl_static_image.c); both provide the functions at the end.
 */
#ifndef ONPROC_WORKLOAD_EXECL_CHAIN_H
#define ONPROC_WORKLOAD_EXECL_CHAIN_H

#include "workload/work.h"

#define CHAIN_NUMBER_BYTES 21 /* 2^64 - 1 has 20 digits */

enum chain_word {
	CHAIN_PATH, /* of the image */
	CHAIN_TEST, /* its name, for ps(1) */
	CHAIN_COPY,
	CHAIN_COUNTER, /* images started, this one included */
	CHAIN_BEFORE,  /* of these, before the window */
	CHAIN_KEPT,    /* counter at the last image inside the window */
	CHAIN_START,   /* the window */
	CHAIN_END,
	CHAIN_FIRST, /* stamps of the first and the last image inside the window, 0: none yet */
	CHAIN_LAST,
	CHAIN_WORDS,
};

/* Becomes the first image. Returns only with a negative errno. */
int chain_start(struct work *work, const char *path, const char *test);

/* Is an image: counts itself and becomes the next one. Returns the exit code of the copy. */
int chain_go_on(char **word);

uint64_t chain_now_ns(void);
/* Into text; returns where in it the number starts. */
char *chain_number_write(uint64_t number, char text[CHAIN_NUMBER_BYTES]);
bool chain_number_read(const char *text, uint64_t *number);
/* Returns only with a negative errno. */
int chain_exec(const char *path, char **word);
/* Fills in work by the page on PAGE_FD. Returns whether that went well. */
bool chain_map(struct work *work, uint32_t copy);

#endif
