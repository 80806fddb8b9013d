/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/madefiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/base/array.h"
#include "print/load/madenodes.h"

enum {
    CREATORS_MAX = 64, /* depth of forks; in damaged logs creators may form a cycle */
};

/*
 * May the node be in made code? Not if it is in a file that the loader knows, in the
 * vdso or in the kernel: then the object's symbols are used, whatever was reported.
 */
static bool
may_be_made(const void *context, const struct node_row *row)
{
    const struct experiment *e = context;
    const struct map_instance *at = row->instance ? map_find(&e->map, row->instance)
                                                  : NULL;

    if (!at)
        at = map_find_pc(&e->map, row->pc, 0);
    return !at || at->kind == MAP_ANON || at->kind == MAP_JIT || at->mapped;
}

static bool
is_fork(const struct log *log)
{
    const char *how = log_fact(log, "descent", "how");

    return how && (!strcmp(how, "fork") || !strcmp(how, "clone"));
}

/*
 * The tick at which the process of that log was forked. For e itself, the birth of its
 * first thread. Of a process between e and the creator, only the log is read: its run
 * event, some ms after the fork. 0 = not known.
 */
static u64
start_of(const struct experiment *e, const struct log *log)
{
    const struct log_event_row *run = log_find_event(log, "run");

    if (log == &e->log && e->threads.count && e->threads.row[0].birth)
        return clock_tick(&e->clock, e->threads.row[0].birth);
    return run ? log_event_number(run, "tick", 0) : 0;
}

/*
 * Open the directory of an experiment's creator. name: from the log, so it may be
 * anything; "" = the founder. A descriptor, or a negative number.
 */
static int
open_creator(const struct experiment *e, const char *name)
{
    int founder = founder_open(e->founder), dir;

    if (founder < 0 || !*name)
        return founder;
    dir = *name == '.' || strchr(name, '/')
              ? -1
              : openat(founder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(founder);
    return dir;
}

/* Add the functions that a creator had made before the tick `until`. */
static int
add_file(struct experiment *e, int dir, u64 until)
{
    const struct schema_file *schema = schema_find_file(e->schema, "madecode");
    struct datafile file = { .schema = schema }, *grown;
    struct record_source source;
    int ret = datafile_open(&file, dir, "madecode", true);

    if (ret == -ENOMEM)
        return ret;
    if (ret < 0 || !file.data || !schema)
        return 0;
    grown = realloc(e->made_from, (e->nmade_from + 1) * sizeof(*grown));
    if (!grown) {
        datafile_close(&file);
        return -ENOMEM;
    }
    e->made_from = grown;
    grown[e->nmade_from++] = file;
    source = (struct record_source){ .data = file.data, .size = file.size,
                                     .schema = schema, .path = "madecode",
                                     .problems = &e->problems };
    return made_add(&e->made, &source, &e->clock, until);
}

static int add_creators(struct experiment *e, const struct log *log, u32 depth);

static int
add_creator(struct experiment *e, int dir, u64 until, u32 depth)
{
    struct problems ignored = { 0 };
    struct log log = { 0 };
    int ret;

    pthread_mutex_init(&ignored.lock, NULL);
    ret = log_read(&log, dir, "log.xml", &ignored);
    if (ret == 0)
        ret = add_creators(e, &log, depth + 1);
    log_free(&log);
    problems_free(&ignored);
    return ret == -ENOMEM ? ret : add_file(e, dir, until);
}

/*
 * Add the functions of all processes from which the process of that log descends by
 * forks, the oldest first.
 */
static int
add_creators(struct experiment *e, const struct log *log, u32 depth)
{
    const char *creator = log_fact(log, "descent", "creator");
    int dir, ret;

    if (!is_fork(log) || !creator || depth > CREATORS_MAX)
        return 0;
    dir = open_creator(e, creator);
    if (dir < 0)
        return 0;
    ret = add_creator(e, dir, start_of(e, log), depth);
    close(dir);
    return ret;
}

static int
add_own(struct experiment *e)
{
    struct record_source source;

    if (experiment_source(e, FILE_madecode, &source) < 0)
        return 0;
    return made_add(&e->made, &source, &e->clock, UINT64_MAX);
}

static int
read_nodes(struct experiment *e)
{
    int ret = e->made.count
                  ? madenodes_open(&e->nodes, &e->made, may_be_made, e)
                  : 0;

    if (ret != -EOVERFLOW)
        return ret;
    problems_add(&e->problems, "%s: code was made, and made anew in its place, more "
                 "often than can be told apart: it has no names", e->path);
    return 0;
}

/*
 * May the processes from which this one was forked have made code? Assume so only if
 * the creator or the founder has the file: a shell may have thousands of children, for
 * which reading all ancestors would take long.
 */
static bool
creators_may_have_some(const struct experiment *e)
{
    const char *creator = log_fact(&e->log, "descent", "creator");
    bool found = false;

    if (!is_fork(&e->log) || !creator)
        return false;
    for (int i = 0; i < 2 && !found; i++) {
        int dir = open_creator(e, i ? "" : creator);

        found = dir >= 0 && faccessat(dir, "madecode", F_OK, 0) == 0;
        if (dir >= 0)
            close(dir);
    }
    return found;
}

int
madefiles_read(struct experiment *e)
{
    int ret;

    if (!e->file[FILE_madecode].data && !creators_may_have_some(e))
        return 0;
    ret = experiment_clock(e);
    if (ret == 0)
        ret = add_creators(e, &e->log, 0);
    if (ret == 0)
        ret = add_own(e);
    if (ret == 0)
        ret = made_seal(&e->made);
    return ret == 0 ? read_nodes(e) : ret;
}

void
madefiles_close(struct experiment *e)
{
    madenodes_free(&e->nodes);
    made_free(&e->made);
    for (u32 i = 0; i < e->nmade_from; i++)
        datafile_close(&e->made_from[i]);
    free(e->made_from);
}
