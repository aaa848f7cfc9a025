/* SPDX-License-Identifier: MIT */
/*
 * mutex_owner.h - who owns the client's `mutex`, for the explorer. Included behind it.
 */
#ifndef ONPROC_MODEL_MUTEX_OWNER_H
#define ONPROC_MODEL_MUTEX_OWNER_H

#ifdef ONPROC_MACHINE_CHECK
/* Slots are numbers of threads here. */
static inline unsigned int mutex_owner(void)
{
	uint32_t owner = owner_of((uint32_t)PEEK(&mutex.word));

	return owner ? owner - 1 : 0;
}
#endif

#endif
