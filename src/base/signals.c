// SPDX-License-Identifier: GPL-2.0-or-later
/* signals.c - see signals.h. */
#include "base/signals.h"

#include "base/clock.h"

#include <stddef.h>

/* Two signals closer than this are one wish: timeout(1) signals the process and then its group. */
#define ONE_WISH_NS NS_PER_S

volatile sig_atomic_t signal_stop;
static uint64_t stopped_ns;

static void stop(int number)
{
	uint64_t now_ns = clock_raw_ns();

	if (signal_stop && now_ns - stopped_ns > ONE_WISH_NS) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	if (!signal_stop)
		stopped_ns = now_ns;
	signal_stop = number;
}

void signals_install(void)
{
	struct sigaction ask = { .sa_handler = stop };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, hang_up;

	sigemptyset(&ask.sa_mask);
	/* One at a time: stopped_ns is theirs alone. */
	sigaddset(&ask.sa_mask, SIGINT);
	sigaddset(&ask.sa_mask, SIGTERM);
	sigaddset(&ask.sa_mask, SIGHUP);
	sigaction(SIGINT, &ask, NULL);
	sigaction(SIGTERM, &ask, NULL);
	/* nohup(1) wants it ignored. */
	if (!sigaction(SIGHUP, NULL, &hang_up) && hang_up.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &ask, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL); /* past `ulimit -f` a write then fails, with a message */
}
