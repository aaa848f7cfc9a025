// SPDX-License-Identifier: GPL-2.0-or-later
/* embed.c - embed FILE NAME: for the build; prints a header with the bytes of FILE as an array. */
#include <stdio.h>

int main(int argc, char **argv)
{
	FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
	int byte, count = 0;

	if (!in)
		return 1;
	printf("static const unsigned char %s[] __attribute__((aligned(16))) = {", argv[2]);
	while ((byte = getc(in)) != EOF)
		printf("%s%d,", count++ % 20 ? " " : "\n\t", byte);
	printf("\n};\n");
	fclose(in);
	return ferror(stdout) || !count;
}
