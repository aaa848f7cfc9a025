// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command_preset.c - see command_preset.h.
 *
 * seqwrite: ONPROC_COPIES jobs of fio, each writing a file of its own from beginning to end and
 * again, all in one file system: the one of --dir, or a fresh XFS on an image in memory. The latter
 * lives in a mount namespace of the command's own, so that it is gone with its last process however
 * that ends, and the image with it.
 */
#include "measure/command_preset.h"

#include "workload/tools.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIO                                                                                        \
	"fio --name=seqwrite --numjobs=\"$ONPROC_COPIES\" --rw=write --bs=4k --size=64m"           \
	" --ioengine=psync --ramp_time=250ms --runtime=1s --time_based --group_reporting"          \
	" --output-format=json --directory="

/* An XFS has 300 MiB at least; a job's file and its share of metadata take less than 80. */
#define XFS_FIO                                                                                    \
	"exec unshare -m sh -ec '\n"                                                               \
	"mount -t tmpfs -o size=$((360 + 80 * ONPROC_COPIES))m none \"$ONPROC_DIR\"\n"             \
	"truncate -s $((320 + 80 * ONPROC_COPIES))m \"$ONPROC_DIR/image\"\n"                       \
	"mkfs.xfs -q \"$ONPROC_DIR/image\"\n"                                                      \
	"mkdir \"$ONPROC_DIR/xfs\"\n"                                                              \
	"mount -t xfs -o loop \"$ONPROC_DIR/image\" \"$ONPROC_DIR/xfs\"\n"                         \
	"exec " FIO "\"$ONPROC_DIR/xfs\"'"

static const char *const fio_tools[] = { "fio", NULL };
static const char *const xfs_tools[] = { "fio", "mkfs.xfs", "mount", "truncate", "unshare", NULL };

static int seqwrite_supported(const struct workload_request *request, struct reason *why)
{
	(void)request;
	return tools_missing(fio_tools, why);
}

static int xfs_supported(const struct workload_request *request, struct reason *why)
{
	struct stat control;
	int rc = 0;

	(void)request;
	if (geteuid() != 0) {
		snprintf(why->text, sizeof(why->text), "making a file system needs root");
		return -EPERM;
	}
	if (stat("/dev/loop-control", &control)) {
		rc = -errno;
		snprintf(why->text, sizeof(why->text),
			 "/dev/loop-control is not there: no loop devices in this kernel or "
			 "container");
		return rc;
	}
	return tools_missing(xfs_tools, why);
}

/* What both have in common. */
#define SEQWRITE                                                                                   \
	.unit = "B/s", .units_per_iteration = 1, .class = CLASS_FILE, .rate = RATE_WHOLE_RUN,      \
	.processes = 2, .tools = fio_tools

const struct preset presets[] = {
	{ { .id = "cmd/seqwrite@1",
	    .title = "Sequential Write",
	    .help = "fio: each copy is a job that writes its file in 4 KiB steps, in one file "
		    "system",
	    .supported = seqwrite_supported,
	    SEQWRITE },
	  FIO "\"$ONPROC_DIR\"",
	  "json:jobs[*].write.bw_bytes B/s" },
	{ { .id = "cmd/seqwrite-xfs@1",
	    .title = "Sequential Write, XFS in memory",
	    .help = "the same on a fresh XFS on an image in memory; needs root",
	    .supported = xfs_supported,
	    SEQWRITE },
	  XFS_FIO,
	  "json:jobs[*].write.bw_bytes B/s" },
	{ { .id = NULL } },
};

const struct preset *preset_find(const char *name)
{
	for (const struct preset *preset = presets; preset->workload.id; preset++) {
		if (workload_answers_to(&preset->workload, name))
			return preset;
	}
	return NULL;
}
