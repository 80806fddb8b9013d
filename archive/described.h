/* SPDX-License-Identifier: Apache-2.0 */
/* Describes an object that is in no archive. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_DESCRIBED_H
#define ERTOOLS_ARCHIVE_DESCRIBED_H

#include "archive/object/objfile.h"

/*
 * Describe the executable or shared object at `path`, in memory. 0 and *out, for
 * objfile_close(); or -errno and a sentence in `error` (OBJFILE_ERROR_MAX bytes).
 */
int described_open(struct objfile **out, const char *path, char *error);

#endif
