/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What depends on a processor's instructions, by means of capstone. For the model's own
 * use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_MACHINE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_MACHINE_H

#include <capstone/capstone.h>
#include <stdbool.h>

#include "archive/objfile.h"

enum machine_target_kind {
    TARGET_NONE,
    TARGET_BRANCH, /* the instruction goes there: its operand */
    TARGET_DATA,   /* it reads or writes there, relative to itself */
};

struct machine_target {
    enum machine_target_kind kind;
    u64 addr;
};

/* A disassembler of an object's code, for cs_close(). 0 or -ENOTSUP. */
int machine_open(const struct objfile *file, csh *engine);

/* The address that an instruction names. */
void machine_target(csh engine, const cs_insn *insn, struct machine_target *out);

/* A run over code that looks for the starts of instructions. All 0 but file: new. */
struct machine_run {
    const struct objfile *file;
    csh engine;
    bool opened;
    cs_insn *insn;
    unsigned char *code; /* of the present function */
    u64 addr;            /* its bytes are [addr, end) */
    u64 end;
    u64 next;  /* where decoding goes on */
    u64 start; /* of the instruction before it */
};

/*
 * Where the instruction starts that holds vaddr, found by decoding its function from
 * the front; vaddr itself where that cannot be done. Each function is decoded only once
 * when the addresses asked for rise.
 */
u64 machine_start(struct machine_run *run, u64 vaddr);

void machine_run_close(struct machine_run *run);

#endif
