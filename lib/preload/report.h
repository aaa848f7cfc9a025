/* SPDX-License-Identifier: MIT */
/* report.h - the statistics of a program's locks as text or JSON. */
#ifndef ONPROC_PRELOAD_REPORT_H
#define ONPROC_PRELOAD_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/* What is written goes into memory of a fixed size; what does not fit is cut off. */
struct page {
	char *bytes;
	size_t room, used;
};

void page_add(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text from outside, "?" for what is not printable ASCII; as_json: as the inside of a string. */
void page_add_outside(struct page *page, const char *text, bool as_json);

void report_text(struct page *page);

/* One line. */
void report_json(struct page *page);

#endif
