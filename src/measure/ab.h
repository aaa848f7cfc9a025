/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ab.h - runs a plan with two sides: blocks ABBA or BAAB of every row, until each is decided.
 */
#ifndef ONPROC_MEASURE_AB_H
#define ONPROC_MEASURE_AB_H

#include "measure/bench.h"

/*
 * As bench_run(), for a plan with sides. Slots of side A and B are in series of these sides and
 * carry their block. A block in which a slot fails does not count; a row with two such is given up,
 * and the rest goes on. A block with external evidence is repeated whole. Every slot that counts in
 * the end is in a complete block.
 *
 * -EBADMSG or -ESTALE when the machine could not be switched, or not be put back: what was measured
 * stays. In any case side A's setup, or what is to restore, has been run before it returns.
 */
int ab_run(const struct bench_request *request, struct run *run, struct error *err);

#endif
