// SPDX-License-Identifier: GPL-2.0-or-later
/* probe-many.c - locks ten thousand mutexes once each. */
#include <pthread.h>

static pthread_mutex_t mutexes[10000];

int main(void)
{
	for (int i = 0; i < 10000; i++) {
		if (pthread_mutex_lock(&mutexes[i]) || pthread_mutex_unlock(&mutexes[i]))
			return 1;
	}
	return 0;
}
