/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "collector/sig/cfi_entry.h"
#include "collector/sig/cfi_read.h"

enum {
    REMEMBERED = 6, /* nesting of remember_state; compilers use one level */
    CODE_BYTES = 1 << 16,
};

/* Instructions (DW_CFA_*). The first three hold an operand in their low 6 bits. */
enum {
    CFA_ADVANCE = 0x40,
    CFA_OFFSET = 0x80,
    CFA_RESTORE = 0xc0,
    CFA_NOP = 0x00,
    CFA_SET_LOC = 0x01,
    CFA_ADVANCE1 = 0x02,
    CFA_ADVANCE2 = 0x03,
    CFA_ADVANCE4 = 0x04,
    CFA_OFFSET_EXTENDED = 0x05,
    CFA_RESTORE_EXTENDED = 0x06,
    CFA_UNDEFINED = 0x07,
    CFA_SAME_VALUE = 0x08,
    CFA_REGISTER = 0x09,
    CFA_REMEMBER = 0x0a,
    CFA_RESTORE_STATE = 0x0b,
    CFA_DEF_CFA = 0x0c,
    CFA_DEF_CFA_REGISTER = 0x0d,
    CFA_DEF_CFA_OFFSET = 0x0e,
    CFA_DEF_CFA_EXPRESSION = 0x0f,
    CFA_EXPRESSION = 0x10,
    CFA_OFFSET_EXTENDED_SF = 0x11,
    CFA_DEF_CFA_SF = 0x12,
    CFA_DEF_CFA_OFFSET_SF = 0x13,
    CFA_VAL_OFFSET = 0x14,
    CFA_VAL_OFFSET_SF = 0x15,
    CFA_VAL_EXPRESSION = 0x16,
    CFA_GNU_ARGS_SIZE = 0x2e,
    CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

/* The interpreter: one run over an entry's instructions. */
struct run {
    struct reader r;
    const struct cfi_entry *entry;
    struct cfi_row *row;
    const struct cfi_row *initial; /* the CIE's row, NULL while it is made */
    u64 at;                        /* code address of the row */
    u64 address;                   /* the address whose row is wanted */
    u32 remembered;
    struct cfi_row memory[REMEMBERED];
};

/*
 * Set how a register is restored. Registers without a column (vector registers) are
 * ignored.
 */
static void
set(struct run *x, u64 column, enum cfi_how how, int64_t value)
{
    if (column >= CFI_COLUMNS)
        return;
    if (value != (int32_t)value) {
        x->r.bad = 1;
        return;
    }
    x->row->how[column] = (uint8_t)how;
    x->row->value[column] = (int32_t)value;
}

/*
 * Multiply a factored offset by data_align. If the product overflows, the result is
 * some wrong offset, which does no harm.
 */
static int64_t
factored(const struct run *x, u64 factor)
{
    return (int64_t)(factor * (u64)x->entry->data_align);
}

static void
set_factored(struct run *x, u64 column, enum cfi_how how, u64 factor)
{
    set(x, column, how, factored(x, factor));
}

static void
set_expression(struct run *x, u64 column, enum cfi_how how)
{
    u64 at = x->r.p;

    reader_skip(&x->r, read_uleb(&x->r));
    set(x, column, how, (int64_t)(at - x->entry->code));
}

static void
restore(struct run *x, u64 column)
{
    if (column >= CFI_COLUMNS)
        return;
    x->row->how[column] = x->initial ? x->initial->how[column] : HOW_SAME;
    x->row->value[column] = x->initial ? x->initial->value[column] : 0;
}

static void
set_cfa(struct run *x, u64 column, int64_t offset)
{
    if (column >= REGS_COUNT)
        x->r.bad = 1;
    x->row->cfa_register = (uint8_t)column;
    x->row->cfa_offset = offset;
}

static void
set_cfa_expression(struct run *x)
{
    u64 at = x->r.p;

    reader_skip(&x->r, read_uleb(&x->r));
    x->row->cfa_register = CFI_NO_REGISTER;
    x->row->cfa_offset = (int64_t)(at - x->entry->code);
}

static void
advance(struct run *x, u64 by)
{
    x->at += by * x->entry->code_align;
}

static void
remember(struct run *x)
{
    if (x->remembered < REMEMBERED)
        x->memory[x->remembered++] = *x->row;
    else
        x->r.bad = 1;
}

static void
recall(struct run *x)
{
    if (x->remembered > 0)
        *x->row = x->memory[--x->remembered];
    else
        x->r.bad = 1;
}

static void
cfa_instruction(struct run *x, u32 op)
{
    struct reader *r = &x->r;
    u64 column = x->row->cfa_register;

    switch (op) {
    case CFA_DEF_CFA:
        column = read_uleb(r);
        set_cfa(x, column, (int64_t)read_uleb(r));
        break;
    case CFA_DEF_CFA_SF:
        column = read_uleb(r);
        set_cfa(x, column, factored(x, (u64)read_sleb(r)));
        break;
    case CFA_DEF_CFA_REGISTER:
        set_cfa(x, read_uleb(r), x->row->cfa_offset);
        break;
    case CFA_DEF_CFA_OFFSET:
        set_cfa(x, column, (int64_t)read_uleb(r));
        break;
    case CFA_DEF_CFA_OFFSET_SF:
        set_cfa(x, column, factored(x, (u64)read_sleb(r)));
        break;
    default:
        set_cfa_expression(x);
    }
}

static void
register_instruction(struct run *x, u32 op)
{
    struct reader *r = &x->r;
    u64 column = read_uleb(r);

    switch (op) {
    case CFA_OFFSET_EXTENDED:
        set_factored(x, column, HOW_OFFSET, read_uleb(r));
        break;
    case CFA_OFFSET_EXTENDED_SF:
        set_factored(x, column, HOW_OFFSET, (u64)read_sleb(r));
        break;
    case CFA_GNU_NEGATIVE_OFFSET:
        set_factored(x, column, HOW_OFFSET, 0 - read_uleb(r));
        break;
    case CFA_VAL_OFFSET:
        set_factored(x, column, HOW_VAL_OFFSET, read_uleb(r));
        break;
    case CFA_VAL_OFFSET_SF:
        set_factored(x, column, HOW_VAL_OFFSET, (u64)read_sleb(r));
        break;
    case CFA_RESTORE_EXTENDED:
        restore(x, column);
        break;
    case CFA_UNDEFINED:
        set(x, column, HOW_UNDEFINED, 0);
        break;
    case CFA_SAME_VALUE:
        set(x, column, HOW_SAME, 0);
        break;
    case CFA_REGISTER:
        set(x, column, HOW_REGISTER, (int64_t)(read_uleb(r) & 0xff));
        break;
    case CFA_EXPRESSION:
        set_expression(x, column, HOW_EXPRESSION);
        break;
    default:
        set_expression(x, column, HOW_VAL_EXPRESSION);
    }
}

static void
plain_instruction(struct run *x, u32 op)
{
    switch (op) {
    case CFA_NOP:
        break;
    case CFA_SET_LOC:
        x->at = read_encoded(&x->r, x->entry->encoding, 0);
        break;
    case CFA_ADVANCE1:
        advance(x, read_fixed(&x->r, 1));
        break;
    case CFA_ADVANCE2:
        advance(x, read_fixed(&x->r, 2));
        break;
    case CFA_ADVANCE4:
        advance(x, read_fixed(&x->r, 4));
        break;
    case CFA_REMEMBER:
        remember(x);
        break;
    case CFA_RESTORE_STATE:
        recall(x);
        break;
    case CFA_GNU_ARGS_SIZE:
        read_uleb(&x->r);
        break;
    default:
        x->r.bad = 1;
    }
}

static void
instruction(struct run *x)
{
    u32 op = read_u8(&x->r);

    if ((op & 0xc0) == CFA_ADVANCE)
        advance(x, op & 0x3f);
    else if ((op & 0xc0) == CFA_OFFSET)
        set_factored(x, op & 0x3f, HOW_OFFSET, read_uleb(&x->r));
    else if ((op & 0xc0) == CFA_RESTORE)
        restore(x, op & 0x3f);
    else if ((op >= CFA_OFFSET_EXTENDED && op <= CFA_REGISTER) ||
             (op >= CFA_EXPRESSION && op <= CFA_OFFSET_EXTENDED_SF) ||
             (op >= CFA_VAL_OFFSET && op <= CFA_VAL_EXPRESSION) ||
             op == CFA_GNU_NEGATIVE_OFFSET)
        register_instruction(x, op);
    else if ((op >= CFA_DEF_CFA && op <= CFA_DEF_CFA_EXPRESSION) ||
             op == CFA_DEF_CFA_SF || op == CFA_DEF_CFA_OFFSET_SF)
        cfa_instruction(x, op);
    else
        plain_instruction(x, op);
}

/* Run instructions until the row for the address is complete. */
static int
run(struct run *x, u64 code, u64 end)
{
    if (end - code > CODE_BYTES)
        return -EBADMSG;
    x->r.p = code;
    x->r.end = end;
    x->r.readable = 0;
    x->remembered = 0;
    while (reader_more(&x->r)) {
        instruction(x);
        if (x->at > x->address)
            break;
    }
    return x->r.bad ? -EBADMSG : 0;
}

int
cfi_run(struct mem *m, const struct cfi_entry *entry, u64 address, struct cfi_row *row)
{
    struct cfi_row initial;
    struct run x;
    int err;

    memset(row, 0, sizeof(*row));
    x.r = reader_at(m, entry->cie_code, entry->cie_code_end);
    x.entry = entry;
    x.row = row;
    x.initial = NULL;
    x.at = entry->start;
    x.address = address;
    err = run(&x, entry->cie_code, entry->cie_code_end);
    if (err)
        return err;
    initial = *row;
    x.initial = &initial;
    x.at = entry->start;
    return run(&x, entry->code, entry->code_end);
}

int
cfi_block(struct mem *m, const struct cfi_entry *entry, int64_t offset, u64 *p,
          u64 *end)
{
    struct reader r = reader_at(m, entry->code + (u64)offset, ~(u64)0);
    u64 len = read_uleb(&r);

    if (r.bad || len > CODE_BYTES)
        return -EBADMSG;
    *p = r.p;
    *end = r.p + len;
    return 0;
}
