/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/views/aggregate.h"
#include "print/model/symbols/functions.h"
#include "print/model/views/order.h"
#include "print/model/pass/tally.h"

/* The keys of frames while a view is made: each key stands for one row. */
struct keys {
    struct row *row; /* by key, without values */
    u32 count;
    u32 room;
    struct hash hash;
    u32 *key; /* by frame */
};

struct wanted {
    const struct keys *keys;
    const struct row *row;
};

void
rows_free(struct rows *rows)
{
    free(rows->row);
    rows->row = NULL;
    rows->count = 0;
}

static bool
same_row(const void *context, u32 index)
{
    const struct wanted *wanted = context;
    const struct row *a = &wanted->keys->row[index], *b = wanted->row;

    return a->func == b->func && a->object == b->object && a->file == b->file &&
           a->line == b->line && a->addr == b->addr;
}

static int
key_of(struct keys *keys, const struct row *row, u32 *key)
{
    struct wanted wanted = { keys, row };
    u64 h = hash_mix(row->addr + ((u64)row->object << 48));
    u64 place = (u64)row->file << 20 ^ row->line;
    u32 value = (u32)hash_mix(h ^ (u64)row->func << 32 ^ place);
    u32 at = hash_find(&keys->hash, value, same_row, &wanted);

    if (at == HASH_NONE) {
        if (array_room(&keys->row, &keys->room, keys->count + 1, sizeof(*row)) < 0 ||
            hash_add(&keys->hash, value, keys->count) < 0)
            return -ENOMEM;
        at = keys->count++;
        keys->row[at] = *row;
    }
    *key = at;
    return 0;
}

/* How a view makes rows of frames: name() sets the members that identify a row. */
struct kind {
    void (*name)(struct session *session, const struct site *site,
                 const struct site_frame *frame, struct row *row);
    bool lines;
    bool pcs; /* only the innermost frame of a site has a row */
};

static void
name_function(struct session *session, const struct site *site,
              const struct site_frame *frame, struct row *row)
{
    (void)site;
    row->func = frame->func;
    row->object = session->functions->function[frame->func].object;
}

static void
name_line(struct session *session, const struct site *site,
          const struct site_frame *frame, struct row *row)
{
    name_function(session, site, frame, row);
    row->file = frame->file;
    row->line = frame->line;
}

static void
name_object(struct session *session, const struct site *site,
            const struct site_frame *frame, struct row *row)
{
    (void)session, (void)frame;
    row->object = site->object;
}

static void
name_pc(struct session *session, const struct site *site,
        const struct site_frame *frame, struct row *row)
{
    const struct site_frame *outermost = &session->stacks->sites.frame[site->first];

    name_line(session, site, frame, row);
    row->func = outermost->func;
    row->object = site->object;
    row->addr = site->object ? site->start : 0;
}

static int
key_site(struct session *session, const struct kind *kind, struct keys *keys, u32 site)
{
    const struct site *s = &session->stacks->sites.site[site];

    for (u32 i = 0; i < s->depth; i++) {
        struct row row = { 0 };

        keys->key[s->first + i] = KEY_NONE;
        if (kind->pcs && i + 1 < s->depth)
            continue;
        kind->name(session, s, &session->stacks->sites.frame[s->first + i], &row);
        if (key_of(keys, &row, &keys->key[s->first + i]) < 0)
            return -ENOMEM;
    }
    return 0;
}

static void
keys_close(struct keys *keys)
{
    free(keys->row);
    free(keys->key);
    hash_free(&keys->hash);
}

static int
keys_open(struct session *session, const struct kind *kind, struct keys *keys)
{
    const struct sites *sites = &session->stacks->sites;

    keys->key = malloc(((size_t)sites->nframes + 1) * sizeof(*keys->key));
    if (!keys->key)
        return -ENOMEM;
    for (u32 i = 0; i < sites->count; i++)
        if (sites->site[i].has_frames && key_site(session, kind, keys, i) < 0)
            return -ENOMEM;
    return 0;
}

static void
set_total(const struct stack_tree *walk, struct rows *rows)
{
    memset(&rows->total, 0, sizeof(rows->total));
    if (walk->count)
        rows->total.excl = rows->total.incl = rows->total.attr =
            grid_get(&walk->total, 0);
}

/* Make rows of those keys whose sums are not 0. */
static int
make_rows(const struct keys *keys, const struct sums *sums, struct rows *out)
{
    u32 n = 0;

    out->row = malloc(((size_t)keys->count + 1) * sizeof(*out->row));
    if (!out->row)
        return -ENOMEM;
    for (u32 i = 0; i < keys->count; i++) {
        if (!grid_any(&sums->excl, i) && !grid_any(&sums->incl, i))
            continue;
        out->row[n] = keys->row[i];
        out->row[n].excl = grid_get(&sums->excl, i);
        out->row[n++].incl = grid_get(&sums->incl, i);
    }
    out->count = n;
    return 0;
}

/*
 * Set addresses and sizes of functions in rows; for these, all symbols of an object are
 * needed.
 */
static void
measure(struct session *session, struct rows *rows)
{
    for (u32 i = 0; i < rows->count; i++) {
        struct row *row = &rows->row[i];
        const struct function *f;

        functions_measure(session, row->func);
        f = &session->functions->function[row->func];
        row->addr = f->addr;
        row->size = f->size;
    }
}

static int
make(struct session *session, const struct kind *kind, struct rows *out)
{
    struct keys keys = { 0 };
    struct sums sums = { 0 };
    struct stack_tree walk;
    int ret = aggregate_open(session, kind->lines, &walk);

    if (ret < 0)
        return ret;
    if (kind->pcs)
        ret = sites_starts(session, &session->stacks->sites);
    if (ret == 0)
        ret = keys_open(session, kind, &keys);
    if (ret == 0)
        ret = aggregate(&walk, keys.key, keys.count, &sums);
    if (ret == 0)
        ret = make_rows(&keys, &sums, out);
    if (ret == 0)
        set_total(&walk, out);
    sums_free(&sums);
    keys_close(&keys);
    aggregate_close(&walk);
    return ret;
}

static int
view(struct session *session, const struct kind *kind, const struct order *order,
     struct rows *out)
{
    struct rows rows;
    int ret = make(session, kind, &rows);

    if (ret < 0)
        return ret;
    order_rows(session, order, rows.row, rows.count);
    *out = rows;
    return 0;
}

int
view_functions(struct session *session, const struct order *order, struct rows *out)
{
    static const struct kind kind = { name_function, false, false };
    struct rows rows;
    int ret = make(session, &kind, &rows);

    if (ret < 0)
        return ret;
    measure(session, &rows);
    order_rows(session, order, rows.row, rows.count);
    *out = rows;
    return 0;
}

int
view_lines(struct session *session, const struct order *order, struct rows *out)
{
    static const struct kind kind = { name_line, true, false };

    return view(session, &kind, order, out);
}

int
view_pcs(struct session *session, const struct order *order, struct rows *out)
{
    static const struct kind kind = { name_pc, true, true };

    return view(session, &kind, order, out);
}

int
view_objects(struct session *session, const struct order *order, struct rows *out)
{
    static const struct kind kind = { name_object, false, false };

    return view(session, &kind, order, out);
}

int
view_total(struct session *session, struct values *out)
{
    struct stack_tree walk;
    int ret = aggregate_open(session, false, &walk);

    if (ret < 0)
        return ret;
    *out = walk.count ? grid_get(&walk.total, 0) : (struct values){ { 0 } };
    aggregate_close(&walk);
    return 0;
}
