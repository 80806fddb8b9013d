/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "collector/sig/cfi_read.h"

enum {
    DEPTH = 24,
    MAX_OPERATIONS = 512, /* branches could make a loop */
};

/* Operations (DW_OP_*). */
enum {
    OP_ADDR = 0x03,
    OP_DEREF = 0x06,
    OP_CONST1U = 0x08,
    OP_CONSTU = 0x10,
    OP_CONSTS = 0x11,
    OP_DUP = 0x12,
    OP_DROP = 0x13,
    OP_OVER = 0x14,
    OP_PICK = 0x15,
    OP_SWAP = 0x16,
    OP_ROT = 0x17,
    OP_ABS = 0x19,
    OP_AND = 0x1a,
    OP_DIV = 0x1b,
    OP_MINUS = 0x1c,
    OP_MOD = 0x1d,
    OP_MUL = 0x1e,
    OP_NEG = 0x1f,
    OP_NOT = 0x20,
    OP_OR = 0x21,
    OP_PLUS = 0x22,
    OP_PLUS_UCONST = 0x23,
    OP_SHL = 0x24,
    OP_SHR = 0x25,
    OP_SHRA = 0x26,
    OP_XOR = 0x27,
    OP_BRA = 0x28,
    OP_EQ = 0x29,
    OP_GE = 0x2a,
    OP_GT = 0x2b,
    OP_LE = 0x2c,
    OP_LT = 0x2d,
    OP_NE = 0x2e,
    OP_SKIP = 0x2f,
    OP_LIT0 = 0x30,
    OP_REG0 = 0x50,
    OP_BREG0 = 0x70,
    OP_REGX = 0x90,
    OP_BREGX = 0x92,
    OP_DEREF_SIZE = 0x94,
    OP_NOP = 0x96,
};

struct machine {
    struct reader r;
    const struct regs *regs;
    u64 start;
    u64 stack[DEPTH];
    u32 n;
    int err;
};

static void
fail(struct machine *x, int err)
{
    if (!x->err)
        x->err = err;
}

static void
push(struct machine *x, u64 value)
{
    if (x->n < DEPTH)
        x->stack[x->n++] = value;
    else
        fail(x, -EBADMSG);
}

static u64
pop(struct machine *x)
{
    if (x->n > 0)
        return x->stack[--x->n];
    fail(x, -EBADMSG);
    return 0;
}

/* The i-th value from the top of the stack, counted from 0. */
static u64
peek(struct machine *x, u64 i)
{
    if (i < x->n)
        return x->stack[x->n - 1 - i];
    fail(x, -EBADMSG);
    return 0;
}

static u64
register_value(struct machine *x, u64 n)
{
    if (n == REGS_RA)
        return x->regs->pc;
    if (n < REGS_COUNT && (x->regs->known >> n & 1))
        return x->regs->r[n];
    fail(x, -EINVAL);
    return 0;
}

static u64
deref(struct machine *x, u64 address, u32 size)
{
    u64 value = 0;

    if (size < 1 || size > 8) {
        fail(x, -EBADMSG);
    } else if (!mem_ok(x->r.m, address, size)) {
        fail(x, -EFAULT);
    } else {
        memcpy(&value, (const void *)(uintptr_t)address, size);
    }
    return value;
}

static u64
divide(struct machine *x, u64 a, u64 b)
{
    if (b == 0) {
        fail(x, -EBADMSG);
        return 0;
    }
    return b == ~(u64)0 ? 0 - a : (u64)((int64_t)a / (int64_t)b);
}

static u64
compare(u32 op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_EQ:
        return a == b;
    case OP_GE:
        return a >= b;
    case OP_GT:
        return a > b;
    case OP_LE:
        return a <= b;
    case OP_LT:
        return a < b;
    default:
        return a != b;
    }
}

static u64
two_operands(struct machine *x, u32 op, u64 a, u64 b)
{
    switch (op) {
    case OP_AND:
        return a & b;
    case OP_DIV:
        return divide(x, a, b);
    case OP_MINUS:
        return a - b;
    case OP_MOD:
        return b ? a % b : divide(x, a, b);
    case OP_MUL:
        return a * b;
    case OP_OR:
        return a | b;
    case OP_PLUS:
        return a + b;
    case OP_SHL:
        return b < 64 ? a << b : 0;
    case OP_SHR:
        return b < 64 ? a >> b : 0;
    case OP_SHRA:
        return (u64)((int64_t)a >> (b < 64 ? b : 63));
    case OP_XOR:
        return a ^ b;
    default:
        return compare(op, (int64_t)a, (int64_t)b);
    }
}

static void
rotate(struct machine *x, u32 count)
{
    u64 top = pop(x);
    u64 second = pop(x);

    if (count == 2) {
        push(x, top);
        push(x, second);
    } else {
        u64 third = pop(x);

        push(x, top);
        push(x, third);
        push(x, second);
    }
}

static void
jump(struct machine *x, int taken)
{
    int64_t by = read_signed(&x->r, 2);
    u64 to = x->r.p + (u64)by;

    if (!taken)
        return;
    if (to < x->start || to > x->r.end)
        x->r.bad = 1;
    else
        x->r.p = to;
    x->r.readable = 0; /* pages may have been jumped over */
}

static void
constant(struct machine *x, u32 op)
{
    u32 index = op - OP_CONST1U; /* 1u 1s 2u 2s 4u 4s 8u 8s */
    u32 size = 1u << (index / 2);

    push(x, index & 1 ? (u64)read_signed(&x->r, size) : read_fixed(&x->r, size));
}

static void
stack_operation(struct machine *x, u32 op)
{
    switch (op) {
    case OP_DUP:
        push(x, peek(x, 0));
        break;
    case OP_DROP:
        pop(x);
        break;
    case OP_OVER:
        push(x, peek(x, 1));
        break;
    case OP_PICK:
        push(x, peek(x, read_u8(&x->r)));
        break;
    case OP_SWAP:
        rotate(x, 2);
        break;
    case OP_ROT:
        rotate(x, 3);
        break;
    default:
        fail(x, -EBADMSG);
    }
}

static void
one_operand(struct machine *x, u32 op)
{
    u64 a = pop(x);

    switch (op) {
    case OP_DEREF:
        push(x, deref(x, a, 8));
        break;
    case OP_DEREF_SIZE:
        push(x, deref(x, a, read_u8(&x->r)));
        break;
    case OP_ABS:
        push(x, (int64_t)a < 0 ? 0 - a : a);
        break;
    case OP_NEG:
        push(x, 0 - a);
        break;
    case OP_NOT:
        push(x, ~a);
        break;
    case OP_PLUS_UCONST:
        push(x, a + read_uleb(&x->r));
        break;
    default:
        fail(x, -EBADMSG);
    }
}

static void
other_operation(struct machine *x, u32 op)
{
    u64 n;

    switch (op) {
    case OP_ADDR:
        push(x, read_fixed(&x->r, 8));
        break;
    case OP_CONSTU:
        push(x, read_uleb(&x->r));
        break;
    case OP_CONSTS:
        push(x, (u64)read_sleb(&x->r));
        break;
    case OP_BRA:
        n = pop(x);
        jump(x, n != 0);
        break;
    case OP_SKIP:
        jump(x, 1);
        break;
    case OP_REGX:
        push(x, register_value(x, read_uleb(&x->r)));
        break;
    case OP_BREGX:
        n = register_value(x, read_uleb(&x->r));
        push(x, n + (u64)read_sleb(&x->r));
        break;
    case OP_NOP:
        break;
    default:
        one_operand(x, op);
    }
}

static void
execute(struct machine *x, u32 op)
{
    u64 a, b;

    if (op >= OP_LIT0 && op < OP_REG0) {
        push(x, op - OP_LIT0);
    } else if (op >= OP_REG0 && op < OP_BREG0) {
        push(x, register_value(x, op - OP_REG0));
    } else if (op >= OP_BREG0 && op < OP_REGX) {
        a = register_value(x, op - OP_BREG0);
        push(x, a + (u64)read_sleb(&x->r));
    } else if (op >= OP_CONST1U && op < OP_CONSTU) {
        constant(x, op);
    } else if (op >= OP_DUP && op <= OP_ROT) {
        stack_operation(x, op);
    } else if ((op >= OP_AND && op <= OP_MUL) || op == OP_OR || op == OP_PLUS ||
               (op >= OP_SHL && op <= OP_XOR) || (op >= OP_EQ && op <= OP_NE)) {
        b = pop(x);
        a = pop(x);
        push(x, two_operands(x, op, a, b));
    } else {
        other_operation(x, op);
    }
}

int
cfi_expression(struct mem *m, const struct regs *regs, u64 p, u64 end,
               const u64 *initial, u64 *value)
{
    struct machine x = { .r = reader_at(m, p, end), .regs = regs, .start = p };
    u64 result;

    if (initial)
        push(&x, *initial);
    for (u32 i = 0; reader_more(&x.r) && !x.err; i++) {
        if (i == MAX_OPERATIONS)
            return -EBADMSG;
        execute(&x, read_u8(&x.r));
    }
    result = pop(&x);
    if (x.r.bad)
        return -EBADMSG;
    if (!x.err)
        *value = result;
    return x.err;
}
