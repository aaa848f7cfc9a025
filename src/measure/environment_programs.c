// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_programs.c - what the workload programs are, and what they were built with. */
#include "measure/environment_elf.h"
#include "measure/environment_rows.h"

#include "base/sha256.h"
#include "workload/build-info.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM_PREFIX "onproc-work-"

json_t *read_libc(struct reading *reading)
{
	char version[64];
	size_t len = confstr(_CS_GNU_LIBC_VERSION, version, sizeof(version));

	if (!len || len > sizeof(version))
		return reading_because(reading, "the C library does not name its version");
	return json_string(version);
}

json_t *read_compiler(struct reading *reading)
{
	(void)reading;
	return json_string(WORKLOAD_COMPILER);
}

json_t *read_cflags(struct reading *reading)
{
	(void)reading;
	return json_string(WORKLOAD_CFLAGS);
}

static const char *linkage_name(const struct linkage *linkage)
{
	if (linkage->is_dynamic)
		return linkage->is_position_independent ? "dynamic PIE" : "dynamic";
	return linkage->is_position_independent ? "static PIE" : "static";
}

/* Hash, size and linkage of one file; what cannot be had is null with its reason. */
static json_t *program_json(struct text *text, const char *path)
{
	json_t *program = json_object();
	char hex[SHA256_HEX_BYTES];
	struct linkage linkage;
	struct error err = { 0 };
	struct sha256 sha;
	int rc = text_read(text, AT_FDCWD, path);

	if (rc) {
		json_object_set_new(program, "sha256", json_null());
		json_object_set_new(program, "sha256_reason", json_string(strerror(-rc)));
		return program;
	}
	sha256_init(&sha);
	sha256_add(&sha, text->bytes, text->len);
	sha256_hex(&sha, hex);
	json_object_set_new(program, "sha256", json_string(hex));
	json_object_set_new(program, "bytes", json_integer((json_int_t)text->len));
	if (elf_linkage(text->bytes, text->len, &linkage, &err)) {
		json_object_set_new(program, "linkage", json_null());
		json_object_set_new(program, "linkage_reason",
				    string_json(err.text, strlen(err.text)));
		return program;
	}
	json_object_set_new(program, "linkage", json_string(linkage_name(&linkage)));
	if (linkage.is_dynamic)
		json_object_set_new(program, "interpreter",
				    string_json(linkage.interpreter, strlen(linkage.interpreter)));
	return program;
}

json_t *read_programs(struct reading *reading)
{
	const char *dir = reading->request->program_dir;
	struct dirent **entries;
	json_t *programs;
	int count;

	if (!dir)
		return reading_because(reading, "no directory of workload programs");
	count = scandir(dir, &entries, NULL, alphasort);
	if (count < 0)
		return reading_because(reading, "%.150s: %s", dir, strerror(errno));
	programs = json_object();
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		char *path;

		/* build directories hold NAME.p with the objects beside NAME */
		if (strncmp(name, PROGRAM_PREFIX, strlen(PROGRAM_PREFIX)) == 0 &&
		    !strchr(name, '.') && asprintf(&path, "%s/%s", dir, name) >= 0) {
			json_object_set_new(programs, name, program_json(&reading->text, path));
			free(path);
		}
		free(entries[i]);
	}
	free(entries);
	if (json_object_size(programs))
		return programs;
	json_decref(programs);
	return reading_because(reading, "%.150s: no " PROGRAM_PREFIX "*", dir);
}

json_t *read_locale(struct reading *reading)
{
	(void)reading;
	return json_string("C");
}
