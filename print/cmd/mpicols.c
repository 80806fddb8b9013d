/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mpicols.h"

enum {
    NO_COLUMN = 0xffff,
    ROWS_SHOWN = 20, /* rows that text shows if no limit is set */
};

int
mpicols_none(struct shell *sh)
{
    return shell_fail(sh, "no experiment has MPI data (collect -m on records it)");
}

int
mpicols_get(struct shell *sh, u32 want, struct mpi *out)
{
    int err = mpi_get(sh->session, want, out);

    if (err)
        return shell_fail_errno(sh, err, "the MPI calls cannot be shown");
    if (out->recorded)
        return 0;
    mpi_free(out);
    return mpicols_none(sh);
}

void
mpicols_dropped(struct shell *sh, u64 dropped)
{
    if (dropped)
        shell_note(sh, "%llu MPI records were dropped for want of room: messages are "
                       "matched by their order, and may be matched wrongly",
                   (unsigned long long)dropped);
}

u32
mpicols_limit(struct shell *sh, struct table *t, u32 count)
{
    if (sh->limit || sh->export != export_text || count <= ROWS_SHOWN)
        return shell_limit(sh, t, count);
    t->nleft_out = count - ROWS_SHOWN;
    return ROWS_SHOWN;
}

u32
mpicols_world(struct table *t, const struct ranks *ranks)
{
    return ranks->worlds > 1 ? table_column(t, "world", "World", "", COL_COUNT, 0)
                             : NO_COLUMN;
}

void
mpicols_fill_world(const struct shell *sh, struct table *t, u32 column,
                   const struct ranks *ranks, u32 world)
{
    (void)sh;
    (void)ranks;
    if (column != NO_COLUMN)
        table_number(t, column, world + 1);
}

u32
mpicols_other_world(struct table *t, const char *key, const char *title, bool joins)
{
    return joins ? table_column(t, key, title, "", COL_COUNT, 0) : NO_COLUMN;
}

void
mpicols_clocks(struct table *t, const struct ranks *ranks,
               const struct mpi_clocks *clocks)
{
    for (u32 i = 0; i < clocks->hosts && clocks->aligned; i++) {
        const struct mpi_clock *clock = &clocks->host[i];
        const char *key = arena_printf(&t->arena, "clock_%u", i);
        const char *title =
            arena_printf(&t->arena, "Clock of %s", ranks->host[i].name);
        const char *text;

        if (!clock->known)
            text = "not aligned: no messages tell how far it is ahead";
        else if (!clock->ahead)
            text = "the others are aligned to it";
        else
            text = arena_printf(&t->arena, "aligned by messages, within %.1f us",
                                clock->error / 1e3);
        table_fact(t, key, title, text);
    }
}
