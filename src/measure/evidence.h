/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - what else happened on the machine while a slot was measured.
 *
 * Two snapshots, one before and one after the window. External evidence (steal plus foreign CPU
 * above 3 % of the allowed CPU time, throttling, a frequency 5 % lower) marks a slot; PSI, switches
 * and migrations are shown and never counted: they are the test's own when copies >= CPUs.
 *
 * JSON of a slot's evidence:
 *   {"steal":0.004,"foreign":0.02,"busy":0.97,"idle":0.03,          shares of the allowed CPU time
 *    "throttled_ns":0,"psi_cpu_some":0.1,"frequency_khz":null,"frequency_khz_reason":"…",
 *    "voluntary_switches":1,"involuntary_switches":2,"migrations":0,
 *    "placement":"one-cpu|spread|same-cpu|cross-cpu|mixed|…","cpus_used":1,
 *    "external":[{"kind":"foreign","comm":"cc1","pid":123,"cpu":0.43,"policy":"other"},
 *                {"kind":"foreign","comm":"make","pid":7,"cpu":0.9,"policy":"other","children":0.89},
 *                {"kind":"foreign","comm":null,"pid":null,"cpu":0.3,"reason":"…"},
 *                {"kind":"steal","cpu":0.05},
 *                {"kind":"throttled","ns":12000000,"periods":3,"cgroup":"/test"},
 *                {"kind":"frequency","khz":…,"was_khz":…}],
 *    "slices":[…]}                                                   rates of 50 ms sub-slices, see
 * slot.h "cpu" is a share of one CPU; "foreign" of all allowed CPU time. Unreadable: null and
 * NAME_reason. A process whose children did more than half of its share has "children", their
 * share. "frequency_khz" is the median over the CPUs that were busy, and counts as a drop against
 * earlier slots in which as many CPUs or more were busy. "placement" and "cpus_used" come from the
 * busy time per CPU, less that of the foreign processes seen; the harness replaces them where the
 * test itself knows better, and fills in the switches. Only where it happened: "lengthened": true,
 * the window grew; "unscheduled": N copies got no CPU in the longest window; "fewest_iterations": N
 * of the copy with the fewest, where the longest window ended with less than are asked for.
 */
#ifndef ONPROC_MEASURE_EVIDENCE_H
#define ONPROC_MEASURE_EVIDENCE_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct evidence; /* open readers: /proc/stat, PSI, cgroup cpu.stat (v1 and v2), cpufreq */

#define EVIDENCE_EXTERNAL_SHARE 0.03 /* of the allowed CPU time */
#define EVIDENCE_FREQUENCY_DROP 0.05

/*
 * root: "" for the machine itself, or a directory that stands in for / in tests (fake /proc and
 * /sys). Fails for want of memory only: what cannot be read is null in the result, with the reason.
 */
int evidence_open(const char *root, struct evidence **evidence, struct error *err);
void evidence_close(struct evidence *evidence);

/*
 * Snapshot before the window / after it. own_group is the process group of the slot's copies, 0:
 * none. Its members are not foreign, nor are the caller and all its descendants, nor kernel
 * threads. Cheap enough for 1,024 copies (a scan of /proc, outside the window). evidence_after() is
 * to be called while the copies still work: the frequency is that of the moment, and a copy that is
 * gone has taken its time with it. Only -ENOMEM.
 */
int evidence_before(struct evidence *evidence, pid_t own_group, struct error *err);
int evidence_after(struct evidence *evidence, pid_t own_group, json_t **object, struct error *err);

/* True when the object's "external" array is not empty. */
bool evidence_is_external(const json_t *object);

/*
 * Sets a member that the harness knows better (switches, migrations, placement, slices) and removes
 * its NAME_reason. Takes the reference of value. 0 or -ENOMEM.
 */
int evidence_put(json_t *object, const char *name, json_t *value);

#endif
