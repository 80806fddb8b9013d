/* SPDX-License-Identifier: Apache-2.0 */
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

/* -err, and the sentence in *why. */
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

static char *
join(const char *dir, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

const char *
experiment_base(const struct experiment *e)
{
    const char *slash = strrchr(e->path, '/');

    return slash ? slash + 1 : e->path;
}

bool
experiment_is_sub_name(const char *name)
{
    return name[0] == '_' || !strncmp(name, "M_", 2);
}

/* Open the founder's directory, which has the archives. A descriptor, or -errno. */
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
    /* The directory above is no experiment, so this is no sub-experiment. */
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
    path = join(e->path, e->is_founder ? "." : "..");
    if (path)
        e->founder = founder_take(dir, path);
    else
        close(dir);
    free(path);
    return e->founder ? 0 : -ENOMEM;
}

static int
read_log(struct experiment *e, char **why)
{
    char *name = join(e->path, "log.xml");
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
    char *name = join(e->path, "map.xml");
    int ret = name ? map_read(&e->map, e->dir, name, &e->problems) : -ENOMEM;

    if (ret < 0 && ret != -ENOMEM)
        problems_add(&e->problems, "%s cannot be read (%s): functions have no names",
                     name, ret == -EBADMSG ? "it is not a list of load objects"
                                           : strerror(-ret));
    free(name);
    return ret == -ENOMEM ? ret : 0;
}

bool
experiment_asks(const struct experiment *e, enum er_file file)
{
    for (int i = 0; i < TRACE_COUNT; i++)
        if (er_traces[i].file == file)
            return log_fact(&e->log, "collect", er_traces[i].name) != NULL;
    if (file == FILE_hwcounters)
        return log_has_counter_hits(&e->log);
    /* The collector makes these files without being asked, so they may be missing. */
    return file != FILE_heapend && file != FILE_madecode && file != FILE_regions &&
           file != FILE_objects;
}

static int
open_file(struct experiment *e, enum er_file file)
{
    struct datafile *data = &e->file[file];
    const char *name = er_files[file].name;
    int ret;

    data->path = join(e->path, name);
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
        const struct noted_name *name = &e->names.row[i];

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

/* Is this event an exec, and one that succeeded? */
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

    /* The launcher may not know how a descendant ended: use the descendant's `exit`. */
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

/* CPU time of a process without an end event: from threads' rows and sample points. */
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
took_leave(const struct log *log)
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
    else if (took_leave(&e->log))
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

/* Find the schema: in the experiment's log, its founder's, or that of this version. */
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
    /* Of many sub-experiments, only the founder's directory stays open. */
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

/* From which tick to which tick the kernel sampled system time. */
static struct reconcile_span
kernel_span(const struct experiment *e)
{
    const struct log_event_row *began = log_find_event(&e->log, "kernel");
    const struct log_event_row *ended = log_find_event(&e->log, "kernel_ended");
    struct reconcile_span span = { 0, 0 };

    if (began) {
        span.from = log_event_number(began, "tick", 0);
        span.to = ended ? log_event_number(ended, "tick", 0) : UINT64_MAX;
    }
    return span;
}

int
experiment_source(struct experiment *e, enum er_file file, struct record_source *out)
{
    const struct datafile *data = &e->file[file];

    if (!data->data || !data->schema || data->schema->layout != LAYOUT_CHUNKS)
        return -ENOENT;
    integrity_check_chunks(e, file);
    *out = (struct record_source){ data->data, data->size, data->schema, data->path,
                                   &e->problems, data->is_short,
                                   e->nodes.times ? &e->nodes : NULL, NULL, NULL };
    out->reconcile =
        reconcile_once(&e->reconcile, out, e->threads.id_max,
                       e->final ? e->user + e->system - e->exit_user - e->exit_system
                                : UINT64_MAX,
                       kernel_span(e));
    out->collected = collected_once(&e->collected, out);
    return 0;
}

int
experiment_samples(struct experiment *e)
{
    struct record_source source;
    int ret = 0;

    if (e->have_samples)
        return 0;
    if (experiment_source(e, FILE_overview, &source) == 0)
        ret = samples_read(&e->samples, &source);
    e->have_samples = ret == 0;
    return ret;
}

int
experiment_totals(struct experiment *e)
{
    struct record_source source;
    int ret = 0;

    if (e->have_totals)
        return 0;
    if (experiment_source(e, FILE_overview, &source) == 0)
        ret = counters_totals(&e->counters, &source);
    e->have_totals = ret == 0;
    return ret;
}

const struct archived *
experiment_archived(struct experiment *e, bool again)
{
    struct founder *f = e->founder;
    char *name;
    int dir;

    if (f->have_archived && !again)
        return &f->archived;
    f->have_archived = true;
    archived_free(&f->archived);
    name = join(e->path, "archives/index.xml");
    dir = founder_open(f);
    if (name && dir >= 0)
        archived_read(&f->archived, dir, name, &e->problems);
    if (dir >= 0)
        close(dir);
    free(name);
    return &f->archived;
}

const struct labels *
experiment_labels(struct experiment *e, bool again)
{
    struct founder *f = e->founder;
    char *name;
    int dir;

    if (f->have_labels && !again)
        return &f->labels;
    f->have_labels = true;
    labels_free(&f->labels);
    name = join(e->path, LABELS_FILE);
    dir = founder_open(f);
    if (name && dir >= 0)
        labels_read(&f->labels, dir, name, &e->problems);
    if (dir >= 0)
        close(dir);
    free(name);
    return &f->labels;
}

bool
experiment_clocked(const struct experiment *e)
{
    const char *ns = log_fact(&e->log, "collect", "clock_ns");

    /* If all counters were refused, the collector has started a clock instead. */
    return !ns || strcmp(ns, "0") != 0 || log_find_event(&e->log, "sources");
}

u64
experiment_since(const struct experiment *e, u64 mono)
{
    return mono > e->origin_mono ? mono - e->origin_mono : 0;
}
