/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_adapter.h - ready-made metrics of well-known benchmarks.
 */
#ifndef ONPROC_MEASURE_COMMAND_ADAPTER_H
#define ONPROC_MEASURE_COMMAND_ADAPTER_H

struct adapter {
	const char *name;
	const char *program; /* first word of a command it is for, without directories */
	const char *word;    /* that must be among the others, NULL: none */
	const char *metric;  /* see command_metric.h */
	const char *help;    /* what the command must be told */
};

extern const struct adapter adapters[];	  /* ended by a NULL name */
extern const char *const adapter_names[]; /* NULL-terminated */

const struct adapter *adapter_find(const char *name); /* NULL: none */

/* By the words of the command; variables set before the program are passed over. NULL: none. */
const struct adapter *adapter_for(const char *command);

#endif
