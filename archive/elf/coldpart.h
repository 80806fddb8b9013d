/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the parts of functions that the compiler has moved to another section
 * ("NAME.cold"), in objects whose local symbols are stripped. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_ELF_COLDPART_H
#define ERTOOLS_ARCHIVE_ELF_COLDPART_H

#include "archive/elf/symbols.h"

/*
 * Names nameless symbols whose code begins with a stack frame already set up: each gets
 * the name of the function from which most jumps to it seem to come, if they are clear
 * enough. For x86-64 only; call symbols_settle() and symbols_fill() before. 0; or
 * -ENOMEM, and no symbol is changed.
 */
int coldpart_name(struct symbols *s, const struct fde_list *fdes);

#endif
