/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/coldpart.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Jumps are searched for at every byte, so some of those found are not instructions.
 * Therefore the function from which most jumps lead into a part is taken for the part's
 * function (majority vote).
 */
struct part {
    struct symbol *symbol;
    const struct symbol *parent; /* the function that leads the vote so far */
    u32 votes;                   /* votes for it, less those against it */
    bool at_start;               /* one of the parent's jumps goes to the first byte */
};

struct parts {
    struct part *at; /* in the order of addresses */
    u32 count;
};

static int
list_parts(struct parts *parts, struct symbols *s, const struct fde_list *fdes)
{
    parts->count = 0;
    parts->at = calloc(s->count + 1, sizeof(*parts->at));
    if (!parts->at)
        return -ENOMEM;
    for (u32 i = 0; i < s->count; i++) {
        struct symbol *x = &s->at[i];
        const struct fde *fde = x->name[0] || x->func ? NULL : fde_at(fdes, x->addr);

        if (fde && fde->inner)
            parts->at[parts->count++].symbol = x;
    }
    return 0;
}

static struct part *
find(const struct parts *parts, u64 addr)
{
    u32 low = 0, count = parts->count;

    while (count > 0) {
        u32 half = count / 2;

        if (parts->at[low + half].symbol->addr <= addr) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    if (low == 0 || addr - parts->at[low - 1].symbol->addr >=
                        parts->at[low - 1].symbol->size)
        return NULL;
    return &parts->at[low - 1];
}

static void
vote(struct part *part, const struct symbol *from, u64 to)
{
    if (from == part->symbol)
        return;
    if (part->parent != from && part->votes > 0) {
        part->votes--;
        return;
    }
    if (part->parent != from)
        part->at_start = false;
    part->parent = from;
    part->votes++;
    part->at_start |= to == part->symbol->addr;
}

static const unsigned char *
bytes_of(const struct codemap *code, const struct symbol *x, u64 *size)
{
    const struct codemap_part *c = codemap_find(code, x->addr);

    if (!c || x->addr - c->lo >= c->bytes.size)
        return NULL;
    *size = c->bytes.size - (x->addr - c->lo);
    if (*size > x->size)
        *size = x->size;
    return c->bytes.at + (x->addr - c->lo);
}

/*
 * Searches for jumps with a displacement of four bytes; shorter jumps do not reach
 * another section.
 */
static void
scan(const struct parts *parts, const struct codemap *code, const struct symbol *x)
{
    u64 size = 0;
    const unsigned char *p = bytes_of(code, x, &size);

    for (u64 i = 0; p && i + 5 <= size; i++) {
        u64 next;
        int32_t disp;
        struct part *part;

        if (p[i] == 0xe9)
            next = i + 1;
        else if (p[i] == 0x0f && (p[i + 1] & 0xf0) == 0x80 && i + 6 <= size)
            next = i + 2;
        else
            continue;
        memcpy(&disp, p + next, sizeof(disp));
        part = find(parts, x->addr + next + 4 + (u64)(int64_t)disp);
        if (part)
            vote(part, x, x->addr + next + 4 + (u64)(int64_t)disp);
    }
}

int
coldpart_name(struct symbols *s, const struct fde_list *fdes)
{
    struct parts parts;
    int status = list_parts(&parts, s, fdes);

    if (status < 0)
        return status;
    for (u32 i = 0; parts.count && i < s->count; i++)
        scan(&parts, s->code, &s->at[i]);
    for (u32 i = 0; i < parts.count; i++) {
        const struct part *part = &parts.at[i];

        if (!part->votes || !(part->at_start || part->votes > 1) ||
            !part->parent->name[0] || part->parent->flags & SYMBOL_COLD)
            continue;
        part->symbol->name = part->parent->name;
        part->symbol->flags |= SYMBOL_COLD;
    }
    free(parts.at);
    return 0;
}
