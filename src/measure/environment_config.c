// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_config.c - see environment_config.h. */
#include "measure/environment_config.h"

#include "measure/environment_spawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static bool config_is_whole(const struct text *text)
{
	return text->len && memmem(text->bytes, text->len, "CONFIG_", 7);
}

/* The kernel packs its own copy; gzip unpacks it. */
static bool config_unpack(struct reading *reading)
{
	static const char *const argv[] = { "gzip", "-dc", "/proc/config.gz", NULL };
	struct error err = { 0 };

	if (!reading_is_live(reading) || access(argv[2], R_OK))
		return false;
	return !spawn_read(argv, &reading->config, &err) && config_is_whole(&reading->config);
}

static bool config_load(struct reading *reading)
{
	static const char *const places[] = { "/boot/config-%s", "/lib/modules/%s/config",
					      "/usr/lib/modules/%s/config",
					      "/usr/lib/kernel/config-%s" };
	struct utsname name;
	char release[128];

	if (config_unpack(reading))
		return true;
	if (reading_file(reading, "/proc/sys/kernel/osrelease"))
		snprintf(release, sizeof(release), "%s", text_trim(&reading->text));
	else if (!uname(&name))
		snprintf(release, sizeof(release), "%s", name.release);
	else
		return false;
	if (strchr(release, '/'))
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *mark = strstr(places[i], "%s");
		char path[192];

		snprintf(path, sizeof(path), "%.*s%s%s", (int)(mark - places[i]), places[i],
			 release, mark + 2);
		if (reading_file(reading, path) && config_is_whole(&reading->text)) {
			struct text swap = reading->config;

			reading->config = reading->text;
			reading->text = swap;
			return true;
		}
	}
	return false;
}

bool config_read(struct reading *reading)
{
	if (!reading->config_is_tried) {
		reading->config_is_tried = true;
		if (!config_load(reading)) {
			reading->config.len = 0;
			snprintf(reading->config_reason, sizeof(reading->config_reason),
				 "no kernel configuration in /proc/config.gz, /boot or "
				 "/lib/modules");
		}
	}
	if (!reading->config.len)
		reading_because(reading, "%s", reading->config_reason);
	return reading->config.len > 0;
}

bool config_value(const struct reading *reading, const char *name, struct slice *value)
{
	struct scan scan = scan_start(reading->config.bytes, reading->config.len);

	while (!scan_is_end(&scan)) {
		if (scan_word_is(&scan, "CONFIG_") && slice_is(scan_until(&scan, '='), name)) {
			*value = scan_line(&scan);
			return true;
		}
		scan_line(&scan);
	}
	return false;
}

bool config_is_on(const struct reading *reading, const char *name)
{
	struct slice value;

	return config_value(reading, name, &value) && slice_is(value, "y");
}
