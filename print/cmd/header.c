/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "print/cmd/shell.h"
#include "print/model/programs.h"
#include "print/model/unrecorded.h"
#include "print/model/views/view.h"

/* Facts that log.xml has in one attribute, such as <host cpus="2"/>. */
static const struct {
    const char *element, *attribute, *key, *title, *unit;
    enum column_type type;
} logged[] = {
    { "process", "wd", "cwd", "Working directory", "", COL_TEXT },
    { "process", "exe", "program", "Program", "", COL_TEXT },
    { "process", "arch", "arch", "Kind of program", "", COL_TEXT },
    { "process", "pid", "pid", "Process id", "", COL_COUNT },
    { "process", "ppid", "ppid", "Parent's process id", "", COL_COUNT },
    { "import", "format", "import_format", "Imported, format", "", COL_TEXT },
    { "import", "file", "import_file", "Imported from", "", COL_TEXT },
    { "import", "tool", "import_tool", "Recorded by", "", COL_TEXT },
    { "import", "command", "import_command", "Recorder's command", "", COL_TEXT },
    { "collector", "version", "collector", "Collector version", "", COL_TEXT },
    { "host", "name", "host", "Host", "", COL_TEXT },
    { "host", "os", "os", "System", "", COL_TEXT },
    { "host", "kernel", "kernel", "Kernel", "", COL_TEXT },
    { "host", "cpu", "cpu", "Processor", "", COL_TEXT },
    { "host", "cpus", "cpus", "Processors", "", COL_COUNT },
    { "host", "hypervisor", "hypervisor", "Virtual machine", "", COL_TEXT },
    { "host", "container", "container", "Container", "", COL_TEXT },
    { "host", "memory", "memory", "Memory", "bytes", COL_COUNT },
    { "host", "page_size", "page_size", "Page size", "bytes", COL_COUNT },
    { "host", "hz", "hz", "Kernel's tick", "Hz", COL_COUNT },
    { "host", "perf_event_paranoid", "perf_event_paranoid", "perf_event_paranoid", "",
      COL_TEXT },
    { "clock", "ticks", "ticks", "Time stamps", "", COL_TEXT },
    { "collect", "clock_ns", "clock_interval", "Clock-profiling interval", "ms",
      COL_REAL },
    { "collect", "heap", "heap", "Heap tracing", "", COL_TEXT },
    { "collect", "sync", "sync", "Synchronization tracing", "", COL_TEXT },
    { "collect", "io", "io", "I/O tracing", "", COL_TEXT },
    { "collect", "sample_ns", "sample_interval", "Sample interval", "sec.", COL_NS },
    { "collect", "limit_mb", "limit", "Size limit", "MB", COL_COUNT },
    { "collect", "archive", "archive", "Archive", "", COL_TEXT },
};

struct header {
    struct table *t;
    u32 path, state, command, logged[ER_COUNT(logged)], start, duration, status;
    u32 user, system, events, environment, notes, warnings, problems;
    bool all; /* each process has a header */
};

static void
add_columns(struct header *h, const char *command)
{
    struct table *t = h->t = table_new(command, LAYOUT_BLOCKS);

    h->path = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    h->state = table_column(t, "state", "State", "", COL_TEXT, 0);
    h->command = table_column(t, "command", "Target command", "", COL_TEXT, 0);
    h->start = table_column(t, "start", "Started", "", COL_TEXT, 0);
    h->duration = table_column(t, "duration", "Duration", "sec.", COL_NS, 0);
    h->status = table_column(t, "ended", "Ended", "", COL_TEXT, 0);
    h->user = table_column(t, "user", "User CPU time", "sec.", COL_NS, 0);
    h->system = table_column(t, "system", "System CPU time", "sec.", COL_NS, 0);
    for (u32 i = 0; i < ER_COUNT(logged); i++)
        h->logged[i] =
            table_column(t, logged[i].key, logged[i].title, logged[i].unit,
                         logged[i].type, 0);
    h->environment = table_column(t, "environment", "Environment", "", COL_LIST, 0);
    h->events = table_column(t, "events", "Events", "", COL_LIST, 0);
    h->notes = table_column(t, "comments", "Comments", "", COL_LIST, 0);
    h->warnings = table_column(t, "warnings", "Warnings", "", COL_LIST, 0);
    h->problems = table_column(t, "problems", "Problems", "", COL_LIST, 0);
}

static void
fill_logged(const struct header *h, const struct log *log)
{
    for (u32 i = 0; i < ER_COUNT(logged); i++) {
        const char *value = log_fact(log, logged[i].element, logged[i].attribute);

        if (!value || !*value)
            continue;
        if (logged[i].type == COL_TEXT)
            table_text(h->t, h->logged[i], value);
        else if (logged[i].type == COL_REAL) /* ms, from ns */
            table_real(h->t, h->logged[i], strtod(value, NULL) / 1e6);
        else
            table_number(h->t, h->logged[i], strtoull(value, NULL, 10));
    }
}

static void
fill_command(const struct header *h, const struct log *log)
{
    char *text = log_command(log);

    if (text)
        table_text(h->t, h->command, text);
    free(text);
}

static void
fill_start(const struct header *h, u64 wall)
{
    time_t seconds = (time_t)(wall / 1000000000);
    struct tm tm;
    char text[64];

    if (wall && localtime_r(&seconds, &tm) &&
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
        table_text(h->t, h->start, text);
}

static void
fill_environment(const struct header *h, const struct log *log)
{
    for (u32 i = 0; i < log->nelements; i++) {
        const struct log_element *e = &log->element[i];
        const char *name = "", *value = "";

        if (strcmp(e->name, "env"))
            continue;
        for (u32 k = 0; k < e->nattrs; k++) {
            if (!strcmp(e->attr[k].name, "name"))
                name = e->attr[k].value;
            if (!strcmp(e->attr[k].name, "value"))
                value = e->attr[k].value;
        }
        table_line(h->t, h->environment,
                   arena_printf(&h->t->arena, "%s=%s", name, value));
    }
}

static bool
is_bad(const struct log_event_row *event)
{
    return !strcmp(event->kind, "warning") || !strcmp(event->kind, "error");
}

/*
 * Fill one column with warnings and errors, and another with the other events of the
 * run.
 */
static void
fill_events(const struct header *h, const struct experiment *e)
{
    u32 started = 0;

    for (u32 i = 0; i < e->log.nevents; i++) {
        const struct log_event_row *ev = &e->log.event[i];
        int bad = is_bad(ev);
        u64 since = experiment_since(e, ev->mono);

        started += !strcmp(ev->id, "descendant");
        if (!h->all && (!strcmp(ev->id, "descendant") ||
                        !strcmp(ev->id, "descendant_end")))
            continue;
        table_line(h->t, bad ? h->warnings : h->events,
                   arena_printf(&h->t->arena, "%" PRIu64 ".%03u  %s",
                                since / 1000000000, (u32)(since / 1000000 % 1000),
                                ev->sentence));
    }
    if (started && !h->all)
        table_line(h->t, h->events,
                   arena_printf(&h->t->arena, "%u descendant%s started: processes "
                                "lists them", started, started == 1 ? "" : "s"));
}

/*
 * Fill in the CPU time of descendants that no experiment has; it is known only after
 * the run.
 */
static void
fill_unrecorded(const struct header *h, u64 lost)
{
    if (lost)
        table_line(h->t, h->warnings,
                   arena_printf(&h->t->arena,
                                "%" PRIu64 ".%03u s of CPU time of its descendants are "
                                "in no experiment: some are not recorded, or took "
                                "long to end",
                                lost / 1000000000, (u32)(lost / 1000000 % 1000)));
}

static void
fill_lines(struct table *t, u32 column, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");

        if (n)
            table_line(t, column, arena_printf(&t->arena, "%.*s", (int)n, text));
        text += n + (text[n] == '\n');
    }
}

/*
 * Fill in how the process ended ("by signal N", "with status N"), its run time and its
 * CPU times.
 */
static void
fill_end(const struct header *h, const struct experiment *e)
{
    const struct log_event_row *end = log_end(&e->log);
    const char *status = end ? log_event_attr(end, "status") : NULL;
    const char *sig = end ? log_event_attr(end, "signal") : NULL;

    if (sig && *sig && strcmp(sig, "0"))
        table_format(h->t, h->status, "by signal %s", sig);
    else if (status)
        table_format(h->t, h->status, "with status %s", status);
    if (e->end_mono > e->start_mono)
        table_number(h->t, h->duration, e->end_mono - e->start_mono);
    if (e->has_account) {
        table_number(h->t, h->user, e->user);
        table_number(h->t, h->system, e->system);
    }
}

static void
add_row(const struct header *h, struct experiment *e)
{
    static const char *const states[] = {
        [EXPERIMENT_COMPLETE] = "complete",
        [EXPERIMENT_LIVE] = "live: still being written",
        [EXPERIMENT_KILLED] = "killed: without an end",
        [EXPERIMENT_ALONE] = "ended by itself, after collect had",
    };

    table_row(h->t, 0);
    table_text(h->t, h->path, e->path);
    table_text(h->t, h->state, states[e->state]);
    fill_command(h, &e->log);
    fill_start(h, e->start_wall);
    fill_end(h, e);
    fill_logged(h, &e->log);
    fill_environment(h, &e->log);
    fill_events(h, e);
    fill_lines(h->t, h->notes, e->notes ? e->notes : "");
    for (u32 i = 0; i < e->problems.count; i++)
        table_line(h->t, h->problems, e->problems.text[i]);
}

/*
 * Count warnings and errors in the logs of all processes that ran a program, and their
 * problems.
 */
static void
count_bad(const struct session *session, const char *program, u64 *warnings,
          u64 *problems)
{
    *warnings = *problems = 0;
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct experiment *e = session->experiment[i];

        if (strcmp(programs_name(e), program))
            continue;
        *problems += e->problems.count + e->problems.unlisted;
        for (u32 k = 0; k < e->log.nevents; k++)
            *warnings += is_bad(&e->log.event[k]);
    }
}

/* Make a table, by program, of the processes for which no header is shown. */
static struct table *
programs_table(struct shell *sh, const char *command, const struct programs *all)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 cpu = table_column(t, "cpu", "CPU time", "sec.", COL_NS, 0);
    u32 share = table_column(t, "share", "", "%", COL_PERCENT, COL_JOINED);
    u32 wall = table_column(t, "duration", "Duration", "sec.", COL_NS, 0);
    u32 longest = table_column(t, "longest", "Longest", "sec.", COL_NS, 0);
    u32 processes = table_column(t, "processes", "Processes", "", COL_COUNT, 0);
    u32 bad = table_column(t, "failed", "Not with\nstatus 0", "", COL_COUNT, 0);
    u32 warned = table_column(t, "warnings", "Warnings", "", COL_COUNT, 0);
    u32 problem = table_column(t, "problems", "Problems", "", COL_COUNT, 0);
    u32 name = table_column(t, "program", "Program", "", COL_TEXT, 0);
    u32 shown = shell_limit(sh, t, all->count);

    table_title(t, "Programs, by CPU time (header all: a header for each process)");
    for (u32 i = 0; i < shown; i++) {
        const struct program *p = &all->row[i];
        u64 warnings, problems;

        count_bad(sh->session, p->name, &warnings, &problems);
        table_row(t, 0);
        if (p->cpu_known)
            table_number(t, cpu, p->cpu);
        if (p->cpu_known && all->cpu)
            table_real(t, share, 100 * (double)p->cpu / (double)all->cpu);
        table_number(t, wall, p->wall);
        table_number(t, longest, p->longest);
        table_number(t, processes, p->processes);
        table_number(t, bad, p->bad);
        table_number(t, warned, warnings);
        table_number(t, problem, problems);
        table_text(t, name, p->name);
    }
    return t;
}

/*
 * Add the headers of the processes that the user started or, if asked for, of all.
 * Returns how many processes have no header.
 */
static u32
add_headers(struct shell *sh, const struct header *h)
{
    const struct session *s = sh->session;
    u32 without = 0;

    for (u32 i = 0; i < s->nexperiments; i++) {
        if (!h->all && !s->experiment[i]->is_founder && !session_new_founder(s, i)) {
            without++;
        } else if (sh->limit && h->t->nrows >= sh->limit) {
            h->t->nleft_out++;
        } else {
            add_row(h, s->experiment[i]);
            fill_unrecorded(h, unrecorded_time(s, i));
        }
    }
    return without;
}

int
cmd_header(struct shell *sh, int argc, char **argv)
{
    bool all = argc > 1 && !strcasecmp(argv[1], "all");
    struct programs programs;
    struct values total;
    struct header h;
    int err;

    if (argc > 1 && !all)
        return shell_fail(sh, "\"%s\" is not all", argv[1]);
    err = view_total(sh->session, &total);
    if (err)
        shell_note(sh, "the events cannot be read: %s", strerror(-err));
    add_columns(&h, argv[0]);
    h.all = all;
    /* The events were read before this, so that their damage is reported, too. */
    if (!add_headers(sh, &h))
        return shell_show(sh, h.t);
    err = programs_get(sh->session, &programs);
    if (err) {
        table_free(h.t);
        return shell_fail_errno(sh, err, "the programs cannot be listed");
    }
    table_title(h.t, "What was started");
    table_follow(&h.t, programs_table(sh, argv[0], &programs));
    programs_free(&programs);
    return shell_show(sh, h.t);
}
