/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signals.h - the one global: which signal asked us to stop. */
#ifndef ONPROC_BASE_SIGNALS_H
#define ONPROC_BASE_SIGNALS_H

#include <signal.h>

/* 0, or SIGINT, SIGTERM or SIGHUP once it came. Another one a second later kills at once. */
extern volatile sig_atomic_t signal_stop;

/* SIGINT, SIGTERM, SIGHUP set signal_stop (no SA_RESTART); SIGPIPE and SIGXFSZ are ignored. */
void signals_install(void);

#endif
