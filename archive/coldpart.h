/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the parts of functions that the compiler has moved to another section
 * ("NAME.cold"), in objects whose local symbols are stripped. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_COLDPART_H
#define ERTOOLS_ARCHIVE_COLDPART_H

#include "archive/symbols.h"

/*
 * Gives each nameless symbol that begins within a stack frame the name of the function
 * that jumps to it. Before the call, symbols_settle() and symbols_fill() must have run.
 * x86-64 only. If memory runs out, no symbol is changed.
 */
int coldpart_name(struct symbols *s, const struct fde_list *fdes);

#endif
