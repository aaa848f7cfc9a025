/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.h - the verbs, one file each. */
#ifndef ONPROC_CMD_VERBS_H
#define ONPROC_CMD_VERBS_H

#include "cmd/options.h"

extern const struct verb verb_ab;
extern const struct verb verb_bench;
extern const struct verb verb_compare;
extern const struct verb verb_export;
extern const struct verb verb_gate;
extern const struct verb verb_help;
extern const struct verb verb_history;
extern const struct verb verb_import;
extern const struct verb verb_list;
extern const struct verb verb_resume;
extern const struct verb verb_rm;
extern const struct verb verb_run;
extern const struct verb verb_sensor;
extern const struct verb verb_show;
extern const struct verb verb_tag;
extern const struct verb verb_version;

/* Says on stderr that there is no such verb, and which one is near; returns usage. */
enum exit_code verb_unknown(const char *name);

#endif
