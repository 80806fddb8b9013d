/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the stubs of procedure linkage tables. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_PLT_H
#define ERTOOLS_ARCHIVE_PLT_H

#include "archive/symbols.h"

/*
 * Adds a symbol of OBJFILE_ORIGIN_PLT for each stub of the .plt* sections that can be
 * understood: its name is that of the function called, to which symbols_write() appends
 * "@plt". A stub is understood by the slot of the GOT through which it jumps (x86-64,
 * i386, aarch64). The symbols must be settled before, and again afterwards. 0 or
 * -ENOMEM.
 */
int plt_read(struct symbols *s, struct image *img);

#endif
