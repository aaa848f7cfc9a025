/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_formats.h - the readers of import.c's table: one recognises its format by content, the
 * other reads it.
 *
 * A reader adds runs to `imported` and warns of what it does not take. Its errors are those of
 * import_file(); no memory may also be left in imported->no_memory.
 */
#ifndef ONPROC_STORE_IMPORT_FORMATS_H
#define ONPROC_STORE_IMPORT_FORMATS_H

#include "store/import.h"
#include "store/import_run.h"

#define IMPORT_FORMAT(name)                                                                        \
	bool import_##name##_recognise(const struct import_source *source);                        \
	int import_##name##_read(const struct import_source *source, struct imported *imported,    \
				 struct error *err)

IMPORT_FORMAT(onproc);
IMPORT_FORMAT(fio);
IMPORT_FORMAT(hyperfine);
IMPORT_FORMAT(gbench);
IMPORT_FORMAT(unixbench_html);
IMPORT_FORMAT(unixbench_log);
IMPORT_FORMAT(unixbench_csv);
IMPORT_FORMAT(unixbench);
IMPORT_FORMAT(sched);
IMPORT_FORMAT(table);

#endif
