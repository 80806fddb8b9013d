/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds files with debug information that is kept apart from the object. Ordinary
 * process context. Debug directories: /usr/lib/debug, or those in ERTOOLS_DEBUG_PATH
 * (colon-separated). debuginfod is asked if DEBUGINFOD_URLS is set and its client
 * library is installed.
 */
#ifndef ERTOOLS_ARCHIVE_DEBUGFILE_H
#define ERTOOLS_ARCHIVE_DEBUGFILE_H

#include <stdbool.h>

#include "archive/image.h"
#include "archive/objfile.h"
#include "archive/objwrite.h"

/*
 * Opens the separate debug file of `img`: by build-id; by .gnu_debuglink, if the
 * build-id agrees or, if there is none, the checksum; or from debuginfod. 0, with
 * *kind, and *out to be closed by image_close(); or -ENOENT. A file that was found but
 * does not match is noted in `w`.
 */
int debugfile_find(struct image *out, enum objfile_source_kind *kind,
                   struct image *img, struct objwrite *w);

/*
 * Opens the compressed debug information within the object (.gnu_debugdata). 0;
 * -ENOENT: there is none; or another -errno, which is noted.
 */
int debugfile_mini(struct image *out, struct image *img, struct objwrite *w);

/*
 * Opens the file that several debug files share (.gnu_debugaltlink of `debug`). 0; or
 * -ENOENT, which is noted if the link names a file.
 */
int debugfile_alt(struct image *out, struct image *debug, struct objwrite *w);

/*
 * Notes the sections of `img` that were needed but could not be read: they are damaged,
 * reach beyond the end of the file, or the library to decompress them is missing. The
 * writer keeps the first of these notes, so that it is reported.
 */
void debugfile_note_unread(const struct image *img, struct objwrite *w);

/*
 * Is there a debug file for this build-id in a debug directory? Costs a few access()
 * calls.
 */
bool debugfile_present(const char *buildid);

/* Should debuginfod be asked? Yes, if DEBUGINFOD_URLS is set. */
bool debugfile_asks(void);

#endif
