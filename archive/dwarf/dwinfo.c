/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwinfo.h"

#include <errno.h>
#include <stdlib.h>

#include "archive/dwarf/dwfunc.h"
#include "archive/object/objfile.h"

#define DEPTH_MAX 2048       /* levels of nested DIEs */
#define SEGMENTS_MAX 100000000 /* a bound for hostile input */

/* The state while the DIEs of one unit are read in turn. */
struct die_walk {
    struct dwinfo *d;
    struct dwunit *u;
    struct cursor c;
    u32 depth;
    struct {
        u32 node;     /* innermost inlined call around DIEs of this depth; 0: none */
        u32 nesting;  /* how many inlined calls are around them */
        bool copy;    /* the DIEs are in a function that an earlier unit described */
    } at[DEPTH_MAX];
};

/* The attributes of a function or an inlined call that are read. */
struct details {
    struct dwrange_values code;
    struct dwvalue origin;
    u64 call_file;
    u64 call_line;
    u64 call_column;
    u64 discriminator;
};

/*
 * Makes room for one more element; false if that fails. If memory has run out, sets
 * d->status.
 */
static bool
grow(struct dwinfo *d, void *array, u32 count, u32 *capacity, size_t size)
{
    u32 more = *capacity ? *capacity * 2 : 1024;
    void *at;

    if (d->status < 0 || count >= SEGMENTS_MAX)
        return false;
    if (count < *capacity)
        return true;
    memcpy(&at, array, sizeof(at));
    at = realloc(at, (size_t)more * size);
    if (!at) {
        d->status = -ENOMEM;
        return false;
    }
    memcpy(array, &at, sizeof(at));
    *capacity = more;
    return true;
}

static void
add_segment(struct dwinfo *d, u32 addr, u32 node)
{
    if (grow(d, &d->segments, d->segment_count, &d->segment_capacity,
             sizeof(*d->segments)))
        d->segments[d->segment_count++] = (struct obj_range){addr, node};
}

static int
compare_intervals(const void *a, const void *b)
{
    const struct dwinfo_interval *x = a, *y = b;

    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/*
 * Does interval `a` hide `b` where both overlap? It does if it is deeper or, at the
 * same depth, begins later.
 */
static bool
hides(const struct dwinfo_interval *a, const struct dwinfo_interval *b)
{
    return a->depth != b->depth ? a->depth > b->depth : a > b;
}

/*
 * Adds an interval to the heap of open intervals; an interval that hides another one is
 * nearer to the top.
 */
static void
heap_push(const struct dwinfo_interval **heap, u32 count,
          const struct dwinfo_interval *x)
{
    u32 at = count;

    for (; at > 0 && hides(x, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = x;
}

/* Removes the top of the heap: the interval that hides all others. */
static void
heap_pop(const struct dwinfo_interval **heap, u32 count)
{
    const struct dwinfo_interval *x = heap[count - 1];
    u32 at = 0, child;

    for (; (child = 2 * at + 1) < count - 1; at = child) {
        if (child + 1 < count - 1 && hides(heap[child + 1], heap[child]))
            child++;
        if (!hides(heap[child], x))
            break;
        heap[at] = heap[child];
    }
    heap[at] = x;
}

/*
 * Turns the intervals of one unit into a sequence of segments, each with its innermost
 * inlined call. The intervals may overlap without being nested. An interval that has
 * ended stays in the heap until it is at the top.
 */
static void
flatten(struct dwinfo *d)
{
    const struct dwinfo_interval *in = d->intervals, **heap;
    u32 n = d->interval_count, open = 0, next = 0, last = 0, at, node;

    d->interval_count = 0;
    if (n == 0)
        return;
    heap = malloc(n * sizeof(*heap));
    if (!heap) {
        d->status = -ENOMEM;
        return;
    }
    qsort(d->intervals, n, sizeof(*in), compare_intervals);
    while (next < n || open > 0) {
        at = open > 0 ? heap[0]->hi : UINT32_MAX;
        if (next < n && in[next].lo < at)
            at = in[next].lo;
        while (next < n && in[next].lo == at)
            heap_push(heap, open++, &in[next++]);
        while (open > 0 && heap[0]->hi <= at)
            heap_pop(heap, open--);
        node = open > 0 ? heap[0]->node : 0;
        if (node != last)
            add_segment(d, at, node);
        last = node;
    }
    free(heap);
}

static void
read_details(struct die_walk *w, const struct dwabbrev *a, struct details *out)
{
    const struct dwattr *attr = &w->u->abbrevs->attrs[a->first];
    struct dwvalue v;

    memset(out, 0, sizeof(*out));
    for (u32 i = 0; i < a->count; i++, attr++) {
        dwform_read(w->u, &w->c, attr, &v);
        switch (attr->name) {
        case DW_AT_low_pc:
            out->code.low = v;
            break;
        case DW_AT_high_pc:
            out->code.high = v;
            break;
        case DW_AT_ranges:
            out->code.ranges = v;
            break;
        case DW_AT_abstract_origin:
            out->origin = v;
            break;
        case DW_AT_call_file:
            out->call_file = v.number;
            break;
        case DW_AT_call_line:
            out->call_line = v.number;
            break;
        case DW_AT_call_column:
            out->call_column = v.number;
            break;
        case DW_AT_GNU_discriminator:
            out->discriminator = v.number;
            break;
        }
    }
}

static void
add_function(struct dwinfo *d, const struct dwrange *r, u32 func, bool first)
{
    if (codemap_find(d->code, r->lo) &&
        grow(d, &d->functions, d->function_count, &d->function_capacity,
             sizeof(*d->functions)))
        d->functions[d->function_count++] =
            (struct dwinfo_function){r->lo, r->hi, func, first};
}

/*
 * Has an earlier unit described a function that starts here? Of several copies of an
 * inline function or a template, the linker keeps one; then the debug information of
 * all copies refers to that address. The first unit's description is used, as with line
 * tables.
 */
static bool
is_copy(struct dwinfo *d, u64 start)
{
    bool known = false;
    u32 *unit;

    if (!codemap_find(d->code, start))
        return false;
    unit = dwmemo_place(&d->owners, start, &known);
    if (!unit) {
        d->status = -ENOMEM;
        return false;
    }
    if (!known)
        *unit = d->unit_count;
    return *unit != d->unit_count;
}

/*
 * Reads a function: if it has code, notes its ranges, so that symbols that start there
 * get its names. Returns whether it is a copy of a function that an earlier unit has
 * described.
 */
static bool
enter_function(struct die_walk *w, const struct dwabbrev *a)
{
    struct dwinfo *d = w->d;
    u64 die = (u64)(w->c.at - w->u->file->info.at);
    struct details details;
    u32 func = 0;

    read_details(w, a, &details);
    if (!dwrange_list(&d->ranges, w->u, &details.code))
        d->status = -ENOMEM;
    if (d->ranges.count > 0 && is_copy(d, d->ranges.at[0].lo))
        return true;
    for (u32 i = 0; i < d->ranges.count; i++) {
        if (i == 0)
            func = dwfunc_at(d->w, d->line, w->u, a, die);
        add_function(d, &d->ranges.at[i], func, i == 0);
    }
    return false;
}

static void
add_interval(struct dwinfo *d, const struct dwrange *r, u32 node, u32 depth)
{
    struct dwinfo_interval x = {.node = node, .depth = depth};

    if (!codemap_find(d->code, r->lo) || !objwrite_address(d->w, r->lo, &x.lo) ||
        !objwrite_address(d->w, r->hi, &x.hi))
        return;
    if (grow(d, &d->intervals, d->interval_count, &d->interval_capacity,
             sizeof(*d->intervals)))
        d->intervals[d->interval_count++] = x;
}

static u32
pack_position(u64 line, u64 column)
{
    return (line > OBJ_LOW24 ? 0 : (u32)line) |
           (column > 255 ? 0 : (u32)column << 24);
}

/*
 * Reads an inlined call: if it has code, it becomes a node. Returns the node for the
 * calls inside it: its own, or `parent`.
 */
static u32
enter_call(struct die_walk *w, const struct dwabbrev *a, u32 parent, u32 nesting)
{
    struct dwinfo *d = w->d;
    struct details details;
    struct obj_node row;
    u32 node;

    read_details(w, a, &details);
    if (!dwrange_list(&d->ranges, w->u, &details.code))
        d->status = -ENOMEM;
    if (d->ranges.count == 0 || !codemap_find(d->code, d->ranges.at[0].lo))
        return parent;
    row.parent = parent;
    row.func = dwfunc_referred(d->w, d->line, w->u, &details.origin);
    row.file = (dwline_file(d->line, w->u, details.call_file) & OBJ_LOW24) |
               obj_discriminator(details.discriminator);
    row.pos = pack_position(details.call_line, details.call_column);
    node = objwrite_row(d->w, OBJ_node, &row);
    if (node == UINT32_MAX)
        return parent;
    for (u32 i = 0; i < d->ranges.count; i++)
        add_interval(d, &d->ranges.at[i], node, nesting);
    return node;
}

/*
 * Skips a DIE; if `contents`, also all that it contains, if its DW_AT_sibling says
 * where that ends.
 */
static void
pass(struct die_walk *w, const struct dwabbrev *a, bool contents)
{
    struct dwvalue v, sibling = {0};
    u64 die;

    if (!contents || !a->sibling || !a->children) {
        dwform_skip(w->u, &w->c, a);
        return;
    }
    for (u32 i = 0; i < a->count; i++) {
        dwform_read(w->u, &w->c, &w->u->abbrevs->attrs[a->first + i], &v);
        if (w->u->abbrevs->attrs[a->first + i].name == DW_AT_sibling)
            sibling = v;
    }
    if (sibling.form && dwfile_reference(w->u, &sibling, &die) == w->u &&
        die > (u64)(w->c.at - w->u->file->info.at)) {
        w->c.at = w->u->file->info.at + die;
        w->depth--; /* makes up for the step down that the caller takes */
    }
}

/* Does a DIE with this tag contain nothing that is needed here? */
static bool
is_closed(u32 tag)
{
    return tag == DW_TAG_array_type || tag == DW_TAG_enumeration_type ||
           tag == DW_TAG_subroutine_type;
}

/* Reads one DIE, whose abbreviation code has been read. */
static void
visit(struct die_walk *w, const struct dwabbrev *a)
{
    u32 depth = w->depth, node = w->at[depth].node, nesting = w->at[depth].nesting;
    bool copy = w->at[depth].copy;

    if (a->children)
        w->depth++;
    if (a->tag == DW_TAG_subprogram) {
        copy = enter_function(w, a);
        node = nesting = 0;
    } else if (a->tag == DW_TAG_inlined_subroutine && !copy) {
        node = enter_call(w, a, node, nesting + 1);
        nesting++;
    } else {
        pass(w, a, is_closed(a->tag));
    }
    if (w->depth > depth && w->depth < DEPTH_MAX) {
        w->at[w->depth].node = node;
        w->at[w->depth].nesting = nesting;
        w->at[w->depth].copy = copy;
    }
}

void
dwinfo_unit(struct dwinfo *d, struct dwunit *u)
{
    struct die_walk w = {.d = d, .u = u, .c = dwfile_cursor(u, u->die)};

    d->unit_count++;
    while (cursor_left(&w.c) > 0 && w.depth < DEPTH_MAX && d->status == 0) {
        const struct dwabbrev *a = dwfile_abbrev(u, &w.c);

        if (a) {
            visit(&w, a);
            if (w.depth == 0)
                break; /* a unit without children */
            continue;
        }
        if (w.c.bad || w.depth == 0)
            break;
        if (--w.depth == 0)
            break;
    }
    flatten(d);
    if (w.c.bad || w.depth >= DEPTH_MAX)
        objwrite_add_note(d->w,
                          "%s: .debug_info: offset %llu: the unit is malformed or "
                          "has forms that are not known", u->file->img->path,
                          (unsigned long long)u->offset);
}

static int
compare_segments(const void *a, const void *b)
{
    const struct obj_range *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    /*
     * At one address, an end (node 0) comes before an inlined call that begins there:
     * dwinfo_write() uses the last segment of an address.
     */
    return x->node < y->node ? -1 : x->node > y->node;
}

void
dwinfo_write(struct dwinfo *d)
{
    struct obj_node *nodes = d->w->table[OBJ_node].at;
    struct obj_func *funcs = d->w->table[OBJ_func].at;
    u32 last = 0;

    if (d->segment_count) {
        qsort(d->segments, d->segment_count, sizeof(*d->segments), compare_segments);
        d->w->flags |= OBJFILE_HAS_INLINES;
    }
    for (u32 i = 0; i < d->segment_count; i++) {
        struct obj_range *r = &d->segments[i];

        if (i + 1 < d->segment_count && r[1].addr == r->addr)
            continue;
        if (r->node != last)
            objwrite_row(d->w, OBJ_range, r);
        last = r->node;
    }
    for (u32 i = 1; i < d->w->table[OBJ_node].count; i++)
        funcs[nodes[i].func].line |= OBJ_INLINED;
    if (d->status < 0)
        d->w->status = d->status;
}

void
dwinfo_free(struct dwinfo *d)
{
    free(d->functions);
    free(d->ranges.at);
    free(d->intervals);
    free(d->segments);
    dwmemo_free(&d->owners);
    memset(d, 0, sizeof(*d));
}
