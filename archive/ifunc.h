/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the implementations of indirect functions in stripped objects. Ordinary
 * process context.
 */
#ifndef ERTOOLS_ARCHIVE_IFUNC_H
#define ERTOOLS_ARCHIVE_IFUNC_H

#include "archive/symbols.h"

/*
 * Adds a symbol of OBJFILE_ORIGIN_IFUNC for each nameless function whose address is
 * loaded by the resolver of an indirect function (in a stripped libc, memcpy has
 * several implementations). It gets the name of the indirect function; symbols_write()
 * appends "@ifunc". x86-64 only. symbols_settle() must have run before the call, and
 * must run again after it.
 */
void ifunc_read(struct symbols *s, const struct image *img,
                const struct fde_list *fdes);

#endif
