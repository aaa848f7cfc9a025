// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_tools.c - which external programs the tests run: path, behind all links, and version.
 */
#include "measure/environment_rows.h"
#include "measure/environment_spawn.h"
#include "workload/tools.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The file that would be run, links resolved; NULL: none. To be freed. */
static char *resolved(const char *name)
{
	char path[PATH_MAX];

	return tool_find(name, path, sizeof(path)) ? realpath(path, NULL) : NULL;
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
		char *path = resolved(names[i]);

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
