/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "collector/sig/insn.h"

/* What follows an opcode. */
enum follows {
    F_NONE,
    F_MODRM = 1,   /* a ModRM byte, and what that asks for */
    F_BYTE = 2,    /* an immediate byte */
    F_WORD = 4,    /* 4 bytes, 2 with an operand prefix */
    F_LONG = 8,    /* 4 bytes always */
    F_SHORT = 16,  /* 2 bytes */
    F_WIDE = 32,   /* as F_WORD, but 8 bytes with REX.W */
    F_ADDRESS = 64, /* 8 bytes */
    F_BAD = 128,
};

enum {
    BP = 5,
    SP = 4,
    REX_W = 8,
    REX_R = 4,
    REX_B = 1,
    WORD = 8,
};

/* The parts of an instruction. */
struct parts {
    const unsigned char *p;
    u32 at; /* index of the byte to be read next */
    u32 rex;
    u32 operand16;
    u32 map; /* 0: one byte; 1: 0f; 2: 0f 38; 3: 0f 3a */
    u32 op;
    u32 vector; /* VEX or EVEX */
    u32 modrm;
    u32 imm_at; /* index of the byte after ModRM and displacement */
};

static int64_t
signed_at(const unsigned char *p, u32 bytes)
{
    int32_t word;

    if (bytes == 1)
        return (signed char)*p;
    memcpy(&word, p, sizeof(word));
    return word;
}

static u32
mod(const struct parts *x)
{
    return x->modrm >> 6;
}

static u32
reg(const struct parts *x)
{
    return (x->modrm >> 3 & 7) | (x->rex & REX_R ? 8 : 0);
}

static u32
rm(const struct parts *x)
{
    return (x->modrm & 7) | (x->rex & REX_B ? 8 : 0);
}

static u32
follows_one(u32 op)
{
    static const unsigned char rest[] = {
        /* 80 */ F_MODRM | F_BYTE, F_MODRM | F_WORD, F_BAD, F_MODRM | F_BYTE,
        /* 84 */ 1, 1, 1, 1,
        /* 88 */ 1, 1, 1, 1, 1, 1, 1, 1,
        /* 90 */ 0, 0, 0, 0, 0, 0, 0, 0,
        /* 98 */ 0, 0, F_BAD, 0, 0, 0, 0, 0,
        /* a0 */ F_ADDRESS, F_ADDRESS, F_ADDRESS, F_ADDRESS, 0, 0, 0, 0,
        /* a8 */ F_BYTE, F_WORD, 0, 0, 0, 0, 0, 0,
        /* b0 */ F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE,
        /* b8 */ F_WIDE, F_WIDE, F_WIDE, F_WIDE, F_WIDE, F_WIDE, F_WIDE, F_WIDE,
        /* c0 */ F_MODRM | F_BYTE, F_MODRM | F_BYTE, F_SHORT, 0, F_BAD, F_BAD,
        F_MODRM | F_BYTE, F_MODRM | F_WORD,
        /* c8 */ F_SHORT | F_BYTE, 0, F_SHORT, 0, 0, F_BYTE, F_BAD, 0,
        /* d0 */ 1, 1, 1, 1, F_BAD, F_BAD, F_BAD, 0,
        /* d8 */ 1, 1, 1, 1, 1, 1, 1, 1,
        /* e0 */ F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE, F_BYTE,
        /* e8 */ F_LONG, F_LONG, F_BAD, F_BYTE, 0, 0, 0, 0,
        /* f0 */ F_BAD, 0, F_BAD, F_BAD, 0, 0, 1, 1,
        /* f8 */ 0, 0, 0, 0, 0, 0, 1, 1,
    };
    static const unsigned char sixties[] = {
        /* 60 */ F_BAD, F_BAD, F_BAD, 1, F_BAD, F_BAD, F_BAD, F_BAD,
        /* 68 */ F_WORD, F_MODRM | F_WORD, F_BYTE, F_MODRM | F_BYTE, 0, 0, 0, 0,
    };
    static const unsigned char arithmetic[] = { 1, 1, 1, 1, F_BYTE, F_WORD, F_BAD,
                                                F_BAD };

    if (op < 0x40)
        return arithmetic[op & 7];
    if (op < 0x50)
        return F_BAD;
    if (op < 0x60)
        return F_NONE;
    if (op < 0x70)
        return sixties[op - 0x60];
    return op < 0x80 ? F_BYTE : rest[op - 0x80];
}

static int
is_one_of(const unsigned char *set, u32 n, u32 op)
{
    while (n-- > 0)
        if (set[n] == op)
            return 1;
    return 0;
}

/* What follows an opcode of two bytes, of which op is the second and 0f the first. */
static u32
follows_two(u32 op)
{
    static const unsigned char bare[] = { 0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e,
                                          0x77, 0xa0, 0xa1, 0xa2, 0xa8, 0xa9, 0xaa };
    static const unsigned char with_byte[] = { 0x0f, 0x70, 0x71, 0x72, 0x73, 0xa4,
                                               0xac, 0xba, 0xc2, 0xc4, 0xc5, 0xc6 };

    if ((op & 0xf8) == 0x30 || (op & 0xf8) == 0xc8 || is_one_of(bare, sizeof(bare), op))
        return F_NONE;
    if ((op & 0xf0) == 0x80)
        return F_LONG;
    return F_MODRM | (is_one_of(with_byte, sizeof(with_byte), op) ? F_BYTE : 0);
}

static u32
follows(const struct parts *x)
{
    if (x->map == 0)
        return follows_one(x->op);
    if (x->map == 1)
        return follows_two(x->op);
    return x->map == 3 ? F_MODRM | F_BYTE : F_MODRM;
}

/* Skip the prefixes. 0 if there are more than any instruction has. */
static int
read_prefixes(struct parts *x)
{
    static const unsigned char prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                              0x66, 0x67, 0xf0, 0xf2, 0xf3 };

    while (x->at < WORD && is_one_of(prefixes, sizeof(prefixes), x->p[x->at]))
        x->operand16 |= x->p[x->at++] == 0x66;
    if ((x->p[x->at] & 0xf0) == 0x40)
        x->rex = x->p[x->at++];
    return x->at <= WORD;
}

/*
 * Read a VEX or EVEX prefix. What it says of registers matters only for general ones.
 */
static int
read_vector(struct parts *x)
{
    const unsigned char *p = x->p + x->at;

    x->vector = 1;
    x->map = 1;
    if (p[0] == 0xc5) {
        x->rex = p[1] & 0x80 ? 0 : REX_R;
        x->at += 2;
    } else {
        x->map = p[1] & (p[0] == 0xc4 ? 31 : 7);
        x->rex = (p[1] & 0x80 ? 0 : REX_R) | (p[1] & 0x20 ? 0 : REX_B);
        x->at += p[0] == 0xc4 ? 3 : 4;
        if (x->map == 5 || x->map == 6)
            x->map = 2; /* half floats: no immediate either */
    }
    x->op = x->p[x->at++];
    return x->map >= 1 && x->map <= 3;
}

static int
read_opcode(struct parts *x)
{
    u32 op = x->p[x->at];

    if (op == 0xc4 || op == 0xc5 || op == 0x62)
        return read_vector(x);
    if (op == 0x0f) {
        op = x->p[++x->at];
        x->map = op == 0x38 ? 2 : op == 0x3a ? 3 : 1;
        if (x->map > 1)
            op = x->p[++x->at];
    }
    x->op = op;
    x->at++;
    return 1;
}

static void
skip_modrm(struct parts *x)
{
    u32 sib;

    x->modrm = x->p[x->at++];
    if (mod(x) == 3)
        return;
    sib = (x->modrm & 7) == SP ? x->p[x->at++] : 0;
    if (mod(x) == 1)
        x->at += 1;
    else if (mod(x) == 2 || (x->modrm & 7) == BP || (sib & 7) == BP)
        x->at += 4;
}

static int
read_parts(struct parts *x)
{
    u32 what;

    if (!read_prefixes(x) || !read_opcode(x))
        return 0;
    what = x->vector && x->map == 1 && x->op == 0x77 ? F_NONE : follows(x);
    if (what & F_BAD)
        return 0;
    if (what & F_MODRM)
        skip_modrm(x);
    x->imm_at = x->at;
    if (x->map == 0 && (x->op & 0xfe) == 0xf6 && (x->modrm >> 3 & 7) < 2)
        what |= x->op == 0xf6 ? F_BYTE : F_WORD;
    x->at += (what & F_BYTE ? 1 : 0) + (what & F_SHORT ? 2 : 0) +
             (what & F_LONG ? 4 : 0) + (what & F_ADDRESS ? 8 : 0);
    if (what & (F_WORD | F_WIDE))
        x->at += what & F_WIDE && x->rex & REX_W ? 8 : x->operand16 ? 2 : 4;
    return x->at <= INSN_BYTES - 1;
}

static void
set(struct insn *insn, enum insn_kind kind, int64_t value)
{
    insn->kind = kind;
    insn->value = value;
}

/* Arithmetic with an immediate: 80 to 83. */
static void
decode_immediate(const struct parts *x, struct insn *insn)
{
    u32 what = x->modrm >> 3 & 7;
    int64_t value;

    if (mod(x) != 3 || rm(x) != SP || what == 7)
        return;
    if (x->op == 0x80 || !(x->rex & REX_W) || (what != 0 && what != 5)) {
        set(insn, INSN_LOSE_SP, 0);
        return;
    }
    value = signed_at(x->p + x->imm_at, x->op == 0x83 ? 1 : 4);
    set(insn, INSN_ADD_SP, what == 0 ? value : -value);
}

/* Moves between registers, and lea. */
static void
decode_move(const struct parts *x, struct insn *insn)
{
    u32 to = x->op == 0x89 ? rm(x) : reg(x), from = x->op == 0x89 ? reg(x) : rm(x);
    int is_lea = x->op == 0x8d;

    if (x->op == 0x89 && mod(x) != 3)
        return;
    if (mod(x) == 3 && !is_lea && to == BP && from == SP) {
        set(insn, INSN_SP_TO_BP, 0);
    } else if (to != SP) {
        if (x->op == 0x8b && mod(x) == 1 && rm(x) == BP)
            set(insn, INSN_LOAD, signed_at(x->p + x->imm_at - 1, 1));
        insn->reg = to;
    } else if (mod(x) == 3 && !is_lea && from == BP) {
        set(insn, INSN_BP_TO_SP, 0);
    } else if (is_lea && (mod(x) == 1 || mod(x) == 2) && !(x->rex & REX_B)) {
        u32 sib = x->modrm & 7;
        int64_t value = signed_at(x->p + x->imm_at - (mod(x) == 1 ? 1 : 4),
                                  mod(x) == 1 ? 1 : 4);

        if (sib == BP)
            set(insn, INSN_BP_TO_SP, value);
        else if (sib == SP && x->p[x->imm_at - (mod(x) == 1 ? 2 : 5)] == 0x24)
            set(insn, INSN_ADD_SP, value);
        else
            set(insn, INSN_LOSE_SP, 0);
    } else if (is_lea && mod(x) == 1 && (x->modrm & 7) != SP) {
        set(insn, INSN_REG_TO_SP, signed_at(x->p + x->imm_at - 1, 1));
        insn->reg = from;
    } else {
        set(insn, INSN_LOSE_SP, 0);
    }
}

/* ff: calls, jumps and a push. */
static void
decode_group_5(const struct parts *x, struct insn *insn)
{
    switch (x->modrm >> 3 & 7) {
    case 2:
        set(insn, INSN_CALL, 0);
        break;
    case 4:
        set(insn, mod(x) == 0 && (x->modrm & 7) == BP ? INSN_LINK : INSN_LEAP, 0);
        break;
    case 5:
    case 7:
        set(insn, INSN_BAD, 0);
        break;
    case 6:
        set(insn, INSN_ADD_SP, -WORD);
        break;
    default:
        break;
    }
}

static void
decode_one(const struct parts *x, u64 at, struct insn *insn)
{
    u64 next = at + x->at;
    u32 low = (x->op & 7) | (x->rex & REX_B ? 8 : 0);

    if ((x->op & 0xf8) == 0x50) {
        set(insn, low == BP ? INSN_PUSH_BP : INSN_ADD_SP, -WORD);
    } else if ((x->op & 0xf8) == 0x58) {
        set(insn, low == BP ? INSN_POP_BP : low == SP ? INSN_LOSE_SP : INSN_POP, WORD);
        insn->reg = low;
    } else if ((x->op & 0xf0) == 0x70 || (x->op & 0xfc) == 0xe0) {
        set(insn, INSN_BRANCH, (int64_t)next + signed_at(x->p + x->imm_at, 1));
    } else if (x->op < 0x40 && (x->op & 7) <= 3 && (x->op & 0x38) != 0x38) {
        /* add, or, adc, sbb, and, sub, xor */
        if (x->op & 2 ? reg(x) == SP : mod(x) == 3 && rm(x) == SP)
            set(insn, INSN_LOSE_SP, 0);
    } else if ((x->op & 0xfc) == 0x80) {
        decode_immediate(x, insn);
    } else {
        switch (x->op) {
        case 0x68:
        case 0x6a:
        case 0x9c:
            set(insn, INSN_ADD_SP, -WORD);
            break;
        case 0x8f:
            set(insn, (x->modrm & 0x38) ? INSN_BAD : INSN_ADD_SP, WORD);
            break;
        case 0x9d:
            set(insn, INSN_ADD_SP, WORD);
            break;
        case 0x87:
            if (reg(x) == SP || (mod(x) == 3 && rm(x) == SP))
                set(insn, INSN_LOSE_SP, 0);
            break;
        case 0x63:
        case 0x89:
        case 0x8b:
        case 0x8d:
            decode_move(x, insn);
            break;
        case 0x94:
        case 0xbc:
            if (low == SP)
                set(insn, INSN_LOSE_SP, 0);
            break;
        case 0xc2:
        case 0xc3:
            set(insn, INSN_RETURN, 0);
            break;
        case 0xc9:
            set(insn, INSN_LEAVE, 0);
            break;
        case 0xe8:
            set(insn, INSN_CALL, 0);
            break;
        case 0xe9:
            set(insn, INSN_JUMP, (int64_t)next + signed_at(x->p + x->imm_at, 4));
            break;
        case 0xeb:
            set(insn, INSN_JUMP, (int64_t)next + signed_at(x->p + x->imm_at, 1));
            break;
        case 0xff:
            decode_group_5(x, insn);
            break;
        case 0x6c ... 0x6f: /* to and from ports, far returns, interrupts */
        case 0xc8:
        case 0xca ... 0xcd:
        case 0xcf:
        case 0xe4 ... 0xe7:
        case 0xec ... 0xef:
        case 0xf1:
        case 0xf4:
        case 0xfa:
        case 0xfb:
            set(insn, INSN_END, 0);
            break;
        default:
            break;
        }
    }
}

static void
decode_two(const struct parts *x, u64 at, struct insn *insn)
{
    if ((x->op & 0xf0) == 0x80)
        set(insn, INSN_BRANCH,
            (int64_t)(at + x->at) + signed_at(x->p + x->imm_at, 4));
    else if (x->op == 0x0b || x->op == 0xb9 || x->op == 0xff)
        set(insn, INSN_END, 0);
    else if (x->op == 0x1e && x->modrm == 0xfa)
        set(insn, INSN_ENTRY, 0);
    else if ((x->op & 0xf0) == 0x40 && reg(x) == SP)
        set(insn, INSN_LOSE_SP, 0);
    else if (x->op == 0xa0 || x->op == 0xa8)
        set(insn, INSN_ADD_SP, -WORD);
    else if (x->op == 0xa1 || x->op == 0xa9)
        set(insn, INSN_ADD_SP, WORD);
}

void
insn_read(const unsigned char *bytes, u64 at, struct insn *insn)
{
    struct parts x = { .p = bytes };

    insn->reg = 0;
    set(insn, INSN_OTHER, 0);
    insn->len = 1;
    if (!read_parts(&x)) {
        set(insn, INSN_BAD, 0);
        return;
    }
    insn->len = x.at;
    if (x.vector || x.map > 1)
        return;
    if (x.map == 0)
        decode_one(&x, at, insn);
    else
        decode_two(&x, at, insn);
}

int
insn_calls_within(u64 ra, u64 lo, u64 hi)
{
    const unsigned char *p = (const unsigned char *)(uintptr_t)(ra - 5);
    int32_t distance;

    if (*p != 0xe8)
        return 0;
    __builtin_memcpy(&distance, p + 1, sizeof(distance));
    return ra + (u64)(int64_t)distance >= lo && ra + (u64)(int64_t)distance < hi;
}
