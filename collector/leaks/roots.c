/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/leaks/roots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD = sizeof(u64),
    RED_ZONE = 128,     /* bytes below the stack pointer that leaf functions use */
    EXIT_BYTES = 64,    /* exit() makes its call within so many bytes of its start */
    EXIT_FRAMES = 65536,
    CONTROL_BYTES = 65536, /* search so far below a stack's end for the control block */
    CONTROL_ALIGN = 64,
    STRING_HEAD = 24,
    GAP = 16 * MEMORY_PAGE, /* blocks with smaller gaps are read together */
};

/* The memory that is being read. */
struct reading {
    struct roots *roots;
    const struct memory_area *area;
    u32 block; /* when blocks are read: index of the block whose words come next */
    int error; /* -ENOMEM if an edge could not be added, else 0 */
};

/* The first words of a block into which an interior pointer points. */
struct beginning {
    u64 word[3];
};

static int
is_beginning_of_object(const struct roots *r, u64 word)
{
    char byte;

    /*
     * 1 if the word may point to a vtable, with which a C++ object begins: vtables are
     * in read-only memory.
     */
    return word > MEMORY_PAGE && !(word & 7) && !memory_area_of(r->memory, word) &&
           memory_peek(r->memory, word, &byte, 1) == 0;
}

/*
 * Does this interior pointer show that the block is in use, as a pointer to its
 * beginning does? Assume so if it seems to point to the elements of a C++ array after
 * their count, to the text of a string after its header, to a base class that is not
 * the object's first, or to data after their length.
 */
static int
stands_for_beginning(const struct roots *r, const struct graph_block *b, u64 addr)
{
    struct beginning is;
    u64 at = addr - b->addr, other;

    if (at & 7 || b->size < 2 * WORD ||
        memory_peek(r->memory, b->addr, &is,
                    b->size < sizeof(is) ? 2 * WORD : sizeof(is)) < 0)
        return 0;
    if (at == WORD && is.word[0] &&
        (is.word[0] == b->size - WORD || (b->size - WORD) % is.word[0] == 0))
        return 1;
    if (at == STRING_HEAD && b->size > STRING_HEAD && is.word[0] <= is.word[1] &&
        is.word[1] == b->size - STRING_HEAD - 1)
        return 1;
    return b->size >= at + WORD && is_beginning_of_object(r, is.word[0]) &&
           memory_peek(r->memory, addr, &other, WORD) == 0 &&
           is_beginning_of_object(r, other);
}

/*
 * Is this a pointer of the C library's free lists? Assume so if it points to the last
 * word of a block. The lists point to the header of a free chunk, 16 bytes before its
 * memory, which can be the last word of the block before it; but that block is not
 * meant.
 */
static int
is_of_free_list(const struct graph_block *b, u64 addr)
{
    return !(addr & 15) && b->addr + b->size - addr <= WORD;
}

/* The block to which a word points, GRAPH_NONE if none; *interior: into its middle. */
static u32
points_to(const struct reading *v, u64 word, int *interior)
{
    const struct graph *g = v->roots->graph;
    const struct graph_block *b;
    u32 to = graph_may_have(g, word) ? graph_find(g, word) : GRAPH_NONE;

    if (to == GRAPH_NONE)
        return to;
    b = &g->block[to];
    *interior = word != b->addr;
    if (!*interior)
        return to;
    if (v->area && v->area->libc && is_of_free_list(b, word))
        return GRAPH_NONE;
    *interior = !stands_for_beginning(v->roots, b, word);
    return to;
}

static void
root_word(const struct reading *v, u64 word)
{
    int interior;
    u32 to = points_to(v, word, &interior);

    if (to != GRAPH_NONE)
        graph_add_root(v->roots->graph, to, interior);
}

static int
is_own(const struct roots *r, u64 addr)
{
    u32 lo = 0, hi = r->owns;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (r->own[mid].addr + r->own[mid].bytes <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < r->owns && r->own[lo].addr <= addr;
}

/* In a page of the heap, take the words that are in no block as roots. */
static void
between_blocks(const struct reading *v, u64 addr, const u64 *word, u64 words)
{
    for (u64 i = 0; i < words; i++)
        if (graph_find(v->roots->graph, addr + i * WORD) == GRAPH_NONE)
            root_word(v, word[i]);
}

/*
 * Read the words of an area page by page, since each page belongs to the heap or not.
 */
static int
on_root_piece(void *context, u64 addr, const u64 *word, u64 words)
{
    const struct reading *v = context;
    const struct roots *r = v->roots;

    while (words) {
        u64 n = (MEMORY_PAGE - addr % MEMORY_PAGE) / WORD;

        n = n < words ? n : words;
        if (is_own(r, addr))
            ;
        else if (!graph_page(r->graph, addr))
            for (u64 i = 0; i < n; i++)
                root_word(v, word[i]);
        else if (!r->complete)
            between_blocks(v, addr, word, n);
        addr += n * WORD;
        word += n;
        words -= n;
    }
    return 0;
}

/*
 * Where the used part of a stack begins: RED_ZONE below the lowest stack pointer in
 * this area; for the thread that ends the process, what after_exit() found. 0 if no
 * thread has its stack here.
 */
static u64
least_stack(const struct roots *r, const struct memory_area *area)
{
    u64 least = 0;

    if (r->stack >= area->lo && r->stack < area->hi)
        return r->stack;
    for (u32 i = 0; i < r->stop->count; i++) {
        u64 sp = r->stop->thread[i].sp;

        if (sp >= area->lo && sp < area->hi && (!least || sp < least))
            least = sp;
    }
    return least && least - area->lo > RED_ZONE ? (least - RED_ZONE) & ~(u64)7 : least;
}

/* Does the thread with this control block still run? */
static int
is_alive(const struct roots *r, u64 control)
{
    for (u32 i = 0; i < r->stop->count; i++)
        if (r->stop->thread[i].pointer == control)
            return 1;
    return 0;
}

/*
 * Find the used part of the stack of a thread that has ended. The C library keeps such
 * stacks, to use them again; only the thread control block at their end still holds
 * pointers in use. Returns where the control block begins; area->lo if the area does
 * not look like such a stack.
 */
static u64
dead_stack(const struct roots *r, const struct memory_area *area)
{
    static _Thread_local u64 end[CONTROL_BYTES / WORD];
    u64 bytes = area->hi - area->lo, from;

    if (r->stop->refused)
        return area->lo;
    bytes = bytes < sizeof(end) ? bytes : sizeof(end);
    from = area->hi - bytes;
    if (memory_peek(r->memory, from, end, bytes) < 0)
        return area->lo;
    for (u64 i = bytes / WORD - 3; i > 0; i--) {
        u64 addr = from + i * WORD;

        if (addr % CONTROL_ALIGN == 0 && end[i] == addr && end[i + 2] == addr)
            return is_alive(r, addr) ? area->lo : addr;
    }
    return area->lo;
}

/*
 * Find the stack pointer above the frames of exit() and of the functions that it has
 * called: words in these frames are left over from earlier calls and are not roots. If
 * there is no such frame, return r->stack.
 */
static u64
after_exit(const struct roots *r)
{
    static _Thread_local u64 frames[EXIT_FRAMES / WORD];
    const struct memory_area *area = memory_area_of(r->memory, r->stack);
    u64 bytes = area ? area->hi - r->stack : 0;

    bytes = bytes < sizeof(frames) ? bytes & ~(u64)7 : sizeof(frames);
    if (!r->exit || !bytes || memory_peek(r->memory, r->stack, frames, bytes) < 0)
        return r->stack;
    for (u64 i = 0; i < bytes / WORD; i++)
        if (frames[i] - r->exit < EXIT_BYTES)
            return r->stack + i * WORD + WORD;
    return r->stack;
}

static int
read_area(struct roots *r, const struct memory_area *area)
{
    struct reading v = { .roots = r, .area = area };
    u64 from = area->lo, stack;

    if (area->main_stack || (area->anonymous && area->guarded)) {
        stack = least_stack(r, area);
        if (stack)
            from = stack;
        else if (area->guarded)
            from = dead_stack(r, area);
    }
    return memory_read_all(r->memory, from, area->hi, on_root_piece, &v);
}

static void
read_registers(struct roots *r)
{
    struct reading v = { .roots = r };

    for (u32 i = 0; i < r->stop->count; i++) {
        const struct stop_thread *t = &r->stop->thread[i];
        const struct memory_area *area = memory_area_of(r->memory, t->sp);

        /*
         * Skip the registers of the thread that ends the process: it is in the
         * collector's code.
         */
        if (area && r->stack >= area->lo && r->stack < area->hi)
            continue;
        for (u32 k = 0; k < STOP_REGISTERS; k++)
            root_word(&v, t->reg[k]);
    }
}

/* Add the edges from words in blocks; words between blocks are skipped. */
static int
on_block_piece(void *context, u64 addr, const u64 *word, u64 words)
{
    struct reading *v = context;
    struct graph *g = v->roots->graph;
    u64 end = addr + words * WORD;

    while (v->block < g->count) {
        const struct graph_block *b = &g->block[v->block];
        u64 from = (b->addr + 7) & ~(u64)7, to = (b->addr + b->size) & ~(u64)7;

        if (from >= end)
            break;
        from = from < addr ? addr : from;
        for (u64 at = from; at < to && at < end && v->error == 0; at += WORD) {
            int interior;
            u32 target = points_to(v, word[(at - addr) / WORD], &interior);

            if (target != GRAPH_NONE && target != v->block)
                v->error = graph_add_edge(g, v->block, target, interior);
        }
        if (to > end || v->error)
            break;
        v->block++;
    }
    return v->error;
}

/* The end of a run of blocks with small gaps; *next: the first block after it. */
static u64
end_of_run(const struct graph *g, u32 first, u32 *next)
{
    u64 end = g->block[first].addr + g->block[first].size;

    for (*next = first + 1; *next < g->count && g->block[*next].addr <= end + GAP;
         ++*next)
        end = g->block[*next].addr + g->block[*next].size;
    return end;
}

static int
read_blocks(struct roots *r)
{
    struct reading v = { .roots = r };
    const struct graph *g = r->graph;
    u32 next;
    int ret = 0;

    for (u32 first = 0; first < g->count && ret == 0; first = next) {
        u64 end = end_of_run(g, first, &next);

        v.block = first;
        ret = memory_read_all(r->memory, g->block[first].addr & ~(u64)7, end,
                              on_block_piece, &v);
    }
    return ret;
}

int
roots_find(struct roots *r)
{
    int ret = 0;

    r->stack = after_exit(r);
    for (u32 i = 0; i < r->memory->areas && ret == 0; i++)
        ret = read_area(r, &r->memory->area[i]);
    if (ret == 0) {
        read_registers(r);
        ret = read_blocks(r);
    }
    return ret;
}
