/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated disassembly of a function: every instruction of each out-of-line copy. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_DISASM_H
#define ERTOOLS_PRINT_MODEL_VIEWS_DISASM_H

#include <stdbool.h>

#include "print/model/views/view.h"

struct disasm_line {
    u64 addr; /* link-time vaddr */
    u32 length;
    unsigned char bytes[16];
    bool is_text; /* only a text is known: of an import, or of bytecode */
    const char *text; /* mnemonic, operands, symbolised target */
    u32 file;         /* source line of the instruction, innermost; 0 = not known */
    u32 line;
    u32 func; /* the innermost function inlined here, or the function itself */
    u32 depth; /* how many inlined calls contain it */
    bool heading; /* file, line or func differ from the previous instruction's */
    bool hot;     /* see disasm_function() */
    struct values excl;
    struct values incl;
};

struct disasm {
    u32 func;
    u32 object;
    struct disasm_line *line;
    u32 count;
    void *memory; /* owns the texts */
};

/*
 * Disassemble a function. A line is hot if its exclusive value of `metric` is at least
 * `threshold` percent of the largest. -ENODATA: the code's bytes are not known, as for
 * a function that exists only inlined; -ENOTSUP: the code is for another processor;
 * else 0 and *out for disasm_free(), or another -errno.
 */
int disasm_function(struct session *session, u32 func, enum metric metric,
                    u32 threshold, struct disasm *out);
/* Like disasm_function(), without values: no events are read. */
int disasm_text(struct session *session, u32 func, struct disasm *out);
void disasm_free(struct disasm *disasm);

/*
 * Of the functions into which func was inlined, get the one whose inlined calls of it
 * have the largest inclusive sum of `metric`. 0 and *home; -ENODATA: no inlined call
 * has a value, or the code is not known; else -errno.
 */
int disasm_home(struct session *session, u32 func, enum metric metric, u32 *home);

#endif
