/* SPDX-License-Identifier: Apache-2.0 */
/* Writes log.xml and map.xml of an imported process. Ordinary process context. */
#ifndef ERTOOLS_IMPORT_WRITE_H
#define ERTOOLS_IMPORT_WRITE_H

#include <stdio.h>

#include "import/import.h"

/*
 * creator: the directory of the experiment of the process that created this one; "" =
 * the founder; NULL = not known, or this is the founder itself. ferror(f) says if
 * writing failed.
 */
void write_log(const struct import *im, const struct import_process *p,
               const char *creator, FILE *f);
void write_map(const struct import_process *p, FILE *f);

#endif
