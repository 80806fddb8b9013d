/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/lookup/comms.h"
#include "print/model/programs.h"
#include "print/model/sync/lockname.h"
#include "share/mpicall.h"

const char *
title_lock(struct shell *sh, struct table *t, u32 experiment, u32 kind, u64 addr)
{
    char *name = lockname_get(sh->session, experiment, kind, addr);
    const char *text = arena_strdup(&t->arena, name ? name : "");

    free(name);
    return text;
}

static const char *const kinds[] = {
    [COMM_INTRA] = "Communicator",
    [COMM_INTER] = "Intercommunicator",
    [COMM_WINDOW] = "Window",
    [COMM_FILE] = "File",
};

const char *
title_comm(const struct session *session, u64 number, char buf[TITLE_MAX])
{
    const struct comm *comm = comms_get(session, number);
    u32 kind = comm && comm->kind < ER_COUNT(kinds) && kinds[comm->kind] ? comm->kind
                                                                         : COMM_INTRA;

    if (comm && comm->name.len)
        snprintf(buf, TITLE_MAX, "%.*s", (int)comm->name.len, comm->name.s);
    else
        snprintf(buf, TITLE_MAX, "%s %llu", kinds[kind], (unsigned long long)number);
    return buf;
}

const char *
title_mpi_call(u64 call, char buf[TITLE_MAX])
{
    const char *name = call < MPICALL_END ? mpicall_name((u32)call) : NULL;

    snprintf(buf, TITLE_MAX, "%s", name ? name : "");
    if (!name)
        snprintf(buf, TITLE_MAX, "<function %llu>", (unsigned long long)call);
    return buf;
}

/*
 * Has the thread a name of its own? Without one, it has the beginning of its program's
 * name.
 */
static bool
is_own_name(const char *thread, const char *program)
{
    return *thread && strncmp(thread, program, strlen(thread)) != 0;
}

void
title_thread(const struct shell *sh, int64_t experiment, int64_t thread, FILE *f)
{
    const struct session *s = sh->session;
    const struct thread_row *row;
    const struct experiment *e;
    const char *program;

    if (experiment < 1 || (u64)experiment > s->nexperiments)
        return;
    e = s->experiment[experiment - 1];
    program = programs_name(e);
    row = thread > 0 && thread <= UINT32_MAX ? threads_find(&e->threads, (u32)thread)
                                             : NULL;
    if (row && is_own_name(row->name, program))
        fprintf(f, " (%s: %s)", program, row->name);
    else
        fprintf(f, " (%s)", program);
}

void
title_process(const struct shell *sh, int64_t pid, FILE *f)
{
    const struct session *s = sh->session;
    const char *between = " (", *last = "";

    for (u32 i = 0; i < s->nexperiments; i++) {
        const char *name = programs_name(s->experiment[i]);

        if (s->experiment[i]->pid != pid || !strcmp(name, last))
            continue;
        fprintf(f, "%s%s", between, name);
        between = ", ";
        last = name;
    }
    if (*last)
        putc(')', f);
}

void
title_put(const struct shell *sh, const char *first, int64_t one, const char *second,
          int64_t two, FILE *f)
{
    if (!strcmp(first, "EXPID"))
        title_thread(sh, one, second && !strcmp(second, "THRID") ? two : 0, f);
    else if (!strcmp(first, "PID"))
        title_process(sh, one, f);
}
