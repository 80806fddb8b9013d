/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the parts of functions that the compiler has moved to another section
 * ("NAME.cold"), in objects whose local symbols are stripped. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_COLDPART_H
#define ERTOOLS_ARCHIVE_COLDPART_H

#include "archive/symbols.h"

/*
 * Names each nameless symbol whose code begins with a stack frame already set up: it
 * gets the name of the function that jumps to it. symbols_settle() and symbols_fill()
 * must have been called before. x86-64 only. 0; or -ENOMEM, and no symbol is changed.
 */
int coldpart_name(struct symbols *s, const struct fde_list *fdes);

#endif
