/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the files in which debug information is kept apart from the object. Ordinary
 * process context.
 *
 * Debug directories: /usr/lib/debug, or those of ERTOOLS_DEBUG_PATH (colon-separated).
 * debuginfod is asked when DEBUGINFOD_URLS is set and its client library is installed.
 */
#ifndef ERTOOLS_ARCHIVE_DEBUGFILE_H
#define ERTOOLS_ARCHIVE_DEBUGFILE_H

#include <stdbool.h>

#include "archive/image.h"
#include "archive/objfile.h"
#include "archive/objwrite.h"

/*
 * Opens the separate debug file of `img`: by build-id, by .gnu_debuglink (the build-id
 * or else the checksum must agree), from debuginfod. 0 and *kind, -ENOENT. What was
 * found but does not fit is noted in `w`.
 */
int debugfile_find(struct image *out, enum objfile_source_kind *kind,
                   struct image *img, struct objwrite *w);

/* Opens the compressed debug information within the object (.gnu_debugdata). */
int debugfile_mini(struct image *out, struct image *img, struct objwrite *w);

/* Opens the file that several debug files share (.gnu_debugaltlink of `debug`). */
int debugfile_alt(struct image *out, struct image *debug, struct objwrite *w);

/*
 * Notes the sections of `img` whose contents were wanted and could not be read:
 * compressed in a way that is not known here, damaged, or beyond the end of the file.
 * The writer remembers the first of them, to be reported.
 */
void debugfile_note_unread(const struct image *img, struct objwrite *w);

/* Whether a debug file for this build-id stands in a debug directory. A stat or two. */
bool debugfile_present(const char *buildid);

/* Whether debuginfod is to be asked. */
bool debugfile_asks(void);

#endif
