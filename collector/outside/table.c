/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/cfi_entry.h"

enum {
    PAGE = 4096,
    HEADER_BYTES = 16, /* 4 encodings, address of .eh_frame, number of rows, padding */
    PLACES = 64,       /* addresses that are tried for the table, STRIDE apart */
    STRIDE = 1 << 24,
};

/* A row with absolute addresses, until the table's own address is known. */
struct row {
    u64 code;
    u64 fde;
};

struct rows {
    struct row *row;
    size_t count, room;
};

static int
add(struct rows *rows, struct row row)
{
    if (rows->count == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 1024;
        struct row *grown = reallocarray(rows->row, room, sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        rows->row = grown;
        rows->room = room;
    }
    rows->row[rows->count++] = row;
    return 0;
}

/* Collect all entries in [frames, end); entries that cannot be parsed are left out. */
static int
gather(u64 frames, u64 end, struct rows *rows)
{
    struct cfi_entry entry;
    struct mem m;
    u64 at = frames;
    int ret = 0;

    mem_init(&m, frames, end);
    while (ret == 0 && at < end) {
        u64 here = at;
        int found = cfi_entry_next(&m, &at, &entry);

        if (found < 0)
            break;
        if (found && entry.end > entry.start)
            ret = add(rows, (struct row){ entry.start, here });
    }
    return ret;
}

static int
by_code(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return x->code < y->code ? -1 : x->code > y->code;
}

/*
 * Map memory after the object, at an address that is free in this process. NULL: there
 * is none.
 */
static void *
near(u64 end, u64 bytes)
{
    u64 at = (end + PAGE - 1) & ~(u64)(PAGE - 1);

    for (int i = 1; i <= PLACES; i++) {
        void *want = (void *)(uintptr_t)(at + (u64)i * STRIDE);
        void *got = mmap(want, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

        if (got == want)
            return got;
        if (got != MAP_FAILED)
            munmap(got, bytes);
    }
    return NULL;
}

static int
is_near(u64 address, u64 table)
{
    int64_t by = (int64_t)(address - table);

    return by == (int32_t)by;
}

/*
 * Write the table's content (Linux Standard Base, .eh_frame_hdr); its addresses are
 * relative.
 */
static void
write_table(unsigned char *to, u64 frames, const struct rows *rows)
{
    /* pcrel sdata4, udata4, datarel sdata4 */
    static const unsigned char head[4] = { 1, 0x1b, 0x03, 0x3b };
    u64 base = (u64)(uintptr_t)to;
    int32_t word = (int32_t)(frames - (base + 4));
    u32 count = 0;

    memcpy(to, head, sizeof(head));
    memcpy(to + 4, &word, sizeof(word));
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        int32_t pair[2] = { (int32_t)(row->code - base), (int32_t)(row->fde - base) };

        if (is_near(row->code, base) && is_near(row->fde, base))
            memcpy(to + 12 + 8 * (size_t)count++, pair, sizeof(pair));
    }
    memcpy(to + 8, &count, sizeof(count));
}

int
table_make(u64 frames, u64 end, struct process_table *table)
{
    struct rows rows = { .row = NULL };
    int ret = gather(frames, end, &rows);
    u64 bytes = HEADER_BYTES + 8 * rows.count;
    void *to = NULL;

    if (ret == 0 && !rows.count)
        ret = -ENOENT;
    if (ret == 0) {
        qsort(rows.row, rows.count, sizeof(*rows.row), by_code);
        to = near(end, bytes);
        ret = to && is_near(frames, (u64)(uintptr_t)to) ? 0 : -ENOMEM;
    }
    if (ret == 0) {
        write_table(to, frames, &rows);
        *table = (struct process_table){ (u64)(uintptr_t)to, bytes };
    } else if (to) {
        munmap(to, bytes);
    }
    free(rows.row);
    return ret;
}
