// SPDX-License-Identifier: GPL-2.0-or-later
/* probe-static.c - a program that is linked statically: no library can be put before it. */

int main(void)
{
	return 0;
}
