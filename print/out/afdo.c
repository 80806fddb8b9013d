/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes LLVM's sample profiles, as text: for each function of the program how often
 * each of its lines ran, distinguished by discriminators, with the inlined calls in it,
 * and which functions its indirect calls called. Lines are counted from the function's
 * first one, so that the profile still fits if code above the function has changed.
 *
 * A line has several instructions; its count is the mean of theirs. Those of its
 * instructions that were never hit are included as 0. A sum would make long lines hot.
 * A maximum would be the count of an instruction that waits, for a division or for
 * memory: it shows how long that took, and not how often it ran. doc/ARCHITECTURE.md
 * has what was measured. Lines that were never hit, in functions that were, have a
 * count of 0: they are known to be cold. Which functions were called is taken from the
 * callers' stacks, by inclusive values, since without branch stacks no other data tell
 * it.
 *
 * If there are branch stacks, counts are those of instructions that ran between
 * branches, and the functions called are those to which call instructions branched.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/out/afdo.h"

enum {
    DEPTH_MOST = 64, /* of inlined calls; deeper ones are left out */
    OFFSET_MASK = 0xffff,
};

static int
compare_text(const char *a, u32 alen, const char *b, u32 blen)
{
    int order = memcmp(a, b, alen < blen ? alen : blen);

    return order ? order : alen < blen ? -1 : alen > blen;
}

static int
compare_call(const void *a, const void *b)
{
    const struct afdo_call *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return compare_text(x->name, x->len, y->name, y->len);
}

struct body_key {
    const struct afdo_writer *w;
    const struct afdo_body *body;
};

static bool
same_body(const void *context, u32 index)
{
    const struct body_key *key = context;
    const struct afdo_body *a = key->body, *b = &key->w->body[index];

    return b->parent == a->parent && b->offset == a->offset &&
           b->discriminator == a->discriminator &&
           !compare_text(b->name, b->len, a->name, a->len);
}

/* The index + 1 of a body, which is added if it is new; 0: no memory. */
static u32
body_of(struct afdo_writer *w, const struct afdo_body *body)
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

/*
 * Find the line of an address; adds its bodies. line->body is 0 if the function, or a
 * line, is not known. 0 or -ENOMEM.
 */
static int
find_line(struct afdo_writer *w, u64 addr, struct afdo_line *line)
{
    struct objfile_inline chain[DEPTH_MOST];
    struct objfile_symbol s;
    struct objfile_line l;
    struct afdo_body body = { .parent = 0 };
    u32 depth, from;

    *line = (struct afdo_line){ .body = 0 };
    if (objfile_symbol(w->file, addr, &s) < 0 || !*s.name || !s.decl_line ||
        strpbrk(s.name, " :\t\n") || objfile_line(w->file, addr, &l) < 0 || !l.line)
        return 0;
    body.name = s.name;
    body.len = afdo_plain_length(s.name);
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
        body.len = afdo_plain_length(f.linkage);
        line->body = body_of(w, &body);
        from = f.decl_line;
    }
    line->offset = (l.line - from) & OFFSET_MASK;
    line->discriminator = l.discriminator;
    w->discriminated |= l.discriminator != 0;
    return line->body ? 0 : -ENOMEM;
}

struct line_key {
    const struct afdo_writer *w;
    const struct afdo_line *line;
};

static bool
same_line(const void *context, u32 index)
{
    const struct line_key *key = context;
    const struct afdo_line *a = key->line, *b = &key->w->line[index];

    return b->body == a->body && b->offset == a->offset &&
           b->discriminator == a->discriminator;
}

/* The index + 1 of that line, which is added if it is new; 0: no memory. */
static u32
add_line(struct afdo_writer *w, const struct afdo_line *line)
{
    struct line_key key = { w, line };
    u32 hash = (u32)hash_mix((u64)line->body << 32 | line->offset << 8 |
                             line->discriminator);
    u32 at = hash_find(&w->lines, hash, same_line, &key);

    if (at != HASH_NONE) {
        struct afdo_line *l = &w->line[at];

        l->insns += line->insns;
        if (line->insns)
            l->count += line->count;
        else if (l->count < line->count)
            l->count = line->count;
        return at + 1;
    }
    if (array_room(&w->line, &w->lines_room, w->nlines + 1, sizeof(*line)) < 0 ||
        hash_add(&w->lines, hash, w->nlines) < 0)
        return 0;
    w->line[w->nlines] = *line;
    return ++w->nlines;
}

static int
add_lines(struct afdo_writer *w)
{
    for (u32 i = 0, k; i < w->ncosts; i = k) {
        struct afdo_line line;
        u64 count = 0;
        int ret;

        for (k = i; k < w->ncosts && w->cost[k].addr == w->cost[i].addr; k++)
            count += w->cost[k].count;
        ret = find_line(w, w->cost[i].addr, &line);
        if (ret < 0)
            return ret;
        line.count = count;
        line.insns = !w->branches;
        if (!line.body)
            w->unnamed += count;
        else if (!add_line(w, &line))
            return -ENOMEM;
    }
    for (u32 i = 0; i < w->nlines; i++)
        if (w->line[i].insns)
            w->line[i].count = (w->line[i].count + w->line[i].insns - 1) /
                               w->line[i].insns;
    return 0;
}

/* Find the line of each call, and merge calls of the same function in a line. */
static int
place_calls(struct afdo_writer *w)
{
    u32 count = 0;

    for (u32 i = 0; i < w->ncalls; i++) {
        struct afdo_line line;
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
        struct afdo_call *last = count ? &w->call[count - 1] : NULL;

        if (last && !compare_call(last, &w->call[i]))
            last->count += w->call[i].count;
        else if (w->call[i].line)
            w->call[count++] = w->call[i];
    }
    w->ncalls = count;
    /* A line with a call ran at least as often as the call did. */
    for (u32 i = 0; i < count; i++) {
        struct afdo_line *line = &w->line[w->call[i].line - 1];

        if (line->count < w->call[i].count)
            line->count = w->call[i].count;
    }
    return 0;
}

/*
 * Link lines, calls and inlined bodies to the bodies that contain them; sum up totals.
 */
static void
link_all(struct afdo_writer *w)
{
    for (u32 i = w->ncalls; i-- > 0;)
        w->line[w->call[i].line - 1].call = i + 1;
    for (u32 i = w->nlines; i-- > 0;) {
        struct afdo_body *b = &w->body[w->line[i].body - 1];

        w->line[i].next = b->line;
        b->line = i + 1;
        b->total += w->line[i].count;
    }
    /* An inlined body has a higher index than the body that contains it. */
    for (u32 i = w->nbodies; i-- > 0;) {
        struct afdo_body *parent =
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
put_lines(const struct afdo_writer *w, const struct afdo_body *body, u32 depth)
{
    FILE *f = w->out->f;

    for (u32 i = body->line; i; i = w->line[i - 1].next) {
        const struct afdo_line *line = &w->line[i - 1];

        put_place(f, depth, line->offset, line->discriminator);
        fprintf(f, "%" PRIu64, line->count);
        for (u32 k = line->call; k && k <= w->ncalls && w->call[k - 1].line == i; k++)
            fprintf(f, " %.*s:%" PRIu64, (int)w->call[k - 1].len, w->call[k - 1].name,
                    w->call[k - 1].count);
        putc('\n', f);
    }
}

static void
put_body(const struct afdo_writer *w, const struct afdo_body *body, u32 depth)
{
    put_lines(w, body, depth);
    for (u32 i = body->child; i; i = w->body[i - 1].next) {
        const struct afdo_body *b = &w->body[i - 1];

        put_place(w->out->f, depth, b->offset, b->discriminator);
        fprintf(w->out->f, "%.*s:%" PRIu64 "\n", (int)b->len, b->name, b->total);
        put_body(w, b, depth + 1);
    }
}

/*
 * How often a function was entered. Without branch stacks, it is taken to be as often
 * as its first line ran.
 */
static u64
head_of(const struct afdo_writer *w, const struct afdo_body *body)
{
    const struct afdo_line *first = NULL;

    if (w->branches)
        return body->entered;

    for (u32 i = body->line; i; i = w->line[i - 1].next)
        if (!first || w->line[i - 1].offset < first->offset)
            first = &w->line[i - 1];
    return first ? first->count : 0;
}

static void
put_all(const struct afdo_writer *w)
{
    for (u32 i = 0; i < w->nbodies; i++) {
        const struct afdo_body *b = &w->body[i];

        if (b->parent || !b->total)
            continue;
        fprintf(w->out->f, "%.*s:%" PRIu64 ":%" PRIu64 "\n", (int)b->len, b->name,
                b->total, head_of(w, b));
        put_body(w, b, 1);
    }
}

static void
warn_rest(struct afdo_writer *w)
{
    const char *title =
        w->branches ? "the instructions" : metrics[w->set.metric[0]].title;
    u64 total = w->elsewhere;

    for (u32 i = 0; i < w->ncosts; i++)
        total += w->cost[i].count;
    if (total && w->elsewhere)
        out_warn(w->out, "%.1f %% of %s is not in the program itself, and left out",
                 100 * (double)w->elsewhere / (double)total, title);
    if (total && w->unnamed)
        out_warn(w->out, "%.1f %% of %s is where the program has no line information, "
                 "and left out", 100 * (double)w->unnamed / (double)total, title);
    if (w->nlines && !w->discriminated)
        out_warn(w->out, "no line has a discriminator: compile with "
                 "-fdebug-info-for-profiling, and the profile tells branches of a line "
                 "apart");
}

/*
 * If a branch leads from another function to a function's beginning, add its count to
 * the entries of that function.
 */
static void
enter(struct afdo_writer *w, const struct branch_edge *e)
{
    struct body_key key = { w, NULL };
    struct afdo_body body = { .parent = 0 };
    struct objfile_symbol to, from;
    u32 at;

    if (objfile_symbol(w->file, e->to, &to) < 0 || to.addr != e->to)
        return;
    body.name = to.name;
    body.len = afdo_plain_length(to.name);
    /* Ignore a jump from the same function, or from a part that was split off it. */
    if (branches_type(w->out->session, e) != BRANCH_CALL &&
        e->from_object == w->object && objfile_symbol(w->file, e->from, &from) == 0 &&
        !compare_text(from.name, afdo_plain_length(from.name), body.name, body.len))
        return;
    key.body = &body;
    at = hash_find(&w->bodies, (u32)hash_bytes(hash_mix(0), body.name, body.len),
                   same_body, &key);
    if (at != HASH_NONE)
        w->body[at].entered += e->count;
}

/* Count the entries of functions; done when all functions are known. */
static void
enter_all(struct afdo_writer *w, const struct branch_data *data)
{
    for (u32 i = 0; i < data->nedges; i++)
        if (data->edge[i].to_object == w->object &&
            branches_type(w->out->session, &data->edge[i]) != BRANCH_RETURN)
            enter(w, &data->edge[i]);
}

/*
 * Get the counts: from branch stacks, if there are any and this processor's code is
 * supported; else from stacks.
 */
static int
gather_counts(struct afdo_writer *w)
{
    struct branch_data data;
    int ret = branches_get(w->out->session, &data);

    if (ret < 0)
        return ret;
    ret = data.recorded ? afdo_gather_branches(w, &data) : -ENOTSUP;
    w->branches = ret == 0;
    if (ret == -ENOTSUP)
        ret = afdo_gather_stacks(w);
    if (ret == 0)
        ret = add_lines(w);
    if (ret == 0 && w->branches)
        enter_all(w, &data);
    branches_free(&data);
    return ret;
}

static int
put_file(struct afdo_writer *w)
{
    int ret = gather_counts(w);

    if (ret == 0)
        ret = place_calls(w);
    if (ret < 0)
        return ret;
    link_all(w);
    put_all(w);
    warn_rest(w);
    return 0;
}

int
out_afdo(struct out *out)
{
    struct afdo_writer w = { .out = out };
    int ret = stackset_open(out, &w.set);

    if (ret < 0)
        return ret;
    ret = outmap_open(out, &w.set, &w.map);
    if (ret == 0 && outmap_program(out, &w.map, &w.object, &w.file))
        ret = put_file(&w);
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
