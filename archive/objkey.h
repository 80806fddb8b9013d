/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of archived things that only archive/ itself needs to know; objkey.c holds also
 * objfile_key(), objfile_cache_dir() and objfile_open_source() of objfile.h. Ordinary
 * process context.
 */
#ifndef ERTOOLS_ARCHIVE_OBJKEY_H
#define ERTOOLS_ARCHIVE_OBJKEY_H

#include <limits.h>
#include <stdbool.h>

#include "archive/objfile.h"

#define OBJKEY_SOURCE_MAX 40 /* longest name of a kept source with its final zero */
#define OBJKEY_CACHED_MAX (OBJFILE_KEY_MAX + 48) /* the same of a file in the cache */

/* Whether `key` can be a file name of ours: lower-case hex digits and '-', some. */
bool objkey_valid(const char *key);

/*
 * The path without links, also of a file that is gone; what is no absolute path stays
 * what it is. False when it is too long.
 */
bool objkey_real(char real[PATH_MAX], const char *path);

/*
 * The name in the cache of the description of an object with this key that lies at
 * `real`. An experiment may come from anybody and call anything a build-id: what was
 * described for it must serve none but that file.
 */
void objkey_cached(char name[OBJKEY_CACHED_MAX], const char *key, const char *real);

/* The name in archives/src of the copy of a source file. */
void objkey_source(char name[OBJKEY_SOURCE_MAX], const char *path);

#endif
