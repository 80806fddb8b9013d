/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"

struct wanted {
    const struct program *row;
    const char *name;
};

static bool
same_name(const void *context, u32 index)
{
    const struct wanted *w = context;

    return !strcmp(w->row[index].name, w->name);
}

const char *
programs_name(const struct experiment *experiment)
{
    const char *exe = log_fact(&experiment->log, "process", "exe");
    const char *path = exe && *exe             ? exe
                       : experiment->log.nargs ? experiment->log.arg[0]
                                               : "";
    const char *slash = strrchr(path, '/');

    if (slash && slash[1])
        path = slash + 1;
    return *path ? path : "<unknown>";
}

u32
programs_number(const struct session *session, u32 experiment)
{
    const char *name = programs_name(session->experiment[experiment]);
    u32 i = 0;

    while (i < experiment && strcmp(programs_name(session->experiment[i]), name))
        i++;
    return i + 1;
}

static bool
is_bad(const struct experiment *e)
{
    const struct log_event_row *end = log_end(&e->log);

    return end && (log_event_number(end, "signal", 0) ||
                   log_event_number(end, "status", 0));
}

static void
add(struct program *p, const struct experiment *e)
{
    u64 wall = experiment_duration(e);

    p->processes++;
    p->bad += is_bad(e);
    p->wall += wall;
    p->longest = wall > p->longest ? wall : p->longest;
    if (!e->has_account)
        return;
    p->cpu += e->user + e->system;
    p->cpu_known = true;
}

static int
by_cpu(const void *a, const void *b)
{
    const struct program *x = a, *y = b;

    if (x->cpu != y->cpu)
        return x->cpu < y->cpu ? 1 : -1;
    return strcmp(x->name, y->name);
}

int
programs_get(const struct session *session, struct programs *out)
{
    struct programs all = { 0 };
    struct hash names = { 0 };
    u32 room = 0;
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++) {
        const struct experiment *e = session->experiment[i];
        struct wanted w = { all.row, programs_name(e) };
        u32 h = (u32)hash_str(0, w.name), at = hash_find(&names, h, same_name, &w);

        if (at == HASH_NONE) {
            ret = array_room_zero(&all.row, &room, all.count + 1, sizeof(*all.row));
            if (ret == 0)
                ret = hash_add(&names, h, all.count);
            if (ret < 0)
                break;
            at = all.count++;
            all.row[at].name = w.name;
        }
        add(&all.row[at], e);
        if (e->has_account)
            all.cpu += e->user + e->system;
    }
    hash_free(&names);
    if (ret < 0) {
        programs_free(&all);
        return ret;
    }
    if (all.count)
        qsort(all.row, all.count, sizeof(*all.row), by_cpu);
    *out = all;
    return 0;
}

void
programs_free(struct programs *programs)
{
    free(programs->row);
    memset(programs, 0, sizeof(*programs));
}
