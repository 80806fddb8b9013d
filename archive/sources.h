/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the source files that an experiment's line tables and Python functions name:
 * archives/src/<hash of path>. archives/src/index maps these names to paths. Ordinary
 * process context.
 */
#ifndef ERTOOLS_ARCHIVE_SOURCES_H
#define ERTOOLS_ARCHIVE_SOURCES_H

#include "archive/archiving.h"

/*
 * Copies the readable sources: regular files of at most 16 MiB each, 1 GiB a call.
 * Sources that are not on this machine are skipped without a warning; for files that do
 * not look like sources, there is one warning.
 */
void sources_copy(struct archive *a);

/*
 * Removes temporary files that a killed er_archive has left in archives/src; `archives`
 * is the descriptor of archives/.
 */
void sources_clean(int archives);

#endif
