// SPDX-License-Identifier: GPL-2.0-or-later
/* signals.c - see signals.h. */
#include "base/signals.h"

#include <stddef.h>

volatile sig_atomic_t signal_stop;

static void stop(int number)
{
	signal_stop = number;
}

void signals_install(void)
{
	/* SA_RESETHAND: a user who presses Ctrl-C twice means it. */
	struct sigaction ask = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigemptyset(&ask.sa_mask);
	sigaction(SIGINT, &ask, NULL);
	sigaction(SIGTERM, &ask, NULL);
	sigaction(SIGHUP, &ask, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}
