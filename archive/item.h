/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives one load object. Ordinary process context. Several threads may do so at the
 * same time, each with its own item.
 */
#ifndef ERTOOLS_ARCHIVE_ITEM_H
#define ERTOOLS_ARCHIVE_ITEM_H

#include "archive/archiving.h"

/*
 * Looks for a current object file in archives/, else in the cache; from the cache, it
 * is linked into archives/ if that can be written. Sets the state to PRESENT; or to
 * WANTED, if there is none or options->force is set.
 */
void item_check_present(const struct archive *a, struct archive_item *item);

/* Describes a WANTED item and changes its state. */
void item_describe(const struct archive *a, struct archive_item *item);

/*
 * Opens a description of the item that was made on this machine, in the cache or now,
 * from the file at the path in map.xml; never a description that came with the
 * experiment. 0 and *out, for objfile_close(); -ESTALE: that path has another file now;
 * else -errno.
 */
int item_open_own(const struct archive *a, const struct archive_item *item,
                  struct objfile **out);

/*
 * Copies the object itself to archives/<key>.bin, unless a copy is there and
 * options->force is not set. If the object is gone or has changed since the run, sets
 * the item's warning instead. Does nothing if archives/ cannot be written.
 */
void item_copy(const struct archive *a, struct archive_item *item);

#endif
