/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the implementations of indirect functions in stripped objects. Ordinary process
 * context.
 */
#ifndef ERTOOLS_ARCHIVE_ELF_IFUNC_H
#define ERTOOLS_ARCHIVE_ELF_IFUNC_H

#include "archive/elf/symbols.h"

/*
 * Finds functions without a name whose address is loaded by the resolver of an indirect
 * function, and which have an FDE: in a stripped libc, memcpy has several
 * implementations. Adds a symbol of OBJFILE_ORIGIN_IFUNC for each; it gets the name of
 * the indirect function, to which symbols_write() appends "@ifunc". Does nothing unless
 * the image is for x86-64. Call symbols_settle() before, and again afterwards.
 */
void ifunc_read(struct symbols *s, const struct image *img,
                const struct fde_list *fdes);

#endif
