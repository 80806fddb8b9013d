/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/linemarks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/files.h"
#include "print/model/symbols/functions.h"
#include "print/model/views/aggregate.h"

struct marks {
    struct session *session;
    const struct stack_tree *walk;
    u32 file;
    struct source_mark *mark;
    u32 count;
    u32 room;
    struct hash hash;
    u32 *key; /* by frame: the mark of its inlined call, KEY_NONE = none */
};

struct wanted {
    const struct marks *marks;
    struct source_mark mark;
};

static bool
same_mark(const void *context, u32 index)
{
    const struct wanted *wanted = context;
    const struct source_mark *mark = &wanted->marks->mark[index];

    return mark->line == wanted->mark.line && mark->func == wanted->mark.func &&
           mark->inlined == wanted->mark.inlined;
}

static int
add(struct marks *m, u32 line, u32 func, bool inlined, u32 *index)
{
    struct wanted wanted = { .marks = m };
    u32 value = (u32)hash_mix((u64)line << 32 | func * 2 | inlined), at;

    wanted.mark.line = line;
    wanted.mark.func = func;
    wanted.mark.inlined = inlined;
    at = hash_find(&m->hash, value, same_mark, &wanted);
    if (at == HASH_NONE) {
        if (array_room(&m->mark, &m->room, m->count + 1, sizeof(wanted.mark)) < 0 ||
            hash_add(&m->hash, value, m->count) < 0)
            return -ENOMEM;
        at = m->count++;
        m->mark[at] = wanted.mark;
    }
    *index = at;
    return 0;
}

/*
 * Add marks for one object: inlined calls in this file, and functions declared in it.
 */
static int
mark_object(struct marks *m, u32 object)
{
    struct session *session = m->session;
    const struct objfile *file = object_file(session, object);
    u32 index = files_in_object(session, object, m->file), at;
    struct objfile_inline call;
    struct objfile_func func;

    for (u32 i = 1; index && objfile_inline_at(file, i, &call) == 0; i++) {
        if (call.call_file != index || !call.call_line)
            continue;
        if (add(m, call.call_line, functions_of_decl(session, object, call.func), true,
                &at) < 0)
            return -ENOMEM;
    }
    for (u32 i = 1; index && objfile_func(file, i, &func) == 0; i++) {
        if (func.decl_file != index || !func.decl_line)
            continue;
        if (add(m, func.decl_line, functions_of_decl(session, object, i), false,
                &at) < 0)
            return -ENOMEM;
    }
    return 0;
}

/*
 * Find the mark of each inlined frame of a site: it is at the line of the inlined call.
 */
static int
key_site(struct marks *m, const struct site *site)
{
    for (u32 i = 1; i < site->depth; i++) {
        const struct site_frame *caller = aggregate_frame(m->session,
                                                          site->first + i - 1);
        u32 func = aggregate_frame(m->session, site->first + i)->func;

        if (caller->file != m->file || !caller->line)
            continue;
        if (add(m, caller->line, func, true, &m->key[site->first + i]) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int
key_frames(struct marks *m)
{
    const struct sites *sites = &m->session->stacks->sites;

    m->key = malloc(((size_t)sites->nframes + 1) * sizeof(*m->key));
    if (!m->key)
        return -ENOMEM;
    memset(m->key, 0xff, ((size_t)sites->nframes + 1) * sizeof(*m->key));
    for (u32 i = 0; i < sites->count; i++)
        if (sites->site[i].has_lines && key_site(m, &sites->site[i]) < 0)
            return -ENOMEM;
    return 0;
}

/*
 * Add each node's own value to the exclusive values of the marks of its inlined calls.
 */
static void
sum_leaves(struct marks *m)
{
    const struct stack_tree *walk = m->walk;

    for (u32 n = 1; n < walk->count; n++) {
        if (!walk->used[n])
            continue;
        for (u32 i = walk->first[n]; i < walk->first[n] + walk->depth[n]; i++)
            if (m->key[i] != KEY_NONE)
                grid_add_to(walk->self, n, &m->mark[m->key[i]].excl);
    }
}

static int
sum(struct marks *m)
{
    struct sums sums;
    int ret = aggregate(m->walk, m->key, m->count, &sums);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < m->count; i++)
        m->mark[i].incl = grid_get(&sums.incl, i);
    sums_free(&sums);
    sum_leaves(m);
    return 0;
}

static int
compare(const void *a, const void *b, void *context)
{
    const struct source_mark *left = a, *right = b;

    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->inlined != right->inlined)
        return left->inlined ? 1 : -1;
    return strcmp(function_name(context, left->func),
                  function_name(context, right->func));
}

int
linemarks_of(struct session *session, const struct stack_tree *walk, u32 file,
             struct source_mark **marks, u32 *count)
{
    struct marks m = { .session = session, .walk = walk, .file = file };
    int ret = 0;

    for (u32 i = 0; i < object_count(session) && ret == 0; i++)
        ret = mark_object(&m, i);
    if (ret == 0)
        ret = key_frames(&m);
    if (ret == 0)
        ret = sum(&m);
    if (ret == 0 && m.count)
        qsort_r(m.mark, m.count, sizeof(*m.mark), compare, session);
    hash_free(&m.hash);
    free(m.key);
    if (ret < 0) {
        free(m.mark);
        return ret;
    }
    *marks = m.mark;
    *count = m.count;
    return 0;
}
