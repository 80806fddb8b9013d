/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/export/value.h"
#include "print/model/symbols/sourcetext.h"
#include "print/model/tally.h"
#include "print/model/views/disasm.h"
#include "print/out/reportdata.h"
#include "print/out/reportpack.h"

/* A file or a function, with its value. */
struct hot {
    u32 id;
    int64_t value;
};

static int
hotter(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* For each file or function, sum up the main metric of the stacks that contain it. */
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
            const struct frame *frame = walk_frame(s, r->walk.first[i] + k);
            struct hot *to = &hot[files ? frame->file : frame->func];

            to->value += to->value < 0;
            to->value += self > 0 ? self : 0;
        }
    }
    qsort(hot, count, sizeof(*hot), hotter);
    for (*n = 0; *n < count && hot[*n].value >= 0; ++*n)
        continue;
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
    pack_write_text(text, size, "sources", r->f);
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
        report_string(l->func == d->func ? ""
                                       : function_title(r->sh->session, l->func), f);
        fprintf(f, ",%u,%u,", l->file, l->line);
        report_string(l->text, f);
        putc(']', f);
    }
    fputs("]}", f);
}

static int
write_listings(struct report *r)
{
    struct session *s = r->sh->session;
    u32 n, count = 0;
    struct hot *hot = find_hot(r, function_count(s), false, &n);
    char *text = NULL;
    const char *sep = "";
    size_t size;
    FILE *f = open_memstream(&text, &size);

    fputs("{", f);
    for (u32 i = 0; i < n && count < r->limits->listings; i++) {
        struct disasm d;

        if (!r->heat[hot[i].id] || disasm_text(s, hot[i].id, &d) < 0)
            continue;
        count++;
        fprintf(f, "%s\"%u\":", sep, r->heat[hot[i].id] - 1);
        write_listing(r, &d, f);
        sep = ",\n";
        disasm_free(&d);
    }
    fputs("}\n", f);
    fclose(f);
    free(hot);
    pack_write_text(text, size, "listings", r->f);
    return 0;
}

int
reportcode_write(struct report *r)
{
    write_sources(r);
    return write_listings(r);
}
