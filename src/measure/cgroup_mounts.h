/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_mounts.h - lines of /proc/PID/mountinfo.
 */
#ifndef ONPROC_MEASURE_CGROUP_MOUNTS_H
#define ONPROC_MEASURE_CGROUP_MOUNTS_H

#include "base/error.h"
#include "base/scan.h"

#include <stdint.h>

struct mount_line {
	uint64_t device_major, device_minor;
	struct slice root;    /* of the file system that is seen at the mount point; escaped */
	struct slice point;   /* escaped */
	struct slice options; /* of the mount */
	struct slice type;
	struct slice source;	    /* device or name; escaped */
	struct slice super_options; /* of the file system */
};

/* Next line: 1 and the line, 0 at the end, or -EINVAL with line and what was expected. */
int mount_line_next(struct scan *scan, struct mount_line *line, struct error *err);

/* A copy with \NNN turned back into bytes, to be freed; NULL: no memory. */
char *mount_unescape(struct slice slice);

/* True when the comma-separated list holds the word. */
bool option_list_has(struct slice list, const char *word);

#endif
