/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what heaptrack writes, after heaptrack_interpret has resolved addresses: lines
 * whose first letter says what they are, with hexadecimal numbers. These files have no
 * addresses of blocks, but a number for each pair of size and stack, from which
 * addresses are invented.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/names.h"
#include "import/unpack.h"
#include "print/base/array.h"

enum {
    VERSION_LEAST = 1, /* oldest file format read here; 0 has no kinds of blocks */
    VERSION_MOST = 3,
    VERSION_SIZED = 3, /* from here on, texts are preceded by their lengths */
    INLINED_MOST = 64,
    FIELDS_MOST = 2 + 3 * INLINED_MOST,
    LIVE_BITS = 24, /* low bits of the number of live blocks, in an invented address */
};

/* A kind of block: all blocks with one size and one stack. */
struct kind {
    u64 size;
    u32 trace;
    u64 live;
};

struct heaptrack {
    struct import *im;
    u64 version;
    u32 *text;   /* by number - 1: a text of names.h */
    u32 ntexts, texts_room;
    u32 *place;  /* by number of an instruction - 1: a place of names.h */
    u32 nplaces, places_room;
    u32 *node;   /* by number of a stack ("trace") - 1: its node */
    u32 nnodes, nodes_room;
    struct kind *kind;
    u32 nkinds, kinds_room;
    struct import_hit hit;
    u64 line;    /* number */
    u64 unknown; /* blocks that were freed without having been allocated */
    bool cut;    /* the last line has no newline */
};

static int
wrong(const struct heaptrack *h, const char *what)
{
    return import_fail(h->im, "line %llu: %s", (unsigned long long)h->line, what);
}

/* Reads hexadecimal numbers separated by blanks; returns how many there are. */
static u32
read_numbers(const char *at, const char *end, u64 *out, u32 most)
{
    u32 count = 0;

    while (at < end && count < most) {
        u64 value = 0;
        const char *from;

        while (at < end && *at == ' ')
            at++;
        for (from = at; at < end; at++) {
            const char *digits = "0123456789abcdef", *digit = strchr(digits, *at);

            if (!*at || !digit)
                break;
            value = value << 4 | (u64)(digit - digits);
        }
        if (at == from || (at < end && *at != ' '))
            break;
        out[count++] = value;
    }
    return count;
}

static int
read_text(struct heaptrack *h, const char *at, const char *end)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));

    if (h->version >= VERSION_SIZED && blank)
        at = blank + 1;
    if (array_room(&h->text, &h->texts_room, h->ntexts + 1, sizeof(*h->text)) < 0)
        return -ENOMEM;
    h->text[h->ntexts++] = names_text(h->im, at, (size_t)(end - at));
    return 0;
}

static u32
text_of(const struct heaptrack *h, u64 number)
{
    return number && number <= h->ntexts ? h->text[number - 1] : 0;
}

/*
 * Reads an instruction: its innermost function, then those into which that one is
 * inlined, from the inside out.
 */
static int
read_instruction(struct heaptrack *h, const char *at, const char *end)
{
    u64 field[FIELDS_MOST];
    u32 count = read_numbers(at, end, field, FIELDS_MOST), place = 0, n;

    if (count < 2)
        return wrong(h, "an instruction without an address and a module");
    /*
     * An instruction has one function, optionally with file and line; or several
     * functions, each with file and line.
     */
    n = count < 3 ? 0 : count < 5 ? 1 : (count - 2) / 3;
    while (n-- > 0) {
        const u64 *f = field + 2 + 3 * n;
        bool located = 2 + 3 * n + 2 < count;
        struct names_func func = { .object = text_of(h, field[1]),
                                   .name = text_of(h, f[0]),
                                   .file = located ? text_of(h, f[1]) : 0 };
        struct names_place p = { .caller = place, .file = func.file };

        p.line = located && f[2] < UINT32_MAX ? (u32)f[2] : 0;
        p.func = func.name ? names_func(h->im, &func) : 0;
        if (p.func)
            place = names_place(h->im, &p);
    }
    if (!place) {
        char name[40];
        struct names_func func = { .object = text_of(h, field[1]) };
        struct names_place p = { 0 };

        snprintf(name, sizeof(name), "<static>@0x%llx", (unsigned long long)field[0]);
        func.name = names_text(h->im, name, strlen(name));
        p.func = names_func(h->im, &func);
        place = names_place(h->im, &p);
    }
    if (array_room(&h->place, &h->places_room, h->nplaces + 1, sizeof(place)) < 0)
        return -ENOMEM;
    h->place[h->nplaces++] = place;
    return 0;
}

static int
read_trace(struct heaptrack *h, const char *at, const char *end)
{
    u64 field[2];

    if (read_numbers(at, end, field, 2) < 2 || !field[0] || field[0] > h->nplaces ||
        field[1] > h->nnodes)
        return wrong(h, "a stack of what is not known");
    if (array_room(&h->node, &h->nodes_room, h->nnodes + 1, sizeof(*h->node)) < 0)
        return -ENOMEM;
    h->node[h->nnodes] = names_node(h->im, h->hit.process,
                                    field[1] ? h->node[field[1] - 1] : 0,
                                    h->place[field[0] - 1]);
    h->nnodes++;
    return 0;
}

static int
read_kind(struct heaptrack *h, const char *at, const char *end)
{
    u64 field[2];

    if (read_numbers(at, end, field, 2) < 2 || field[1] > h->nnodes)
        return wrong(h, "blocks of a stack that is not known");
    if (array_room(&h->kind, &h->kinds_room, h->nkinds + 1, sizeof(*h->kind)) < 0)
        return -ENOMEM;
    h->kind[h->nkinds++] = (struct kind){ field[0], (u32)field[1], 0 };
    return 0;
}

/*
 * The invented address of the next block of a kind. After its `live` was reduced by
 * one, that is the address of its latest block: so the latest block is freed first. The
 * low 4 bits, which are 0 in addresses of real blocks, have the bits of the number
 * above LIVE_BITS, so that there may be 2^28 live blocks of a kind.
 */
static u64
address_of(const struct heaptrack *h, u64 kind)
{
    u64 live = h->kind[kind].live, low = live & ((1u << LIVE_BITS) - 1);

    return ((kind + 1) << LIVE_BITS | low) << 4 | live >> LIVE_BITS;
}

static int
read_block(struct heaptrack *h, bool begins, const char *at, const char *end)
{
    u64 number;
    struct kind *kind;

    if (!read_numbers(at, end, &number, 1) || number >= h->nkinds)
        return wrong(h, "a block of a kind that is not known");
    kind = &h->kind[number];
    if (begins) {
        h->hit.node = kind->trace ? h->node[kind->trace - 1] : 0;
        h->hit.value = kind->size;
        import_alloc(h->im, &h->hit, address_of(h, number));
        kind->live++;
    } else if (kind->live) {
        kind->live--;
        import_free(h->im, &h->hit, address_of(h, number));
    } else {
        h->unknown++;
    }
    return h->im->failed ? -ENOMEM : 0;
}

static void
read_command(struct heaptrack *h, const char *at, const char *end)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));

    h->im->process[h->hit.process - 1].name =
        import_text(h->im, at, (size_t)((blank ? blank : end) - at));
}

static int
read_line(struct heaptrack *h, const char *at, const char *end)
{
    u64 number;

    if (end - at < 2 || at[1] != ' ')
        return 0;
    switch (*at) {
    case 's':
        return read_text(h, at + 2, end);
    case 'i':
        return read_instruction(h, at + 2, end);
    case 't':
        return read_trace(h, at + 2, end);
    case 'a':
        return read_kind(h, at + 2, end);
    case '+':
    case '-':
        return read_block(h, *at == '+', at + 2, end);
    case 'X':
        read_command(h, at + 2, end);
        return 0;
    case 'c':
        if (read_numbers(at + 2, end, &number, 1) && number < 1ull << 40)
            h->hit.time = 1 + number * 1000000;
        return 0;
    }
    /* Other lines are ignored. */
    return 0;
}

/* Reads "v 10400 3": the versions of heaptrack and of the file format. */
static int
read_version(struct heaptrack *h, const char *at, const char *end)
{
    u64 field[2];

    if (end - at < 5 || memcmp(at, "v ", 2) != 0)
        return -ENOEXEC;
    if (read_numbers(at + 2, end, field, 2) < 2)
        return -ENOEXEC;
    h->version = field[1];
    if (h->version < VERSION_LEAST || h->version > VERSION_MOST)
        return import_fail(h->im, "it is of version %llu of heaptrack's files, which "
                           "is not known", (unsigned long long)h->version);
    h->im->tool = "heaptrack";
    h->im->has_heap = true;
    h->hit.time = 1;
    h->hit.process = import_process(h->im, 0, 0, 1);
    h->hit.thread = h->hit.process ? import_thread(h->im, h->hit.process, 0, 1) : 0;
    return h->hit.thread ? 0 : -ENOMEM;
}

static int
read_lines(struct heaptrack *h, struct bytes file)
{
    const char *at = (const char *)file.at, *end = at + file.size;
    int ret = 0;

    while (at < end && ret == 0) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        if (!newline) {
            h->im->cut_at = (u64)(at - (const char *)file.at);
            break;
        }
        ret = h->line++ ? read_line(h, at, newline) : read_version(h, at, newline);
        at = newline + 1;
    }
    if (ret == 0 && !h->hit.thread)
        return -ENOEXEC;
    if (h->unknown)
        import_add_note(h->im, "%llu blocks are freed more often than allocated",
                        (unsigned long long)h->unknown);
    return ret == 0 ? names_settle(h->im) : ret;
}

int
import_heaptrack(struct import *im, struct bytes file)
{
    struct heaptrack h = { .im = im };
    struct unpacked text;
    int ret = unpack_gzip(im, file, &text);

    if (ret == 0 && !text.heap)
        ret = unpack_zstd(im, file, &text);
    if (ret < 0)
        return ret;
    ret = read_lines(&h, text.bytes);
    unpack_free(&text);
    free(h.text);
    free(h.place);
    free(h.node);
    free(h.kind);
    return ret;
}
