/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes one machine instruction: how long it is, where it goes, and what it does to
 * the stack pointer and the frame pointer. Runs in signal handlers; reads INSN_BYTES at
 * most.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_INSN_H
#define ERTOOLS_COLLECTOR_SIG_INSN_H

#include "share/types.h"

enum { INSN_BYTES = 16 };

enum insn_kind {
    INSN_OTHER,   /* nothing that matters here */
    INSN_BAD,     /* not an instruction that we know */
    INSN_END,     /* execution ends: a trap, or an unused instruction */
    INSN_ENTRY,   /* endbr64: at functions' beginnings and targets of indirect jumps */
    INSN_RETURN,
    INSN_CALL,
    INSN_JUMP,    /* a jump to value */
    INSN_BRANCH,  /* a jump to value, or on to the next instruction */
    INSN_LEAP,    /* an indirect jump: by a register or memory */
    INSN_LINK,    /* a jump through the GOT: to another function */
    INSN_ADD_SP,  /* sp += value; also a push of anything but bp */
    INSN_PUSH_BP,
    INSN_POP_BP,
    INSN_LOSE_SP, /* sp gets an unknown value */
    INSN_SP_TO_BP, /* bp = sp */
    INSN_BP_TO_SP, /* sp = bp + value */
    INSN_LEAVE,   /* sp = bp, then pop bp */
    INSN_POP,     /* pop a register */
    INSN_LOAD,    /* a register = *(bp + value) */
    INSN_REG_TO_SP, /* sp = a register + value */
};

struct insn {
    u32 len;
    enum insn_kind kind;
    u32 reg; /* the register of INSN_POP, INSN_LOAD and INSN_REG_TO_SP */
    int64_t value; /* as the kind says */
};

/* Decode the instruction that has these INSN_BYTES bytes and lies at address `at`. */
void insn_read(const unsigned char *bytes, u64 at, struct insn *insn);

/*
 * Is the instruction before the return address ra a direct call of something in
 * [lo, hi)? The bytes before ra must be readable.
 */
int insn_calls_within(u64 ra, u64 lo, u64 hi);

#endif
