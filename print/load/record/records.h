/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes chunked data files, as scan.h does; records of hits and of Java objects get
 * the changes that their source asks for (reconcile.h, collected.h).
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_RECORDS_H
#define ERTOOLS_PRINT_LOAD_RECORD_RECORDS_H

#include "print/load/record/scan.h"

/* Like scan_run(), with the changes. */
int records_scan(const struct record_source *source, const struct record_sink *sink,
                 u32 workers, struct record_count *count);

#endif
