/* SPDX-License-Identifier: MIT */
/* osq.h - the optimistic spin queue as the mutex and the rwsem embed it. See osq.c. */
#ifndef ONPROC_LIB_OSQ_H
#define ONPROC_LIB_OSQ_H

#include "machine/machine.h"
#include "slot.h"

/* As onproc_osq_lock(); self is m_self() and not M_NO_SLOT. */
bool osq_lock(uint16_t *tail, uint32_t self, struct m_spin *spin);
void osq_unlock(uint16_t *tail, uint32_t self);

/* For a forked child: the thread of this node, which is part of a queue, does not exist any more.
 */
void osq_node_is_gone(struct osq_node *node);

#endif
