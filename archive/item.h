/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives one load object. Ordinary process context. Several threads may do so at the
 * same time, each with its own item.
 */
#ifndef ERTOOLS_ARCHIVE_ITEM_H
#define ERTOOLS_ARCHIVE_ITEM_H

#include "archive/archive.h"

/*
 * Checks whether archives/ or the cache already has the object file; from the cache, it
 * is linked into archives/. Sets the state to PRESENT or WANTED.
 */
void item_look(const struct archive *a, struct archive_item *item);

/* Describes a WANTED item and changes its state. */
void item_describe(const struct archive *a, struct archive_item *item);

/*
 * Opens a description of the item that was made on this machine, from the file that was
 * at the path in map.xml; never a description that came with the experiment. 0 and
 * *out, for objfile_close(); -ESTALE: that path has another file now; else -errno.
 */
int item_open_own(const struct archive *a, const struct archive_item *item,
                  struct objfile **out);

/* Copies the object itself to archives/<key>.bin unless it is there. */
void item_copy(const struct archive *a, struct archive_item *item);

#endif
