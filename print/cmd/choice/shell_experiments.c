/* SPDX-License-Identifier: Apache-2.0 */
/* Drops loaded experiments, and reports their problems, each once. */
#include <stdlib.h>
#include <string.h>

#include "print/cmd/shell.h"
#include "print/export/value.h"
#include "print/model/session/sessions.h"

/* How many of an experiment's problems were reported. */
struct reported {
    const struct experiment *experiment;
    u32 count;
    u32 unlisted;
};

void
shell_forget(struct shell *sh, u32 index)
{
    const struct experiment *e = sh->session->experiment[index];

    for (u32 i = 0; i < sh->nreported; i++)
        if (sh->reported[i].experiment == e)
            sh->reported[i] = sh->reported[--sh->nreported];
    sessions_drop(sh->session, index);
}

/* The length of a path without the slashes at its end. */
static size_t
path_length(const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

int
shell_drop(struct shell *sh, const char *name)
{
    const struct session *s = sh->session;
    size_t len = path_length(name);
    u64 id = 0;

    for (u32 i = 0; i < s->nexperiments; i++) {
        if (path_length(s->experiment[i]->path) != len ||
            strncmp(s->experiment[i]->path, name, len))
            continue;
        shell_forget(sh, i);
        return 0;
    }
    if (*name && strspn(name, "0123456789") == strlen(name) && strlen(name) < 10)
        id = strtoull(name, NULL, 10);
    if (!id || id > s->nexperiments)
        return shell_fail(sh, "no experiment %s is loaded", name);
    shell_forget(sh, (u32)id - 1);
    return 0;
}

static struct reported *
reported_of(struct shell *sh, u32 index)
{
    const struct experiment *e = sh->session->experiment[index];

    /* If no experiment was dropped, the entry is still at the same index. */
    if (index < sh->nreported && sh->reported[index].experiment == e)
        return &sh->reported[index];
    for (u32 i = 0; i < sh->nreported; i++)
        if (sh->reported[i].experiment == e)
            return &sh->reported[i];
    sh->reported = mem_grow(sh->reported, sh->nreported, sizeof(*sh->reported));
    sh->reported[sh->nreported] = (struct reported){ .experiment = e };
    return &sh->reported[sh->nreported++];
}

static void
put_problem(const char *text, const char *end)
{
    fputs("er_print: ", stderr);
    value_write_lines(text, false, stderr);
    fputs(end, stderr);
}

void
shell_report_problems(struct shell *sh)
{
    for (u32 i = 0; i < sh->session->nexperiments; i++) {
        struct experiment *e = sh->session->experiment[i];
        struct reported *reported = reported_of(sh, i);

        if (reported->count == e->problems.count &&
            reported->unlisted == e->problems.unlisted)
            continue;
        shell_make_way(sh);
        for (; reported->count < e->problems.count; reported->count++)
            put_problem(e->problems.text[reported->count], "\n");
        if (reported->unlisted != e->problems.unlisted) {
            put_problem(e->path, ": ");
            fprintf(stderr, "%u more problems\n",
                    e->problems.unlisted - reported->unlisted);
        }
        reported->unlisted = e->problems.unlisted;
    }
}
