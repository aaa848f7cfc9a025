// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_tools.c - which external programs the tests run: path, behind all links, and version.
 */
#include "measure/environment_rows.h"
#include "measure/environment_spawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that execvp() would run, links resolved; NULL: none. To be freed. */
static char *tool_find(const char *name)
{
	const char *path = getenv("PATH");
	struct scan scan;

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : realpath(name, NULL);
	if (!path)
		path = "/usr/bin:/bin";
	scan = scan_start(path, strlen(path));
	while (!scan_is_end(&scan)) {
		struct slice dir = scan_until(&scan, ':');
		char *file, *resolved = NULL;

		if (asprintf(&file, "%.*s%s%s", (int)dir.len, dir.at, dir.len ? "/" : "", name) < 0)
			return NULL;
		if (!access(file, X_OK))
			resolved = realpath(file, NULL);
		free(file);
		if (resolved)
			return resolved;
		if (scan_is_line_end(&scan) && !scan_is_end(&scan)) /* a newline in PATH */
			return NULL;
	}
	return NULL;
}

/* First line of what `TOOL --version` prints. */
static void version_put(struct reading *reading, const char *name, json_t *tool)
{
	const char *const argv[] = { name, "--version", NULL };
	struct error err = { 0 };
	struct slice line = { 0 };

	if (spawn_read(argv, &reading->text, &err)) {
		error_context(&err, "%s --version", name);
	} else {
		struct scan scan = scan_start(reading->text.bytes, reading->text.len);

		line = scan_line(&scan);
		if (!line.len)
			error_set(&err, -1, "%s --version prints nothing", name);
	}
	if (line.len) {
		json_object_set_new(tool, "version", string_json(line.at, line.len));
	} else {
		json_object_set_new(tool, "version", json_null());
		json_object_set_new(tool, "version_reason",
				    string_json(err.text, strlen(err.text)));
	}
}

json_t *read_tools(struct reading *reading)
{
	const char *const *names = reading->request->tools;
	json_t *tools;

	if (!names || !names[0])
		return reading_because(reading, "the tests run no external programs");
	tools = json_object();
	for (size_t i = 0; names[i]; i++) {
		json_t *tool = json_object();
		char *path = tool_find(names[i]);

		if (path) {
			json_object_set_new(tool, "path", string_json(path, strlen(path)));
			version_put(reading, names[i], tool);
		} else {
			json_object_set_new(tool, "path", json_null());
			json_object_set_new(tool, "path_reason", json_string("not found in PATH"));
		}
		free(path);
		json_object_set_new(tools, names[i], tool);
	}
	return tools;
}
