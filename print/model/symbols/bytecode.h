/* SPDX-License-Identifier: Apache-2.0 */
/* Java's bytecode as text. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_BYTECODE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_BYTECODE_H

#include "print/load/made.h"

struct bytecode_method {
    const unsigned char *code; /* as it is in the class file */
    u32 size;
    const struct made_constant *constant; /* what it means by indexes, in any order */
    u32 nconstants;
};

/*
 * Write the instruction at index `at` of the code: the index, the mnemonic, and the
 * operands, of which the constants have their names. Returns its length; 0 = there is
 * no instruction.
 */
u32 bytecode_text(const struct bytecode_method *method, u32 at, char *text,
                  size_t size);

#endif
