/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compile_source.h - the C program that the compiler test compiles, and what it prints. */
#ifndef ONPROC_WORKLOAD_COMPILE_SOURCE_H
#define ONPROC_WORKLOAD_COMPILE_SOURCE_H

extern const char compile_source[];
extern const char compile_answer[];

#endif
