/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds files with debug information that is kept apart from the object. Ordinary
 * process context. Debug directories: /usr/lib/debug, or those in ERTOOLS_DEBUG_PATH
 * (colon-separated). debuginfod is asked if DEBUGINFOD_URLS is set and its client
 * library is installed.
 */
#ifndef ERTOOLS_ARCHIVE_ELF_DEBUGFILE_H
#define ERTOOLS_ARCHIVE_ELF_DEBUGFILE_H

#include <stdbool.h>

#include "archive/elf/image.h"
#include "archive/object/objfile.h"
#include "archive/object/objwrite.h"

/*
 * Opens the separate debug file of `img`: by build-id; by .gnu_debuglink, if the
 * build-id or the checksum agrees and image_belongs(); or from debuginfod. 0, with
 * *kind, and *out to be closed by image_close(); else -errno (-ENOENT: there is none).
 * A malformed link, and a linked file that does not match, are noted in `w`.
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
void debugfile_report_unread(const struct image *img, struct objwrite *w);

/*
 * Is there a debug file for this build-id in a debug directory? Costs a few access()
 * calls.
 */
bool debugfile_present(const char *buildid);

/* Should debuginfod be asked? Yes, if DEBUGINFOD_URLS is set and not empty. */
bool debugfile_has_server(void);

#endif
