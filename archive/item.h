/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The archiving of one load object. Ordinary process context; items may be worked on in
 * several threads, each in one.
 */
#ifndef ERTOOLS_ARCHIVE_ITEM_H
#define ERTOOLS_ARCHIVE_ITEM_H

#include "archive/archive.h"

/*
 * Looks whether the object file is there already, in archives/ or in the cache (from
 * where it is linked): the state becomes PRESENT or WANTED.
 */
void item_look(const struct archive *a, struct archive_item *item);

/* Describes a WANTED item; afterwards it has another state. */
void item_describe(const struct archive *a, struct archive_item *item);

/*
 * A description of the item that was made here, of a file that is or was where map.xml
 * says, and not one that came with the experiment. 0 and *out, for objfile_close();
 * -ESTALE: there is another file now; else -errno.
 */
int item_open_own(const struct archive *a, const struct archive_item *item,
                  struct objfile **out);

/* Copies the object itself to archives/<key>.bin unless it is there. */
void item_copy(const struct archive *a, struct archive_item *item);

#endif
