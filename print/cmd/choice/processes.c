/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/list.h"
#include "print/base/hash.h"
#include "print/model/unrecorded.h"

enum {
    INDENT_MAX = 40, /* deeper processes are not indented any more */
    NONE = -1,
};

/*
 * A node in the tree of processes. creator, first, last and next are indices of
 * experiments in the session; NONE = there is none.
 */
struct process {
    int creator;
    int first; /* the first process that it created */
    int last;  /* the last process that it created */
    int next;  /* the next process of the same creator */
    u64 cpu;   /* ns */
    u64 with;  /* ns: `cpu`, and the CPU time of all its descendants */
    u64 lost; /* of a founder: CPU time of descendants that are in no experiment */
};

struct tree {
    struct shell *sh;
    struct process *process;
    struct table *table;
    u64 total;
    u32 id, pid, creator, cpu, share, with, how, tree, program, path;
};

/* A path to search for; `found` is the last experiment found with that path. */
struct wanted {
    const struct session *session;
    const char *path;
    int found;
};

static bool
note_match(const void *key, u32 index)
{
    struct wanted *w = (void *)(uintptr_t)key;

    if (!strcmp(w->session->experiment[index]->path, w->path) && (int)index > w->found)
        w->found = (int)index;
    return false; /* go on: an experiment that was named twice is loaded twice */
}

/*
 * The path of the experiment of e's creator: `name`, in the directory in which e is
 * too; if name is "", the founder's.
 */
static char *
creator_path(const struct experiment *e, const char *name)
{
    int above = (int)(strlen(e->path) - strlen(list_base_name(e->path)));
    char *path;

    if (asprintf(&path, "%.*s%s", *name ? above : above - 1, e->path, name) < 0)
        return NULL;
    return path;
}

/*
 * Search only the experiments before this one: a creator precedes what it has created.
 */
static int
find_creator(const struct session *s, const struct hash *before, u32 of)
{
    const struct experiment *e = s->experiment[of];
    const char *name = log_fact(&e->log, "descent", "creator");
    struct wanted w = { s, NULL, NONE };
    char *path = name ? creator_path(e, name) : NULL;

    if (path) {
        w.path = path;
        (void)hash_find(before, (u32)hash_str(0, path), note_match, &w);
    }
    free(path);
    return w.found;
}

static void
link_in(struct process *process, int i)
{
    struct process *creator = &process[process[i].creator];

    if (creator->first == NONE)
        creator->first = i;
    else
        process[creator->last].next = i;
    creator->last = i;
}

static int
build(struct tree *t)
{
    const struct session *s = t->sh->session;
    struct hash paths = { 0 };
    int ret = 0;

    for (u32 i = 0; i < s->nexperiments; i++) {
        const struct experiment *e = s->experiment[i];
        u64 cpu = e->has_account ? e->user + e->system : 0;

        u64 lost = unrecorded_time(s, i);

        t->process[i] = (struct process){ find_creator(s, &paths, i), NONE, NONE, NONE,
                                          cpu, cpu + lost, lost };
        if (ret == 0)
            ret = hash_add(&paths, (u32)hash_str(0, e->path), i);
        t->total += cpu + lost;
        if (t->process[i].creator != NONE)
            link_in(t->process, (int)i);
    }
    for (u32 i = s->nexperiments; i-- > 0;)
        if (t->process[i].creator != NONE)
            t->process[t->process[i].creator].with += t->process[i].with;
    hash_free(&paths);
    return ret;
}

static const char *
program_of(const struct experiment *e)
{
    const char *exe = log_fact(&e->log, "process", "exe");

    if (exe && *exe)
        return list_base_name(exe);
    return e->log.nargs ? list_base_name(e->log.arg[0]) : "";
}

static void
show_one(struct tree *t, u32 i, u32 depth)
{
    const struct experiment *e = t->sh->session->experiment[i];
    const struct process *p = &t->process[i];
    const char *how = log_fact(&e->log, "descent", "how");
    char drawn[2 * INDENT_MAX + 256];
    int indent = (int)(2 * (depth < INDENT_MAX ? depth : INDENT_MAX));

    table_row(t->table, 0);
    table_number(t->table, t->cpu, p->cpu);
    if (t->total)
        table_real(t->table, t->share, 100.0 * (double)p->cpu / (double)t->total);
    table_number(t->table, t->with, p->with);
    table_number(t->table, t->id, i + 1);
    if (e->pid)
        table_number(t->table, t->pid, e->pid);
    if (p->creator != NONE)
        table_number(t->table, t->creator, (u32)p->creator + 1);
    if (how)
        table_text(t->table, t->how, how);
    snprintf(drawn, sizeof(drawn), "%*s%.200s", indent, "", program_of(e));
    table_text(t->table, t->tree, drawn);
    table_text(t->table, t->program, program_of(e));
    table_text(t->table, t->path, e->path);
}

/*
 * Add a row below a founder: CPU time of descendants, by the kernel's account, that no
 * experiment has.
 */
static void
show_lost(struct tree *t, u64 lost)
{
    table_row(t->table, 0);
    table_number(t->table, t->cpu, lost);
    table_real(t->table, t->share, 100.0 * (double)lost / (double)t->total);
    table_number(t->table, t->with, lost);
    table_text(t->table, t->tree, "  <not recorded>");
    table_text(t->table, t->program, "<not recorded>");
}

static void
show(struct tree *t, int i, u32 depth)
{
    if (t->sh->limit && t->table->nrows >= t->sh->limit)
        t->table->nleft_out++;
    else
        show_one(t, (u32)i, depth);
    if (t->process[i].lost)
        show_lost(t, t->process[i].lost);
    for (int child = t->process[i].first; child != NONE; child = t->process[child].next)
        show(t, child, depth + 1);
}

int
cmd_processes(struct shell *sh, int argc, char **argv)
{
    struct tree t = { .sh = sh };
    int ret;

    (void)argc;
    t.process = calloc(sh->session->nexperiments + 1, sizeof(*t.process));
    if (!t.process)
        return -ENOMEM;
    t.table = table_new(argv[0], LAYOUT_COLUMNS);
    t.cpu = table_column(t.table, "cpu", "CPU time", "sec.", COL_NS, 0);
    t.share = table_column(t.table, "share", "", "%", COL_PERCENT, COL_JOINED);
    t.with = table_column(t.table, "with_descendants", "With\ndescend.", "sec.", COL_NS,
                          0);
    t.id = table_column(t.table, "id", "Id", "", COL_COUNT, 0);
    t.pid = table_column(t.table, "pid", "PID", "", COL_COUNT, 0);
    t.creator = table_column(t.table, "creator", "", "", COL_COUNT, COL_DATA_ONLY);
    t.how = table_column(t.table, "how", "By", "", COL_TEXT, 0);
    t.tree = table_column(t.table, "tree", "Program", "", COL_TEXT, COL_TEXT_ONLY);
    t.program = table_column(t.table, "program", "", "", COL_TEXT, COL_DATA_ONLY);
    t.path = table_column(t.table, "experiment", "Experiment", "", COL_TEXT, 0);
    ret = build(&t);
    for (u32 i = 0; ret == 0 && i < sh->session->nexperiments; i++)
        if (t.process[i].creator == NONE)
            show(&t, (int)i, 0);
    free(t.process);
    if (ret < 0) {
        table_free(t.table);
        return ret;
    }
    return shell_show(sh, t.table);
}
