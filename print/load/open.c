/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes an experiment. */
#include "print/load/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/load/alive.h"
#include "print/load/integrity.h"
#include "print/load/madefiles.h"
#include "print/load/xml.h"
#include "share/named.h"

/* Set *why to a sentence (NULL = no memory); returns -err. */
static int __attribute__((format(printf, 3, 4)))
refuse(char **why, int err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (vasprintf(why, format, args) < 0)
        *why = NULL;
    va_end(args);
    return -err;
}

/* Open the founder's directory, and set is_founder. A descriptor, or -1 with errno. */
static int
open_founder(struct experiment *e)
{
    int above;

    e->is_founder = !experiment_is_sub_name(experiment_base(e));
    if (e->is_founder)
        return fcntl(e->dir, F_DUPFD_CLOEXEC, 0);
    above = openat(e->dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (above >= 0 && faccessat(above, "log.xml", F_OK, 0) == 0)
        return above;
    /* The directory above is not an experiment, so this is not a sub-experiment. */
    if (above >= 0)
        close(above);
    e->is_founder = true;
    return fcntl(e->dir, F_DUPFD_CLOEXEC, 0);
}

static int
find_founder(struct experiment *e, char **why)
{
    int dir = open_founder(e);
    char *path;

    if (dir < 0)
        return refuse(why, errno, "%s cannot be opened: %s", e->path, strerror(errno));
    path = experiment_file_path(e, e->is_founder ? "." : "..");
    if (path)
        e->founder = founder_acquire(dir, path);
    else
        close(dir);
    free(path);
    return e->founder ? 0 : -ENOMEM;
}

static int
read_log(struct experiment *e, char **why)
{
    char *name = experiment_file_path(e, "log.xml");
    int ret = name ? log_read(&e->log, e->dir, name, &e->problems) : -ENOMEM;

    if (ret == -ENOENT)
        refuse(why, ENOENT, "%s is not an experiment: it has no log.xml", e->path);
    else if (ret == -EBADMSG)
        refuse(why, EBADMSG, "%s is not an experiment's log", name);
    else if (ret == -EMEDIUMTYPE)
        refuse(why, -ret, "%s was recorded by gprofng or Oracle Studio", e->path);
    else if (ret < 0)
        refuse(why, -ret, "%s/log.xml cannot be read: %s", e->path, strerror(-ret));
    free(name);
    return ret;
}

static int
read_map(struct experiment *e)
{
    char *name = experiment_file_path(e, "map.xml");
    int ret = name ? map_read(&e->map, e->dir, name, &e->problems) : -ENOMEM;

    if (ret < 0 && ret != -ENOMEM)
        problems_add(&e->problems, "%s cannot be read (%s): functions have no names",
                     name, ret == -EBADMSG ? "it is not a list of load objects"
                                           : strerror(-ret));
    free(name);
    return ret == -ENOMEM ? ret : 0;
}

static int
open_file(struct experiment *e, enum er_file file)
{
    struct datafile *data = &e->file[file];
    const char *name = er_files[file].name;
    int ret;

    data->path = experiment_file_path(e, name);
    if (!data->path)
        return -ENOMEM;
    data->schema = schema_find_file(e->schema, name);
    ret = datafile_open(data, e->dir, name, e->state != EXPERIMENT_COMPLETE);
    if (ret == -ENOMEM)
        return ret;
    if (ret < 0 && (ret != -ENOENT || integrity_file_missing(e, file))) {
        data->is_short = true;
        problems_add(&e->problems, "%s cannot be read: %s", data->path, strerror(-ret));
    }
    if (data->data && !data->schema)
        problems_add(&e->problems, "%s is not described in log.xml and is left out",
                     data->path);
    return 0;
}

/*
 * Open files of records before the files to which the records refer: a live
 * experiment's writer writes a node or a load object before the records that use it.
 */
static int
open_files(struct experiment *e)
{
    static const enum er_file later[] = { FILE_frameinfo, FILE_threads };
    int ret = 0;

    for (u32 i = 0; i < FILE_COUNT && ret == 0; i++)
        if (er_files[i].layout == LAYOUT_CHUNKS)
            ret = open_file(e, i);
    for (u32 i = 0; i < ER_COUNT(later) && ret == 0; i++)
        ret = open_file(e, later[i]);
    return ret == 0 ? read_map(e) : ret;
}

static int
read_rows(struct experiment *e)
{
    const struct datafile *nodes = &e->file[FILE_frameinfo];
    const struct datafile *threads = &e->file[FILE_threads];

    if (nodes->data && nodes->schema &&
        nodes_open(&e->nodes, nodes->schema, nodes->data, nodes->size) < 0)
        problems_add(&e->problems, "%s: log.xml does not describe stack nodes in it",
                     nodes->path);
    if (threads->data && threads->schema) {
        int ret = threads_read(&e->threads, threads->schema, threads->data,
                               threads->size);

        if (ret == -ENOMEM)
            return ret;
        if (ret < 0)
            problems_add(&e->problems, "%s: log.xml does not describe threads in it",
                         threads->path);
    }
    return 0;
}

/* Give threads of Java programs their full names, from records `named`. */
static int
name_java_threads(struct experiment *e)
{
    int ret = log_find_event(&e->log, "java") ? experiment_names(e) : 0;

    for (u32 i = 0; i < e->names.count && ret == 0; i++) {
        const struct recorded_name *name = &e->names.row[i];

        if (name->kind == NAMED_THREAD)
            threads_name(&e->threads, (u32)name->id, name->text);
    }
    return ret;
}

static void
read_notes(struct experiment *e)
{
    size_t len;

    if (xml_slurp(e->dir, "notes", &e->notes, &len) < 0)
        e->notes = strdup("");
}

/* Did the process log this event because of an exec that did not fail afterwards? */
static bool
execed(const struct log *log, const struct log_event_row *event)
{
    const char *how = log_event_attr(event, "arg1");
    const struct log_event_row *failed = log_last_event(log, "exec_failed");

    return how && !strcmp(how, "exec") && (!failed || failed < event);
}

static void
account_of_end(struct experiment *e, const struct log_event_row *end)
{
    const struct log_event_row *left = log_last_event(&e->log, "exit");
    u64 user = log_event_number(end, "user", UINT64_MAX);
    u64 system = log_event_number(end, "system", UINT64_MAX);
    u64 left_user = left ? log_event_number(left, "user", UINT64_MAX) : UINT64_MAX;
    u64 left_system = left ? log_event_number(left, "system", UINT64_MAX) : UINT64_MAX;
    bool knows_left = left_user != UINT64_MAX && left_system != UINT64_MAX;

    /* The launcher may know only the time since an exec, or none: `exit` has all. */
    if (knows_left && (user == UINT64_MAX || execed(&e->log, left))) {
        user = left_user;
        system = left_system;
        knows_left = false;
    }
    if (user == UINT64_MAX || system == UINT64_MAX)
        return;
    e->has_account = e->final = true;
    e->user = user;
    e->system = system;
    if (knows_left && user + system > left_user + left_system) {
        u64 exit = user + system - left_user - left_system;

        e->exit_user = user > left_user ? user - left_user : 0;
        if (e->exit_user > exit)
            e->exit_user = exit;
        e->exit_system = exit - e->exit_user;
    }
}

/* Without an end event: the sum of the threads' rows, or the last sample point. */
static int
account_so_far(struct experiment *e)
{
    u64 total = 0, system = 0;
    int ret = experiment_samples(e);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < e->threads.count; i++) {
        total += e->threads.row[i].cpu_last;
        system += e->threads.row[i].system_last;
    }
    for (u32 i = e->samples.count; i-- > 0;) {
        const struct sample_row *s = &e->samples.row[i];

        if (~s->known & (1u << SAMPLE_user | 1u << SAMPLE_system))
            continue;
        if (s->value[SAMPLE_user] + s->value[SAMPLE_system] > total) {
            total = s->value[SAMPLE_user] + s->value[SAMPLE_system];
            system = s->value[SAMPLE_system];
        }
        break;
    }
    if (system > total)
        system = total;
    e->has_account = total > 0;
    e->user = total - system;
    e->system = system;
    return 0;
}

static void
latest(struct experiment *e, u64 mono)
{
    if (mono > e->end_mono)
        e->end_mono = mono;
}

static int
end_of_incomplete(struct experiment *e)
{
    int ret = account_so_far(e);

    for (u32 i = 0; i < e->log.nevents; i++)
        latest(e, e->log.event[i].mono);
    if (e->samples.count)
        latest(e, e->samples.row[e->samples.count - 1].mono);
    for (u32 i = 0; i < e->threads.count; i++)
        latest(e, e->threads.row[i].death);
    return ret;
}

/* Did the process end in order, though no launcher logged its end? */
static bool
exited_cleanly(const struct log *log)
{
    const struct log_event_row *left = log_last_event(log, "exit");
    const struct log_event_row *failed = log_last_event(log, "exec_failed");

    return left && (!failed || failed < left);
}

static void
state_of(struct experiment *e)
{
    const struct log_event_row *run = log_begin(&e->log);
    const char *host = log_fact(&e->log, "host", "name");

    if (run) {
        e->start_mono = log_event_number(run, "mono", run->mono);
        e->start_wall = log_event_number(run, "wall", 0);
        e->pid = (u32)log_event_number(run, "pid", 0);
    }
    e->origin_mono = e->is_founder ? e->start_mono
                                   : founder_origin(e->founder, &e->log);
    e->end_mono = e->start_mono;
    if (log_end(&e->log))
        e->state = EXPERIMENT_COMPLETE;
    else if (alive(e->pid, e->start_mono, host))
        e->state = EXPERIMENT_LIVE;
    else if (exited_cleanly(&e->log))
        e->state = EXPERIMENT_ALONE;
    else
        e->state = EXPERIMENT_KILLED;
}

static int
end_of(struct experiment *e)
{
    const struct log_event_row *end = log_end(&e->log);

    if (!end)
        return end_of_incomplete(e);
    account_of_end(e, end);
    /* Without CPU times, the launcher saw the end too late; `exit` has the time. */
    if (e->has_account && log_event_number(end, "user", UINT64_MAX) == UINT64_MAX)
        latest(e, log_last_event(&e->log, "exit")->mono);
    else
        latest(e, log_event_number(end, "mono", end->mono));
    return e->has_account ? 0 : account_so_far(e);
}

/* Use the schema in the experiment's log, else its founder's, else this version's. */
static int
find_schema(struct experiment *e)
{
    const char *version = log_fact(&e->log, "collector", "version");

    e->schema = &e->log.schema;
    if (e->log.schema.nfiles)
        return 0;
    if (log_fact(&e->log, "described", "in") && !e->is_founder)
        e->schema = founder_schema(e->founder, version);
    if (e->schema && e->schema->nfiles)
        return 0;
    problems_add(&e->problems, "%s/log.xml describes no data files: those of this "
                 "version are assumed", e->path);
    e->schema = &e->log.schema;
    return schema_builtin(&e->log.schema);
}

static int
load(struct experiment *e, char **why)
{
    int ret = read_log(e, why);

    if (ret == 0)
        ret = find_founder(e, why);
    if (ret == 0)
        ret = find_schema(e);
    if (ret < 0)
        return ret;
    counters_read(&e->counters, &e->log);
    state_of(e);
    ret = open_files(e);
    if (ret == 0)
        ret = read_rows(e);
    if (ret == 0)
        ret = name_java_threads(e);
    integrity_check(e);
    if (ret == 0)
        ret = end_of(e);
    e->over_mono = log_over(&e->log, e->end_mono);
    if (ret == 0)
        ret = madefiles_read(e);
    read_notes(e);
    return e->notes ? ret : -ENOMEM;
}

static char *
trimmed(const char *path)
{
    size_t len = strlen(path);

    while (len > 1 && path[len - 1] == '/')
        len--;
    return strndup(path, len);
}

int
experiment_open(struct experiment **out, const char *path, char **why)
{
    struct experiment *e = calloc(1, sizeof(*e));
    int ret = -ENOMEM;

    *why = NULL;
    if (!e)
        return -ENOMEM;
    pthread_mutex_init(&e->problems.lock, NULL);
    e->dir = -1;
    e->path = trimmed(path);
    if (e->path) {
        e->dir = open(e->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (e->dir < 0)
            ret = refuse(why, errno, "%s cannot be opened: %s", path,
                         errno == ENOTDIR ? "an experiment is a directory"
                                          : strerror(errno));
        else
            ret = load(e, why);
    }
    if (ret < 0) {
        experiment_close(e);
        return ret;
    }
    /* There may be many sub-experiments: keep only the founder's directory open. */
    close(e->dir);
    e->dir = -1;
    *out = e;
    return 0;
}

void
experiment_close(struct experiment *e)
{
    if (!e)
        return;
    madefiles_close(e);
    log_free(&e->log);
    map_free(&e->map);
    threads_free(&e->threads);
    samples_free(&e->samples);
    codes_free(&e->codes);
    names_free(&e->names);
    collected_free(&e->collected);
    reconcile_free(&e->reconcile);
    clock_free(&e->clock);
    for (u32 i = 0; i < FILE_COUNT; i++)
        datafile_close(&e->file[i]);
    problems_free(&e->problems);
    founder_drop(e->founder);
    if (e->dir >= 0)
        close(e->dir);
    free(e->notes);
    free(e->path);
    free(e);
}
