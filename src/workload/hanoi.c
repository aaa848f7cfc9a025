// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hanoi.c - Recursion Test: the towers of Hanoi with 10 discs, 1023 moves.
 *
 * The pegs' heights are global, so every move is made in memory. The tower changes its side with
 * each iteration, and its height is checked after each.
 */
#include "workload/opaque.h"
#include "workload/work.h"

#include <errno.h>

#define DISCS 10
#define MOVES ((1u << DISCS) - 1)

static int height[4]; /* discs on peg 1, 2, 3; [0] is nowhere */
static unsigned int moves;

static __attribute__((noinline)) void tower_move(int discs, int from, int to)
{
	int other = 6 - from - to;

	if (discs == 1) {
		height[from]--;
		height[to]++;
		moves++;
		return;
	}
	tower_move(discs - 1, from, other);
	tower_move(1, from, to);
	tower_move(discs - 1, other, to);
}

static int hanoi_loop(struct work *work)
{
	uint64_t count = 0;

	while (!work_stopped(work)) {
		height[1] = DISCS;
		height[2] = height[3] = 0;
		moves = 0;
		tower_move(opaque_int(DISCS), 1, 3);
		if (height[1] || height[2] || height[3] != DISCS || moves != MOVES)
			return work_fail(work, -EBADMSG,
					 "%d discs on the last peg after %u moves, not %d after %u",
					 height[3], moves, DISCS, MOVES);
		work_count(work, ++count);
	}
	return 0;
}

const struct workload workload_hanoi = {
	.id = "unixbench6/hanoi@1",
	.title = "Recursion Test -- Tower of Hanoi",
	.help = "the towers of Hanoi with 10 discs: 1023 moves by recursion",
	.unit = "lps",
	.program = "hanoi",
	.file = "hanoi",
	.units_per_iteration = 1,
	.class = CLASS_CPU,
	.rate = RATE_COUNTED,
	.processes = 1,
	.classic_s = 20,
	.classic_passes = 3,
	.loop = hanoi_loop,
};
