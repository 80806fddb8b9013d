/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that depends on the processor's instructions; uses capstone. For the model's own
 * use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_MACHINE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_MACHINE_H

#include <capstone/capstone.h>
#include <stdbool.h>

#include "archive/object/objfile.h"

enum machine_target_kind {
    TARGET_NONE,   /* the instruction names no address */
    TARGET_BRANCH, /* its operand, to which it jumps or calls */
    TARGET_DATA,   /* the memory of an operand relative to the instruction */
};

struct machine_target {
    enum machine_target_kind kind;
    u64 addr;
};

/* Open a disassembler for an object's code, for cs_close(). 0 or -ENOTSUP. */
int machine_open(const struct objfile *file, csh *engine);

/* Get the address that an instruction names, if it does. */
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
    unsigned char *code; /* of the function that is being decoded */
    u64 addr;            /* vaddr of `code`, which is [addr, end) */
    u64 end;
    u64 next;  /* vaddr at which decoding continues */
    u64 start; /* vaddr of the instruction before `next` */
};

/*
 * The start of the instruction that contains vaddr, found by decoding its function from
 * the beginning; vaddr itself if that fails. If successive calls have rising addresses,
 * each function is decoded only once.
 */
u64 machine_start(struct machine_run *run, u64 vaddr);

void machine_run_close(struct machine_run *run);

#endif
