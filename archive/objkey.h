/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of archived things that only archive/ itself needs to know; objkey.c holds also
 * objfile_key(), objfile_cache_dir() and objfile_open_source() of objfile.h. Ordinary
 * process context.
 */
#ifndef ERTOOLS_ARCHIVE_OBJKEY_H
#define ERTOOLS_ARCHIVE_OBJKEY_H

#include <stdbool.h>

#include "archive/objfile.h"

#define OBJKEY_SOURCE_MAX 40 /* longest name of a kept source with its final zero */

/* Whether `key` can be a file name of ours: lower-case hex digits and '-', some. */
bool objkey_valid(const char *key);

/* The name in archives/src of the copy of a source file. */
void objkey_source(char name[OBJKEY_SOURCE_MAX], const char *path);

#endif
