/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that depends on the processor's instructions; uses capstone. For the model's own
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

/* Open a disassembler for an object's code; close it by cs_close(). 0 or -ENOTSUP. */
int machine_open(const struct objfile *file, csh *engine);

/* The address that an instruction names. */
void machine_target(csh engine, const cs_insn *insn, struct machine_target *out);

/*
 * State of a search for the starts of instructions. To begin, set `file`, and all else
 * to 0.
 */
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
 * The start of the instruction that contains vaddr, found by decoding its function from
 * the beginning; vaddr itself if that fails. If the addresses asked for rise, each
 * function is decoded only once.
 */
u64 machine_start(struct machine_run *run, u64 vaddr);

void machine_run_close(struct machine_run *run);

#endif
