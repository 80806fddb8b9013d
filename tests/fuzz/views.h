/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Er_print's views of an experiment, by number, for fuzz targets: one question each, so
 * that an input costs as much as what it is about. Ordinary process context.
 */
#ifndef ERTOOLS_TESTS_FUZZ_VIEWS_H
#define ERTOOLS_TESTS_FUZZ_VIEWS_H

#include "tests/fuzz/print_all.h"

/* What commands say with arguments, and settings that change what they do. */
static const char *const views_lines[] = {
    "mpimatrix grid", "mpimatrix pairs", "mpiwait places", "mpiwait stacks",
    "mpidetail sizes", "mpidetail stacks",
    "mpidelay functions", "mpidelay stacks", "mpicritical stacks",
    "heap functions", "heap stacks", "locks objects", "locks stacks",
    "timeline cpus 20", "timeline processes 7", "timeline experiments 3",
    "indxobj Threads", "indxobj CPUs", "indxobj Samples", "indxobj Seconds",
    "indxobj Processes", "indxobj Experiment_IDs", "memobj Pages",
    "indxobj_define T TSTAMP / 1000 + LEAF\nindxobj T",
    "mobj_define P HVADDR >> 3\nmemobj P", "dsummary 1", "ddetail 1", "stacks ns",
    "add_exp every.er\ncompare on\nfunctions\ncalltree\nstacks",
    "add_exp mix.er\ncompare delta\nlines\npcs\ncallers-callees",
    "add_exp mix.er\ncompare ratio\nsource alpha\ndisasm alpha",
    "add_exp heap.er\ncompare on\ncsingle main\nheap\nallocs",
    "printmode json\nfunctions\nheader\nstatistics",
    "printmode ,\ncallers-callees\nobjects", "name mangled:soname\nfunctions",
    "viewmode machine\nfunctions\nsource main", "viewmode expert\ncalltree",
    "object_hide all\nfunctions", "object_api all\nfunctions\ncalltree",
    "metrics i.any:e.%any:name\nfunctions", "data_single alpha\ndata_layout",
    "filters LEAF IN (1, 2, 3) || THRID == 1\nfunctions\nlines",
    "filters SAMPLE > 0 && PID > 1\nstatistics\nmpi",
    "filters (FNAME(\"main|f1\") SOME IN STACK)\nheap\nlocks\niostat",
    "sample_select 1-3\nlwp_select 1\nthread_select 1-2\ncpu_select all\nfunctions",
    "filters MPIRANK == 1 || MPICOMM > 0 || IOFD > 2\nmpi\nmpiwait\nioactivity",
    "filters MSTATE == 1 && WEIGHT > 5 || CPUID IN (0, 1)\nfunctions\nthread_list",
    "filters HLEAKED > 0 || HFREED > 1 || HTYPE == 2\nleaks\nallocs\nheapstat",
    "filters DOBJ == 1 || VADDR % 3 == 1 || MEMNODE == 1\ndata_objects\nmemobj Pages",
    "filters IOFNAME == \"a\" || IOFSTYPE == \"ext4\"\niodetail\niocallstack",
    "procstats\nexperiment_list\nlabel_list\nhelp\ndescribe\nversion\nmobj_list",
};

/* The nth command that needs an experiment and no word but a function's name. */
static inline const struct command *
views_command(u32 n)
{
    for (u32 i = 0; i < ncommands; i++) {
        const struct command *c = &commands[i];

        if (c->alias_of || c->flags & CMD_BARE ||
            (!command_needs_name(c) && command_min_args(c)))
            continue;
        if (!n--)
            return c;
    }
    return NULL;
}

static inline u32
views_count(void)
{
    u32 n = 0;

    while (views_command(n))
        n++;
    return n + ER_COUNT(views_lines);
}

/* A few lines of a script. */
static inline void
views_run_lines(struct shell *sh, const char *lines)
{
    char *text = strdup(lines), *save, *line;

    for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        run_line(sh, line);
    free(text);
}

/* An experiment's life in er_print: opened, one view shown, closed. */
static inline void
views_show(const char *path, u32 view)
{
    const struct command *c = views_command(view);
    struct shell sh;

    print_all_start(&sh);
    if (!shell_add(&sh, path)) {
        if (c)
            print_all_command(&sh, c);
        else
            views_run_lines(&sh, views_lines[view % ER_COUNT(views_lines)]);
    }
    print_all_end(&sh);
}

#endif
