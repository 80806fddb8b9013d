/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sample profiles of LLVM, as text: for each function of the program how often each of
 * its lines ran, told apart by discriminators, with inlined calls inside, and whom its
 * indirect calls called. Lines count from the function's first, so that the profile
 * still fits when code above has changed.
 *
 * A line has several instructions, and its count is the largest of theirs: the sum
 * would make long lines hot, and the mean counts instructions that the compiler has
 * moved there. What was called comes from the callers' stacks, by inclusive values, as
 * no other profile without branch records has it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive/objfile.h"
#include "print/load/array.h"
#include "print/model/symbols/object.h"
#include "print/out/outmap.h"

enum {
    NS_PER_COUNT = 1000, /* of metrics that are times: counts are microseconds */
    DEPTH_MOST = 64,     /* of inlined calls; deeper ones are left out */
    OFFSET_MASK = 0xffff,
};

/* A function, or one that is inlined there. */
struct body {
    u32 parent;  /* body + 1; 0 = a function of its own */
    u32 offset;  /* where it is inlined */
    u32 discriminator;
    const char *name;
    u32 len;     /* of the name, without what compilers append */
    u64 total;
    u32 line;    /* its first, + 1; 0 = it has none */
    u32 child;   /* what is inlined first there, + 1 */
    u32 next;    /* its parent's next, + 1 */
};

/* A line of a body. */
struct line {
    u32 body;
    u32 offset, discriminator;
    u64 count;
    u32 call; /* its first, + 1; 0 = it has none */
    u32 next; /* its body's next, + 1 */
};

/* What was called from an address, and how much. */
struct call {
    u64 addr;
    const char *name;
    u32 len;
    u32 line; /* + 1, once it is known */
    u64 count;
};

struct cost {
    u64 addr;
    u64 count;
};

struct writer {
    struct out *out;
    struct stackset set;
    struct outmap map;
    const struct objfile *file; /* of the program */
    u32 object;
    struct cost *cost;
    u32 ncosts, costs_room;
    struct call *call;
    u32 ncalls, calls_room;
    struct body *body;
    u32 nbodies, bodies_room;
    struct hash bodies;
    struct line *line;
    u32 nlines, lines_room;
    struct hash lines;
    u64 elsewhere, unnamed;
    bool discriminated; /* some line has a discriminator */
};

/* Without what compilers append to the name of a part or a clone of a function. */
static u32
plain_length(const char *name)
{
    static const char *const suffixes[] = { ".llvm.", ".part.", ".cold", ".isra.",
                                            ".constprop." };
    size_t len = strlen(name);

    for (u32 i = 0; i < ER_COUNT(suffixes); i++) {
        const char *at = strstr(name, suffixes[i]);

        if (at && at > name && (size_t)(at - name) < len)
            len = (size_t)(at - name);
    }
    return (u32)len;
}

static int
compare_text(const char *a, u32 alen, const char *b, u32 blen)
{
    int order = memcmp(a, b, alen < blen ? alen : blen);

    return order ? order : alen < blen ? -1 : alen > blen;
}

static int
compare_cost(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int
compare_call(const void *a, const void *b)
{
    const struct call *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return compare_text(x->name, x->len, y->name, y->len);
}

/* Whether an address has a call through a register or memory. */
static bool
is_indirect(const struct objfile *file, u64 addr)
{
    unsigned char code[4] = { 0 };
    u32 at = 0;

    if (objfile_code(file, addr, code, sizeof(code)) < 2)
        return false;
    while (at < 2 && ((code[at] & 0xf0) == 0x40 || code[at] == 0x3e ||
                      code[at] == 0xf2))
        at++;
    return code[at] == 0xff && (code[at + 1] >> 3 & 7) == 2;
}

static bool
add_call(struct writer *w, u64 addr, u64 callee, u64 count)
{
    struct objfile_symbol s;
    struct call call = { .addr = addr, .count = count };

    if (!is_indirect(w->file, addr) || objfile_symbol(w->file, callee, &s) < 0 ||
        !*s.name || strpbrk(s.name, " :\t\n"))
        return true;
    call.name = s.name;
    call.len = plain_length(s.name);
    if (array_room(&w->call, &w->calls_room, w->ncalls + 1, sizeof(call)) < 0)
        return false;
    w->call[w->ncalls++] = call;
    return true;
}

/* From a leaf on, who called whom. */
static bool
add_calls(struct writer *w, u32 node, u64 count)
{
    const struct location *callee = &w->set.location[w->set.of_node[node]];

    for (u32 up = stackset_caller(&w->set, node); up;
         up = stackset_caller(&w->set, up)) {
        const struct location *l = &w->set.location[w->set.of_node[up]];

        if (l->object == w->object && l->addr && callee->object == w->object &&
            callee->addr && !add_call(w, l->addr, callee->addr, count))
            return false;
        callee = l;
    }
    return true;
}

static int
gather(struct writer *w)
{
    bool ns = metrics[w->set.metric[0]].unit == METRIC_NS;
    int64_t value[METRIC_COUNT];

    for (u32 i = stackset_next(&w->set, 0); i; i = stackset_next(&w->set, i)) {
        u32 top = stackset_top(&w->set, i);
        const struct location *l = &w->set.location[top ? w->set.of_node[top] : 0];
        struct cost cost = { .addr = l->addr };

        if (!stackset_values(&w->set, i, value) || value[0] <= 0)
            continue;
        cost.count = (u64)value[0];
        if (ns)
            cost.count = (cost.count + NS_PER_COUNT - 1) / NS_PER_COUNT;
        if (top && !add_calls(w, top, cost.count))
            return -ENOMEM;
        if (!l->addr || l->object != w->object) {
            w->elsewhere += cost.count;
            continue;
        }
        if (array_room(&w->cost, &w->costs_room, w->ncosts + 1, sizeof(cost)) < 0)
            return -ENOMEM;
        w->cost[w->ncosts++] = cost;
    }
    if (w->ncosts)
        qsort(w->cost, w->ncosts, sizeof(*w->cost), compare_cost);
    return 0;
}

struct body_key {
    const struct writer *w;
    const struct body *body;
};

static bool
same_body(const void *context, u32 index)
{
    const struct body_key *key = context;
    const struct body *a = key->body, *b = &key->w->body[index];

    return b->parent == a->parent && b->offset == a->offset &&
           b->discriminator == a->discriminator &&
           !compare_text(b->name, b->len, a->name, a->len);
}

/* The number + 1 of a body, made when it is new; 0 without memory. */
static u32
body_of(struct writer *w, const struct body *body)
{
    struct body_key key = { w, body };
    u64 place = (u64)body->parent << 32 | body->offset << 8 | body->discriminator;
    u32 hash = (u32)hash_bytes(hash_mix(place), body->name, body->len);
    u32 at = hash_find(&w->bodies, hash, same_body, &key);

    if (at != HASH_NONE)
        return at + 1;
    if (array_room(&w->body, &w->bodies_room, w->nbodies + 1, sizeof(*body)) < 0 ||
        hash_add(&w->bodies, hash, w->nbodies) < 0)
        return 0;
    w->body[w->nbodies] = *body;
    return ++w->nbodies;
}

/* Where an address is. line->body is 0 where no function is known there. */
static int
find_line(struct writer *w, u64 addr, struct line *line)
{
    struct objfile_inline chain[DEPTH_MOST];
    struct objfile_symbol s;
    struct objfile_line l;
    struct body body = { .parent = 0 };
    u32 depth, from;

    *line = (struct line){ .body = 0 };
    if (objfile_symbol(w->file, addr, &s) < 0 || !*s.name || !s.decl_line ||
        strpbrk(s.name, " :\t\n") || objfile_line(w->file, addr, &l) < 0 || !l.line)
        return 0;
    body.name = s.name;
    body.len = plain_length(s.name);
    line->body = body_of(w, &body);
    from = s.decl_line;
    depth = objfile_inlines(w->file, addr, chain, DEPTH_MOST);
    for (u32 i = 0; i < depth && i < DEPTH_MOST && line->body; i++) {
        struct objfile_func f;

        if (objfile_func(w->file, chain[i].func, &f) < 0 || !f.decl_line ||
            !*f.linkage) {
            line->body = 0;
            return 0;
        }
        body.parent = line->body;
        body.offset = (chain[i].call_line - from) & OFFSET_MASK;
        body.discriminator = chain[i].discriminator;
        body.name = f.linkage;
        body.len = plain_length(f.linkage);
        line->body = body_of(w, &body);
        from = f.decl_line;
    }
    line->offset = (l.line - from) & OFFSET_MASK;
    line->discriminator = l.discriminator;
    w->discriminated |= l.discriminator != 0;
    return line->body ? 0 : -ENOMEM;
}

struct line_key {
    const struct writer *w;
    const struct line *line;
};

static bool
same_line(const void *context, u32 index)
{
    const struct line_key *key = context;
    const struct line *a = key->line, *b = &key->w->line[index];

    return b->body == a->body && b->offset == a->offset &&
           b->discriminator == a->discriminator;
}

/* The number + 1 of that line, made when it is new; 0 without memory. */
static u32
add_line(struct writer *w, const struct line *line)
{
    struct line_key key = { w, line };
    u32 hash = (u32)hash_mix((u64)line->body << 32 | line->offset << 8 |
                             line->discriminator);
    u32 at = hash_find(&w->lines, hash, same_line, &key);

    if (at != HASH_NONE) {
        if (w->line[at].count < line->count)
            w->line[at].count = line->count;
        return at + 1;
    }
    if (array_room(&w->line, &w->lines_room, w->nlines + 1, sizeof(*line)) < 0 ||
        hash_add(&w->lines, hash, w->nlines) < 0)
        return 0;
    w->line[w->nlines] = *line;
    return ++w->nlines;
}

static int
add_lines(struct writer *w)
{
    for (u32 i = 0, k; i < w->ncosts; i = k) {
        struct line line;
        u64 count = 0;
        int ret;

        for (k = i; k < w->ncosts && w->cost[k].addr == w->cost[i].addr; k++)
            count += w->cost[k].count;
        ret = find_line(w, w->cost[i].addr, &line);
        if (ret < 0)
            return ret;
        line.count = count;
        if (!line.body)
            w->unnamed += count;
        else if (!add_line(w, &line))
            return -ENOMEM;
    }
    return 0;
}

/* Calls at the lines where they are, one of each target. */
static int
place_calls(struct writer *w)
{
    u32 count = 0;

    for (u32 i = 0; i < w->ncalls; i++) {
        struct line line;
        int ret = find_line(w, w->call[i].addr, &line);

        if (ret < 0)
            return ret;
        if (line.body)
            w->call[i].line = add_line(w, &line);
        w->call[i].addr = 0;
    }
    if (w->ncalls)
        qsort(w->call, w->ncalls, sizeof(*w->call), compare_call);
    for (u32 i = 0; i < w->ncalls; i++) {
        struct call *last = count ? &w->call[count - 1] : NULL;

        if (last && !compare_call(last, &w->call[i]))
            last->count += w->call[i].count;
        else if (w->call[i].line)
            w->call[count++] = w->call[i];
    }
    w->ncalls = count;
    /* A call runs at least as often as what it calls. */
    for (u32 i = 0; i < count; i++) {
        struct line *line = &w->line[w->call[i].line - 1];

        if (line->count < w->call[i].count)
            line->count = w->call[i].count;
    }
    return 0;
}

/* Lines, calls and inlined bodies, from where they belong; and the totals. */
static void
link_all(struct writer *w)
{
    for (u32 i = w->ncalls; i-- > 0;)
        w->line[w->call[i].line - 1].call = i + 1;
    for (u32 i = w->nlines; i-- > 0;) {
        struct body *b = &w->body[w->line[i].body - 1];

        w->line[i].next = b->line;
        b->line = i + 1;
        b->total += w->line[i].count;
    }
    /* What is inlined has a higher number than where it is. */
    for (u32 i = w->nbodies; i-- > 0;) {
        struct body *parent =
            w->body[i].parent ? &w->body[w->body[i].parent - 1] : NULL;

        if (!parent)
            continue;
        parent->total += w->body[i].total;
        w->body[i].next = parent->child;
        parent->child = i + 1;
    }
}

static void
put_place(FILE *f, u32 depth, u32 offset, u32 discriminator)
{
    fprintf(f, "%*s%u", (int)depth, "", offset);
    if (discriminator)
        fprintf(f, ".%u", discriminator);
    fputs(": ", f);
}

static void
put_lines(const struct writer *w, const struct body *body, u32 depth)
{
    FILE *f = w->out->f;

    for (u32 i = body->line; i; i = w->line[i - 1].next) {
        const struct line *line = &w->line[i - 1];

        put_place(f, depth, line->offset, line->discriminator);
        fprintf(f, "%" PRIu64, line->count);
        for (u32 k = line->call; k && k <= w->ncalls && w->call[k - 1].line == i; k++)
            fprintf(f, " %.*s:%" PRIu64, (int)w->call[k - 1].len, w->call[k - 1].name,
                    w->call[k - 1].count);
        putc('\n', f);
    }
}

static void
put_body(const struct writer *w, const struct body *body, u32 depth)
{
    put_lines(w, body, depth);
    for (u32 i = body->child; i; i = w->body[i - 1].next) {
        const struct body *b = &w->body[i - 1];

        put_place(w->out->f, depth, b->offset, b->discriminator);
        fprintf(w->out->f, "%.*s:%" PRIu64 "\n", (int)b->len, b->name, b->total);
        put_body(w, b, depth + 1);
    }
}

/* How often a function was entered is not known: as often as its first line ran. */
static u64
head_of(const struct writer *w, const struct body *body)
{
    const struct line *first = NULL;

    for (u32 i = body->line; i; i = w->line[i - 1].next)
        if (!first || w->line[i - 1].offset < first->offset)
            first = &w->line[i - 1];
    return first ? first->count : 0;
}

static void
put_all(const struct writer *w)
{
    for (u32 i = 0; i < w->nbodies; i++) {
        const struct body *b = &w->body[i];

        if (b->parent || !b->total)
            continue;
        fprintf(w->out->f, "%.*s:%" PRIu64 ":%" PRIu64 "\n", (int)b->len, b->name,
                b->total, head_of(w, b));
        put_body(w, b, 1);
    }
}

static void
tell_rest(struct writer *w)
{
    const char *title = metrics[w->set.metric[0]].title;
    u64 total = w->elsewhere;

    for (u32 i = 0; i < w->ncosts; i++)
        total += w->cost[i].count;
    if (total && w->elsewhere)
        out_tell(w->out, "%.1f %% of %s is not in the program itself, and left out",
                 100 * (double)w->elsewhere / (double)total, title);
    if (total && w->unnamed)
        out_tell(w->out, "%.1f %% of %s is where the program has no line information, "
                 "and left out", 100 * (double)w->unnamed / (double)total, title);
    if (w->nlines && !w->discriminated)
        out_tell(w->out, "no line has a discriminator: compile with "
                 "-fdebug-info-for-profiling, and the profile tells branches of a line "
                 "apart");
}

static int
put_file(struct writer *w)
{
    int ret = gather(w);

    if (ret == 0)
        ret = add_lines(w);
    if (ret == 0)
        ret = place_calls(w);
    if (ret < 0)
        return ret;
    link_all(w);
    put_all(w);
    tell_rest(w);
    return 0;
}

int
out_afdo(struct out *out)
{
    struct writer w = { .out = out };
    int ret = stackset_open(out, &w.set);

    if (ret < 0)
        return ret;
    ret = outmap_open(out, &w.set, &w.map);
    if (ret == 0 && outmap_program(out, &w.map, &w.object, &w.file))
        ret = put_file(&w);
    else if (ret == 0)
        out_tell(out, "the program did not run, or its code is not in the experiment: "
                 "the file is empty");
    outmap_close(&w.map);
    stackset_close(&w.set);
    free(w.cost);
    free(w.call);
    free(w.body);
    free(w.line);
    hash_free(&w.bodies);
    hash_free(&w.lines);
    return ret;
}
