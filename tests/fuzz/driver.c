// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * driver.c - runs a target over every file of a directory, for builds without libFuzzer. A finding
 * goes into the corpus, and stays found.
 */
#include "base/file.h"
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_BYTES ((size_t)1 << 24)

static int run_file(const char *directory, const char *name)
{
	struct error err = { 0 };
	char path[4096], *bytes;
	size_t count;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	if (file_read(path, INPUT_BYTES, &bytes, &count, &err)) {
		printf("Bail out! %s\n", err.text);
		return 1;
	}
	/* A crash ends the program, and TAP names the last one that was fine. */
	LLVMFuzzerTestOneInput((const uint8_t *)bytes, count);
	free(bytes);
	return 0;
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	int files = argc == 2 ? scandir(argv[1], &entries, NULL, alphasort) : -1;
	int number = 0, failed = 0;

	if (files < 0) {
		printf("Bail out! driver DIRECTORY\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < files; i++) {
		if (entries[i]->d_name[0] != '.' && !failed) {
			failed = run_file(argv[1], entries[i]->d_name);
			if (!failed)
				printf("ok %d - %s\n", ++number, entries[i]->d_name);
		}
		free(entries[i]);
	}
	free(entries);
	printf("1..%d\n", number);
	return failed || !number;
}
