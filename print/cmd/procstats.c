/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/resource.h>

#include "print/cmd/shell.h"
#include "print/model/symbols/function.h"

static u64
ns_of(struct timeval t)
{
    return (u64)t.tv_sec * 1000000000 + (u64)t.tv_usec * 1000;
}

/*
 * Sum up the sizes of all experiments' data files, and the number of their stack nodes.
 */
static void
sizes(const struct session *s, u64 *bytes, u64 *nodes)
{
    *bytes = *nodes = 0;
    for (u32 i = 0; i < s->nexperiments; i++) {
        for (u32 f = 0; f < FILE_COUNT; f++)
            *bytes += s->experiment[i]->file[f].size;
        *nodes += s->experiment[i]->nodes.count;
    }
}

int
cmd_procstats(struct shell *sh, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_BLOCKS);
    u32 name = table_column(t, "name", "Program", "", COL_TEXT, 0);
    u32 user = table_column(t, "user", "User CPU", "sec.", COL_NS, 0);
    u32 system = table_column(t, "system", "System CPU", "sec.", COL_NS, 0);
    u32 memory = table_column(t, "memory", "Most memory", "byte", COL_COUNT, 0);
    u32 loaded = table_column(t, "experiments", "Experiments", "", COL_COUNT, 0);
    u32 data = table_column(t, "data", "Data files", "byte", COL_COUNT, 0);
    u32 stacks = table_column(t, "stacks", "Stack nodes", "", COL_COUNT, 0);
    u32 objects = table_column(t, "objects", "Load objects", "", COL_COUNT, 0);
    u32 functions = table_column(t, "functions", "Functions met", "", COL_COUNT, 0);
    struct rusage usage = { 0 };
    u64 bytes, nodes;

    (void)argc;
    getrusage(RUSAGE_SELF, &usage);
    sizes(sh->session, &bytes, &nodes);
    table_row(t, 0);
    table_text(t, name, "er_print");
    table_number(t, user, ns_of(usage.ru_utime));
    table_number(t, system, ns_of(usage.ru_stime));
    table_number(t, memory, (u64)usage.ru_maxrss * 1024);
    table_number(t, loaded, sh->session->nexperiments);
    table_number(t, data, bytes);
    table_number(t, stacks, nodes);
    table_number(t, objects, object_count(sh->session) - 1);
    table_number(t, functions, function_count(sh->session) - FUNC_PSEUDO_COUNT);
    return shell_show(sh, t);
}
