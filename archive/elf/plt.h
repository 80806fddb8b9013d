/* SPDX-License-Identifier: Apache-2.0 */
/* Names the stubs of procedure linkage tables. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_ELF_PLT_H
#define ERTOOLS_ARCHIVE_ELF_PLT_H

#include "archive/elf/symbols.h"

/*
 * Adds a symbol of OBJFILE_ORIGIN_PLT for each stub in the .plt* sections whose slot of
 * the GOT can be found from the stub's code (x86-64, i386, aarch64). The symbol has the
 * name of the called function, to which symbols_write() appends "@plt". Call
 * symbols_settle() before, and again afterwards. 0 or -ENOMEM.
 */
int plt_read(struct symbols *s, struct image *img);

#endif
