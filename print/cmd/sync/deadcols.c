/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/sync/deadcols.h"

#include <strings.h>

#include "print/cmd/title.h"

int
deadcols_get(struct shell *sh, int argc, char **argv, struct deadlocks *out, u32 *from,
             u32 *to)
{
    u64 number = 0;
    int err;

    if (argc > 1 && !strcasecmp(argv[1], "all"))
        argc = 1;
    if (argc > 1 && shell_number(sh, argv[1], UINT32_MAX, &number))
        return 1;
    err = deadlocks_get(sh->session, out);
    if (err)
        return shell_fail_errno(sh, err, "lock orders cannot be shown");
    *from = 0;
    *to = out->count;
    if (!out->recorded)
        err = shell_fail(sh, "no experiment has data of synchronization (collect -s on "
                             "records it)");
    else if (argc > 1 && (!number || number > out->count))
        err = shell_fail(sh, "there is no deadlock %llu, but %u of them",
                         (unsigned long long)number, out->count);
    if (err) {
        deadlocks_free(out);
        return 1;
    }
    if (argc > 1) {
        *from = (u32)number - 1;
        *to = (u32)number;
    }
    if (out->more)
        shell_note(sh, "there are more cycles than are shown");
    return 0;
}

const char *
deadcols_verdict(struct shell *sh, struct table *t, const struct deadlock *d)
{
    switch (d->verdict) {
    case DEADLOCK_POSSIBLE:
        return "possible";
    case DEADLOCK_FEW_THREADS:
        return "not by the threads that were seen";
    case DEADLOCK_READERS:
        return "no: only readers meet";
    default:
        return arena_printf(&t->arena, "no: both hold %s",
                            title_lock(sh, t, d->experiment, d->gate_kind, d->gate));
    }
}

const char *
deadcols_held(struct shell *sh, struct table *t, u32 experiment,
              const struct deadlock_step *step)
{
    return title_lock(sh, t, experiment, step->held_kind, step->held);
}

const char *
deadcols_requested(struct shell *sh, struct table *t, u32 experiment,
                   const struct deadlock_step *step)
{
    return title_lock(sh, t, experiment, step->kind, step->object);
}

const char *
deadcols_thread(struct shell *sh, struct table *t, u32 experiment,
                const struct deadlock_step *step)
{
    const struct experiment *e = sh->session->experiment[experiment];
    const struct thread_row *row;

    if (!step->thread || step->thread > e->threads.count)
        return "<unknown>";
    row = &e->threads.row[step->thread - 1];
    return arena_printf(&t->arena, "%u%s%s", row->id, *row->name ? " " : "", row->name);
}
