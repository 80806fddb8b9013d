/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/numbername.h"

#include <string.h>

#include "print/model/programs.h"

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
numbername_thread(const struct shell *sh, int64_t experiment, int64_t thread, FILE *f)
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
numbername_process(const struct shell *sh, int64_t pid, FILE *f)
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
numbername_put(const struct shell *sh, const char *first, int64_t one,
               const char *second, int64_t two, FILE *f)
{
    if (!strcmp(first, "EXPID"))
        numbername_thread(sh, one, second && !strcmp(second, "THRID") ? two : 0, f);
    else if (!strcmp(first, "PID"))
        numbername_process(sh, one, f);
}
