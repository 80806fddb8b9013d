/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cursor that reads call frame information, and what the files cfi*.c share. Runs in
 * signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CFI_READ_H
#define ERTOOLS_COLLECTOR_SIG_CFI_READ_H

#include <string.h>

#include "collector/sig/mem.h"
#include "collector/sig/regs.h"
#include "share/types.h"

struct cfi_entry;

/* A cursor in [p, end). After a read that fails it stays bad, and all values are 0. */
struct reader {
    struct mem *m;
    u64 p;
    u64 end;
    u64 readable; /* memory is known to be readable up to here, a page's end */
    int bad;
};

static inline struct reader
reader_at(struct mem *m, u64 p, u64 end)
{
    return (struct reader){ .m = m, .p = p, .end = end, .bad = p > end };
}

static inline int
reader_more(const struct reader *r)
{
    return !r->bad && r->p < r->end;
}

/* The next len (1 to 8) bytes as a little-endian number. */
static inline u64
read_fixed(struct reader *r, u32 len)
{
    u64 value = 0;

    if (r->bad || r->end - r->p < len) {
        r->bad = 1;
        return 0;
    }
    if (ER_UNLIKELY(r->p + len > r->readable)) {
        if (!mem_ok(r->m, r->p, len)) {
            r->bad = 1;
            return 0;
        }
        r->readable = ((r->p + len - 1) | ((1 << MEM_PAGE_SHIFT) - 1)) + 1;
    }
    memcpy(&value, (const void *)(uintptr_t)r->p, len);
    r->p += len;
    return value;
}

static inline u32
read_u8(struct reader *r)
{
    return (u32)read_fixed(r, 1);
}

static inline int64_t
read_signed(struct reader *r, u32 len)
{
    u32 shift = 64 - 8 * len;

    return (int64_t)(read_fixed(r, len) << shift) >> shift;
}

static inline void
reader_skip(struct reader *r, u64 len)
{
    if (r->bad || len > r->end - r->p)
        r->bad = 1;
    else
        r->p += len;
}

u64 read_uleb(struct reader *r);
int64_t read_sleb(struct reader *r);

/* Encodings of addresses in .eh_frame (DW_EH_PE_*). */
enum {
    PE_OMIT = 0xff,
    PE_FORMAT = 0x0f,
    PE_UDATA4 = 0x03,
    PE_SDATA4 = 0x0b,
    PE_APPLICATION = 0x70,
    PE_PCREL = 0x10,
    PE_DATAREL = 0x30,
    PE_INDIRECT = 0x80,
};

/* Read an encoded address. data: the base of PE_DATAREL. */
u64 read_encoded(struct reader *r, u32 encoding, u64 data);

/*
 * Set *value to that of the DWARF expression [p, end) for a frame with these registers.
 * initial: a value pushed first, or NULL. 0; -EFAULT: a load failed; -EINVAL: a
 * register is not known; -EBADMSG: a bad expression.
 */
int cfi_expression(struct mem *m, const struct regs *regs, u64 p, u64 end,
                   const u64 *initial, u64 *value);

/* How a register of the caller is found. */
enum cfi_how {
    HOW_SAME = 0, /* unchanged, also if the CFI does not say */
    HOW_UNDEFINED,
    HOW_OFFSET,     /* *(CFA + value) */
    HOW_VAL_OFFSET, /* CFA + value */
    HOW_REGISTER,   /* the value is in the register of this number */
    HOW_EXPRESSION, /* *expression */
    HOW_VAL_EXPRESSION,
};

enum {
    CFI_COLUMNS = REGS_COUNT + 1,
    CFI_NO_REGISTER = 0xff,
};

/* A row of the unwind table: how to undo a frame at one pc. */
struct cfi_row {
    int64_t cfa_offset; /* CFA - register; or of the expression, as in value[] */
    int32_t value[CFI_COLUMNS]; /* as `how` says; of an expression: offset from code */
    uint8_t how[CFI_COLUMNS];
    uint8_t cfa_register;
};

/* Set *row for an address: run the entry's instructions up to there. 0, -EBADMSG. */
int cfi_run(struct mem *m, const struct cfi_entry *entry, u64 address,
            struct cfi_row *row);

/* Set [*p, *end) to the expression at an offset that a row has. 0, -EBADMSG. */
int cfi_block(struct mem *m, const struct cfi_entry *entry, int64_t offset, u64 *p,
              u64 *end);

#endif
