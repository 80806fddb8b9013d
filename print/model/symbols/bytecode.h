/* SPDX-License-Identifier: Apache-2.0 */
/* Java's bytecode as text. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_BYTECODE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_BYTECODE_H

#include "print/load/made.h"

struct bytecode_method {
    const unsigned char *code; /* as in the class file */
    u32 size; /* bytes of code */
    const struct made_constant *constant; /* texts for its indexes, in any order */
    u32 nconstants;
};

/*
 * Write the instruction at byte `at` of the code to `text`, cut to `size` bytes with
 * its final zero: `at`, the mnemonic, and the operands, with names of constants.
 * Returns the bytes of the instruction; 0 = there is no instruction.
 */
u32 bytecode_text(const struct bytecode_method *method, u32 at, char *text,
                  size_t size);

#endif
