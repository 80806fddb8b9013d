/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "print/cmd/io/iocols.h"
#include "print/cmd/stackcell.h"

static int
compare(const void *a, const void *b)
{
    const struct io_stack *x = a, *y = b;
    struct io_sum left = io_sums_all(&x->sums, false);
    struct io_sum right = io_sums_all(&y->sums, false);

    if (left.time != right.time)
        return left.time < right.time ? 1 : -1;
    if (left.bytes != right.bytes)
        return left.bytes < right.bytes ? 1 : -1;
    return x->node < y->node ? -1 : x->node > y->node;
}

int
cmd_iocallstack(struct shell *sh, int argc, char **argv)
{
    struct iocols columns;
    struct table *t;
    struct io io;
    u32 heading, stack, shown;
    int err = 0;

    (void)argc;
    if (iocols_get(sh, IO_STACKS, &io))
        return 1;
    if (io.stacks)
        qsort(io.stack, io.stacks, sizeof(*io.stack), compare);
    t = table_new(argv[0], LAYOUT_BLOCKS);
    table_title(t, "I/O by stack, by time");
    table_fact(t, "stacks", "Stacks", arena_printf(&t->arena, "%u", io.stacks));
    heading = table_column(t, "heading", "Stack", "", COL_TEXT, 0);
    iocols_add(&columns, t);
    stack = table_column(t, "stack", "Stack", "", COL_LIST, 0);
    shown = shell_limit(sh, t, io.stacks);
    for (u32 i = 0; i < shown && !err; i++) {
        table_row(t, 0);
        table_format(t, heading, "Stack %u", i + 1);
        iocols_fill(&columns, &io.stack[i].sums);
        err = stackcell_fill(sh, t, stack, io.stack[i].node);
    }
    io_free(&io);
    if (!err)
        return shell_show(sh, t);
    table_free(t);
    return shell_fail(sh, "no memory is left");
}
