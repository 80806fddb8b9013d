/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.xml and map.xml of an imported process, as text. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_WRITE_H
#define ERTOOLS_IMPORT_WRITE_H

#include <stdio.h>

#include "import/import.h"

/*
 * creator: the name of the sub-experiment that this one descends from, "" = the
 * founder, NULL = not known, or it is the founder itself. These only write; errors are
 * found by ferror(f).
 */
void write_log(const struct import *im, const struct import_process *p,
               const char *creator, FILE *f);
void write_map(const struct import_process *p, FILE *f);

#endif
