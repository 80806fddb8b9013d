/* SPDX-License-Identifier: Apache-2.0 */
/* Writes log.xml and map.xml of an imported process. Ordinary process context. */
#ifndef ERTOOLS_IMPORT_WRITE_H
#define ERTOOLS_IMPORT_WRITE_H

#include <stdio.h>

#include "import/import.h"

/*
 * creator: the name of the sub-experiment that this process descends from; "" = the
 * founder, NULL = not known, or this is the founder. The functions only write; errors
 * can be seen by ferror(f).
 */
void write_log(const struct import *im, const struct import_process *p,
               const char *creator, FILE *f);
void write_map(const struct import_process *p, FILE *f);

#endif
