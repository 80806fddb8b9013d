/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/session/sessions.h"

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/progress.h"
#include "print/model/classes.h"
#include "print/model/lookup/comms.h"
#include "print/model/lookup/ompplaces.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/files.h"
#include "print/model/filter/filters.h"
#include "print/model/symbols/functions.h"
#include "print/model/metric.h"
#include "print/model/symbols/object.h"
#include "print/model/lookup/ranks.h"
#include "print/model/symbols/stacks.h"
#include "print/model/pass/tally.h"

struct descendants {
    bool none;
    regex_t names;
};

static void
descendants_free(struct descendants *d)
{
    if (d && !d->none)
        regfree(&d->names);
    free(d);
}

int
sessions_descendants(struct session *session, const char *names, char *why, size_t size)
{
    struct descendants *d = names ? calloc(1, sizeof(*d)) : NULL;
    char *whole = NULL;
    int err = 0;

    if (names && (!d || asprintf(&whole, "^(%s)$", names) < 0)) {
        free(d);
        return -ENOMEM;
    }
    if (d && *names) {
        err = regcomp(&d->names, whole, REG_EXTENDED | REG_NOSUB);
        if (err)
            regerror(err, &d->names, why, size);
    } else if (d) {
        d->none = true;
    }
    free(whole);
    if (err) {
        free(d);
        return -EINVAL;
    }
    descendants_free(session->descendants);
    session->descendants = d;
    return 0;
}

static bool
fits(const regex_t *names, const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t len = strlen(name), tail = strlen(ending);
    char text[NAME_MAX + 1];

    if (len > tail && !strcmp(name + len - tail, ending))
        len -= tail;
    if (len >= sizeof(text))
        return false;
    memcpy(text, name, len);
    text[len] = '\0';
    return !regexec(names, text, 0, NULL, 0);
}

/* May this sub-experiment be added with its founder, by sessions_descendants()? */
static bool
may_come(const struct session *session, const struct experiment *e)
{
    const struct descendants *d = session->descendants;
    const char *program = log_fact(&e->log, "process", "exe");

    if (!d)
        return true;
    return !d->none && (fits(&d->names, e->path, ".er") ||
                        (program && fits(&d->names, program, "")));
}

int
sessions_open(struct session **out)
{
    struct session *session = calloc(1, sizeof(*session));

    if (!session)
        return -ENOMEM;
    session->wanted = UINT32_MAX;
    session->forget_sums = tally_reset;
    if (objects_open(session) < 0 || functions_open(session) < 0 ||
        files_open(session) < 0 || stacks_open(session) < 0 ||
        interp_open(session) < 0 ||
        tally_open(session) < 0 || filter_open(session) < 0) {
        sessions_close(session);
        return -ENOMEM;
    }
    *out = session;
    return 0;
}

void
sessions_close(struct session *session)
{
    if (!session)
        return;
    classes_reset(session);
    comms_reset(session);
    ompplaces_reset(session);
    filter_close(session->filter);
    tally_close(session->tally);
    stacks_close(session->stacks);
    interp_close(session->interp);
    files_close(session->files);
    functions_close(session->functions);
    objects_close(session->objects);
    for (u32 i = 0; i < session->nexperiments; i++)
        experiment_close(session->experiment[i]);
    free(session->experiment);
    descendants_free(session->descendants);
    free(session);
}

void
sessions_view(struct session *session, bool user, bool machine)
{
    if (user == session->user && machine == session->machine)
        return;
    session->user = user;
    session->machine = machine;
    stacks_forget_all(session->stacks);
    ompplaces_reset(session);
    filters_reset(session->filter);
    tally_reset(session);
}

/*
 * Set the metrics of an experiment's counters. All experiments together can have eight;
 * further ones are reported as problems. 0 or -ENOMEM.
 */
static int
bind_counters(struct experiment *e)
{
    if (experiment_clocked(e))
        metric_clocked();
    for (u32 i = 0; i < e->counters.count; i++) {
        struct counter_row *row = &e->counters.row[i];

        if (!row->name || !row->interval)
            continue;
        row->metric = metric_counter(row->name, row->unit);
        if (row->metric == -ENOMEM)
            return -ENOMEM;
        if (row->metric < 0)
            problems_add(&e->problems,
                         "%s: the counter %s is not shown: there are eight others",
                         e->path, row->name);
    }
    return 0;
}

static int
append(struct session *session, struct experiment *experiment)
{
    experiment->group = session->groups;
    if (array_room(&session->experiment, &session->room, session->nexperiments + 1,
                   sizeof(experiment)) < 0 ||
        bind_counters(experiment) < 0) {
        experiment_close(experiment);
        return -ENOMEM;
    }
    session->experiment[session->nexperiments++] = experiment;
    if (objects_add(session, session->nexperiments - 1) < 0)
        return -ENOMEM;
    return stacks_made(session, session->nexperiments - 1);
}

/* Forget all that was computed from the experiments, since these have changed. */
static void
forget_all(struct session *session)
{
    filters_reset(session->filter);
    tally_reset(session);
    classes_reset(session);
    comms_reset(session);
    ompplaces_reset(session);
}

/* For each experiment that could not be opened, a sentence on why. */
struct refusals {
    char **why;
    u32 count;
};

static void
refuse(struct refusals *refusals, char *why)
{
    if (why)
        refusals->why[refusals->count++] = why;
}

/* Is the path within the directory `founder` ("" = none), as a sub-experiment's is? */
static bool
is_below(const char *founder, const char *path)
{
    size_t len = strlen(founder);

    return len && !strncmp(path, founder, len) && path[len] == '/';
}

static int
add_paths(struct session *session, char **path, u32 count, struct refusals *refusals)
{
    const char *founder = "";
    int ret = 0, first = 0;

    progress_begin("opening", count ? path[0] : "", count);
    for (u32 i = 0; i < count && ret != -ENOMEM; i++) {
        bool comes_along = is_below(founder, path[i]);
        struct experiment *experiment;
        char *why = NULL;

        if (!comes_along)
            founder = path[i];
        progress_add(1);
        ret = experiment_open(&experiment, path[i], &why);
        if (ret < 0)
            refuse(refusals, why);
        else if (comes_along && !may_come(session, experiment))
            experiment_close(experiment);
        else
            ret = append(session, experiment);
        if (ret < 0 && !first)
            first = ret;
    }
    return first;
}

/*
 * Finish an addition: report the refusals, as problems of the first experiment that was
 * opened or, if none was, the first of them in *why; forget earlier data; report what
 * is wrong with MPI ranks. before: the number of experiments before. first: the first
 * error, or 0, which is returned if none was opened; else 0 or -ENOMEM.
 */
static int
settle(struct session *session, u32 before, int first, struct refusals *refusals,
       char **why)
{
    bool opened = session->nexperiments > before;

    for (u32 i = 0; i < refusals->count; i++) {
        if (opened)
            problems_add(&session->experiment[before]->problems, "%s",
                         refusals->why[i]);
        if (opened || i > 0)
            free(refusals->why[i]);
        else
            *why = refusals->why[0];
    }
    session->groups += opened;
    forget_all(session);
    for (u32 i = before; i < session->nexperiments; i++)
        if ((i == before || session_new_founder(session, i)) &&
            ranks_report_problems(session, i) < 0)
            return -ENOMEM;
    return opened || !first ? 0 : first;
}

int
sessions_add(struct session *session, const char *name, char **why)
{
    struct refusals refusals = { 0 };
    u32 before = session->nexperiments, count;
    char **path;
    int ret = experiment_expand(name, &path, &count, why);

    if (ret < 0)
        return ret;
    refusals.why = calloc((size_t)count + 1, sizeof(*refusals.why));
    ret = refusals.why ? add_paths(session, path, count, &refusals) : -ENOMEM;
    ret = settle(session, before, ret, &refusals, why);
    for (u32 i = 0; i < count; i++)
        free(path[i]);
    free(path);
    free(refusals.why);
    return ret;
}

int
sessions_drop(struct session *session, u32 index)
{
    if (index >= session->nexperiments)
        return -ENOENT;
    forget_all(session);
    stacks_forget(session->stacks, index);
    experiment_close(session->experiment[index]);
    array_remove(session->experiment, &session->nexperiments, index,
                 sizeof(*session->experiment));
    return 0;
}
