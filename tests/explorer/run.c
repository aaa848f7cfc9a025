// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - explores one client: execution after execution, until one fails or all is done. */
#include "explorer.h"

#if defined(__SANITIZE_THREAD__)
#	define WITH_TSAN 1
#elif defined(__has_feature)
#	if __has_feature(thread_sanitizer)
#		define WITH_TSAN 1
#	endif
#endif

const char *explore_skips(void)
{
#ifdef WITH_TSAN
	return "the thread sanitizer does not follow the explorer's stacks";
#else
	return NULL;
#endif
}

enum verdict explore_client(const struct explore_options *options, int (*client)(void),
			    struct sums *sums)
{
	enum verdict verdict;
	bool again = settings.again, more;
	/* Drawn schedules are fair enough to come to an end. */
	bool bound_fails = settings.drawn;

	*sums = (struct sums){ 0 };
	search_reset(settings.seed);
	report_reset();
	if (settings.drawn)
		settings.again = true;
	do {
		verdict = execution_run(options, client);
		sums->executions++;
		sums->steps += world.event_count;
		switch (verdict) {
		case COMPLETE:
			sums->complete++;
			report_execution();
			break;
		case BOUND:
			sums->bound++;
			break;
		case FAILED:
			sums->failed++;
			break;
		default:
			sums->cut++;
		}
		if (verdict == BOUND && !bound_fails)
			verdict = CUT;
		more = verdict != FAILED && verdict != BOUND && search_next();
	} while (more && !(settings.most && sums->executions >= settings.most));
	sums->all = !settings.drawn && !more && verdict != FAILED && verdict != BOUND;
	settings.again = again;
	return verdict;
}
