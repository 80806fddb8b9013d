/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the implementations of indirect functions in stripped objects. Ordinary
 * process context.
 */
#ifndef ERTOOLS_ARCHIVE_IFUNC_H
#define ERTOOLS_ARCHIVE_IFUNC_H

#include "archive/symbols.h"

/*
 * Adds a symbol of OBJFILE_ORIGIN_IFUNC for each nameless function whose address the
 * resolver of an indirect function takes (memcpy in a stripped libc has several): its
 * name is that of the indirect function, to which symbols_write() appends "@ifunc".
 * x86-64 only. The symbols must be settled before, and again afterwards.
 */
void ifunc_read(struct symbols *s, const struct image *img,
                const struct fde_list *fdes);

#endif
