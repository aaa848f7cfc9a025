// SPDX-License-Identifier: GPL-2.0-or-later
/* tree.c - see tree.h. */
#include "tree.h"

#include "base/remove_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

void tree_make(char root[TREE_BYTES])
{
	snprintf(root, TREE_BYTES, "/tmp/onproc-tree-XXXXXX");
	assert_non_null(mkdtemp(root));
}

void tree_remove(const char *root)
{
	remove_tree(root);
}

void tree_put_bytes(const char *root, const char *path, const void *bytes, size_t len)
{
	char file[512];
	FILE *out;

	assert_true(snprintf(file, sizeof(file), "%s/%s", root, path) < (int)sizeof(file));
	for (char *slash = strchr(file + strlen(root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(file, 0755);
		*slash = '/';
	}
	out = fopen(file, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

void tree_put(const char *root, const char *path, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	assert_true(len >= 0);
	tree_put_bytes(root, path, text, (size_t)len);
	free(text);
}
