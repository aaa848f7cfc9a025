/* SPDX-License-Identifier: MIT */
/* osq.h - the optimistic spin queue as the mutex and the rwsem embed it. See osq.c. */
#ifndef ONPROC_LIB_OSQ_H
#define ONPROC_LIB_OSQ_H

#include "machine/machine.h"

/* As onproc_osq_lock(); self is m_self() and not M_NO_SLOT. */
bool osq_lock(uint16_t *tail, uint32_t self, struct m_spin *spin);
void osq_unlock(uint16_t *tail, uint32_t self);

#endif
