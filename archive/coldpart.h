/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for parts of functions that the compiler has put elsewhere ("NAME.cold"), in
 * objects whose local symbols are stripped. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_COLDPART_H
#define ERTOOLS_ARCHIVE_COLDPART_H

#include "archive/symbols.h"

/*
 * Gives each nameless symbol that begins within a stack frame the name of the function
 * that jumps to it. The symbols are settled and filled. x86-64 only. -ENOMEM leaves all
 * as they are.
 */
int coldpart_name(struct symbols *s, const struct fde_list *fdes);

#endif
