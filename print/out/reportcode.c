/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/export/value.h"
#include "print/model/symbols/sourcetext.h"
#include "print/model/pass/tally.h"
#include "print/model/views/disasm.h"
#include "print/out/reportdata.h"
#include "print/out/reportpack.h"

/* A file or a function, with its sum of the main metric; -1 = it is on no stack. */
struct hot {
    u32 id;
    int64_t value;
};

struct listings {
    struct report *r;
    bool *written; /* by function */
    u32 count;
    FILE *f;
};

static int
hotter(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sort by value, the largest first; returns how many have a value (are on a stack). */
static u32
sort_hot(struct hot *hot, u32 count)
{
    u32 n = 0;

    qsort(hot, count, sizeof(*hot), hotter);
    while (n < count && hot[n].value >= 0)
        n++;
    return n;
}

/*
 * For each file (or, if not `files`, function), sum up the exclusive values of the main
 * metric over nodes that have frames in it. *n: how many are on a stack; these come
 * first. The caller frees the array.
 */
static struct hot *
find_hot(struct report *r, u32 count, bool files, u32 *n)
{
    struct hot *hot = mem_realloc(NULL, ((size_t)count + 1) * sizeof(*hot));
    struct session *s = r->sh->session;
    enum metric metric = shell_metric(r->sh);

    for (u32 i = 0; i < count; i++)
        hot[i] = (struct hot){ i, -1 };
    for (u32 i = 1; i < r->walk.count; i++) {
        int64_t self = r->number[i] ? grid_value(&s->tally->node, i, metric) : 0;

        for (u32 k = 0; k < r->walk.depth[i] && r->number[i]; k++) {
            const struct site_frame *frame = aggregate_frame(s, r->walk.first[i] + k);
            struct hot *to = &hot[files ? frame->file : frame->func];

            to->value += to->value < 0;
            to->value += self > 0 ? self : 0;
        }
    }
    *n = sort_hot(hot, count);
    return hot;
}

/*
 * Like find_hot() for functions, with inclusive values. A function that calls itself
 * through others counts more than once, as only the order matters.
 */
static struct hot *
find_callers(struct report *r, u32 *n)
{
    const struct session *s = r->sh->session;
    const struct calltree_fold *tree = &r->tree;
    u32 count = function_count(s);
    struct hot *hot = mem_realloc(NULL, ((size_t)count + 1) * sizeof(*hot));
    int64_t *sum = mem_realloc(NULL, ((size_t)tree->count + 1) * sizeof(*sum));

    memset(sum, 0, tree->count * sizeof(*sum));
    for (u32 i = 0; i < count; i++)
        hot[i] = (struct hot){ i, -1 };
    for (u32 i = 1; i < r->walk.count; i++)
        if (r->number[i])
            sum[tree->of_node[i]] +=
                grid_value(&s->tally->node, i, shell_metric(r->sh));
    for (u32 i = tree->count; i-- > 1;) {
        u32 parent = tree->parent[i], func = tree->func[i];

        sum[parent] += sum[i];
        if (sum[i] > 0 && (!parent || tree->func[parent] != func))
            hot[func].value += sum[i];
    }
    free(sum);
    *n = sort_hot(hot, count);
    return hot;
}

static void
write_sources(struct report *r)
{
    struct session *s = r->sh->session;
    u64 left = r->limits->source;
    u32 n, skipped = 0, missing = 0;
    struct hot *hot = find_hot(r, file_count(s), true, &n);
    char *text = NULL;
    const char *sep = "";
    size_t size;
    FILE *f = open_memstream(&text, &size);

    fputs("{\"files\":{", f);
    for (u32 i = 0; i < n; i++) {
        char *source, *where;
        size_t len;

        if (!hot[i].id)
            continue;
        if (sourcetext_read(s, file_path(s, hot[i].id), &source, &len, &where) < 0) {
            missing++;
            continue;
        }
        if (len <= left) {
            left -= len;
            fprintf(f, "%s\"%u\":\"", sep, hot[i].id);
            value_write_json(source, len, f);
            putc('"', f);
            sep = ",\n";
        } else {
            skipped++;
        }
        free(source);
        free(where);
    }
    fprintf(f, "},\"skipped\":%u,\"missing\":%u}\n", skipped, missing);
    fclose(f);
    free(hot);
    reportpack_write_text(text, size, "sources", r->f);
}

/*
 * Write a listing; an instruction is [address, bytes, depth of inlining, function,
 * file, line, text].
 */
static void
write_listing(const struct report *r, const struct disasm *d, FILE *f)
{
    fprintf(f, "{\"object\":%u,\"lines\":[", d->object);
    for (u32 i = 0; i < d->count; i++) {
        const struct disasm_line *l = &d->line[i];

        fprintf(f, "%s[\"%llx\",%u,%u,", i ? ",\n" : "", (unsigned long long)l->addr,
                l->length, l->depth);
        reportpack_string(l->func == d->func ? ""
                                       : function_title(r->sh->session, l->func), f);
        fprintf(f, ",%u,%u,", l->file, l->line);
        reportpack_string(l->text, f);
        putc(']', f);
    }
    fputs("]}", f);
}

/* Write the function's instructions, unless they are written or not known. */
static void
add_listing(struct listings *l, u32 func)
{
    const struct report *r = l->r;
    struct disasm d;

    if (!r->heat[func] || l->written[func] || l->count == r->limits->listings)
        return;
    l->written[func] = true;
    if (disasm_text(r->sh->session, func, &d) < 0)
        return;
    fprintf(l->f, "%s\"%u\":", l->count++ ? ",\n" : "", r->heat[func] - 1);
    write_listing(r, &d, l->f);
    disasm_free(&d);
}

static int
write_listings(struct report *r)
{
    u32 count = function_count(r->sh->session), nself, ncallers;
    struct hot *self = find_hot(r, count, false, &nself);
    struct hot *callers = find_callers(r, &ncallers);
    struct listings l = { .r = r };
    char *text = NULL;
    size_t size;

    l.written = mem_realloc(NULL, (size_t)count + 1);
    memset(l.written, 0, (size_t)count + 1);
    l.f = open_memstream(&text, &size);
    fputs("{", l.f);
    for (u32 i = 0; i < nself || i < ncallers; i++) {
        if (i < nself)
            add_listing(&l, self[i].id);
        if (i < ncallers)
            add_listing(&l, callers[i].id);
    }
    fputs("}\n", l.f);
    fclose(l.f);
    free(l.written);
    free(callers);
    free(self);
    reportpack_write_text(text, size, "listings", r->f);
    return 0;
}

int
reportcode_write(struct report *r)
{
    write_sources(r);
    return write_listings(r);
}
