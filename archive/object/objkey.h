/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of archived files, for archive/ only. objkey.c also defines objfile_key(),
 * objfile_cache_dir() and objfile_open_source() of objfile.h. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_OBJECT_OBJKEY_H
#define ERTOOLS_ARCHIVE_OBJECT_OBJKEY_H

#include <limits.h>
#include <stdbool.h>

#include "archive/object/objfile.h"

#define OBJKEY_SOURCE_MAX 40 /* longest name of a kept source with its final zero */
#define OBJKEY_CACHED_MAX (OBJFILE_KEY_MAX + 48) /* longest name of a file in the
                                                  * cache */

/*
 * Is `key` a valid file name for an object: lower-case hex digits and '-', at least
 * one?
 */
bool objkey_valid(const char *key);

/*
 * The path with links resolved; if the file is gone, with those of its directory
 * resolved. If that is gone, too, or the path is not absolute, it is copied unchanged.
 * False if it is too long.
 */
bool objkey_real(char real[PATH_MAX], const char *path);

/*
 * The name of a description in the cache, for the object at the path `real` that has
 * this key. The path is in the name, since an experiment may come from anybody and
 * claim any build-id: what it describes must not be used for other files.
 */
void objkey_cached(char name[OBJKEY_CACHED_MAX], const char *key, const char *real);

/* The name of a source file's copy in archives/src. */
void objkey_source(char name[OBJKEY_SOURCE_MAX], const char *path);

#endif
