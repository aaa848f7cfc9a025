// SPDX-License-Identifier: GPL-2.0-or-later
/* minimal-chain.c - executes itself as often as the digit in its first argument says: what execl is
 * compared with. */
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2 || argv[1][0] <= '0')
		return 0;
	argv[1][0]--;
	execv(argv[0], argv);
	return 1;
}
