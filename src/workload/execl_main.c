// SPDX-License-Identifier: GPL-2.0-or-later
/* execl_main.c - main() of the program that is both the starter and the image of the execl test. */
#include "workload/execl_chain.h"

/* UnixBench's image has as much data that it never touches. */
__attribute__((used)) static char ballast[8192];

extern const struct workload workload_execl;
static const struct workload *const table[] = { &workload_execl, NULL };

int main(int argc, char **argv)
{
	if (argc == CHAIN_WORDS)
		return chain_go_on(argv);
	return work_main(argc, argv, table);
}
