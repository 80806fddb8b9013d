/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/cmd/indextype.h"
#include "print/cmd/screen.h"
#include "print/cmd/suppress.h"
#include "print/export/value.h"
#include "print/base/progress.h"
#include "print/load/wall.h"
#include "print/model/symbols/function.h"
#include "print/model/session/sessions.h"
#include "share/outfile.h"

enum { PROGRESS_DELAY = 500000000 }; /* ns */

/* The metrics shown at the start: the first row applies whose data exist. */
static const struct defaults {
    enum er_file file;
    const char *metrics, *sort;
} defaults[] = {
    { FILE_profile, "e.%totalcpu:i.%totalcpu", "e.totalcpu" },
    { FILE_heaptrace,
      "e.heapallocbytes:i.heapallocbytes:i.heapalloccnt:i.heapleakbytes:"
      "i.heappeakbytes",
      "i.heapallocbytes" },
    { FILE_synctrace, "e.%sync:i.%sync:i.syncn", "i.sync" },
    { FILE_iotrace,
      "i.ioreadtime:i.ioreadbytes:i.ioreadcnt:i.iowritetime:i.iowritebytes:"
      "i.iowritecnt:i.ioothertime:i.ioerrorcnt",
      "i.ioreadtime" },
    { FILE_mpitrace, "e.%mpitime:i.%mpitime:i.mpicnt:i.mpisendbytes:i.mpirecvbytes",
      "i.mpitime" },
    { FILE_calltrace, "i.calltime:i.callcnt:i.callerrcnt", "i.calltime" },
    { FILE_hwcounters, "e.hwc:i.hwc", "e.hwc" },
};

/* Set the metrics and the order, unless the user has chosen them. */
static void
set_defaults(struct shell *sh, const struct defaults *d)
{
    char error[MSPEC_ERROR];

    if (!sh->own_metrics) {
        mspec_parse(d->metrics, &sh->dmetrics, error);
        sh->metrics = sh->dmetrics;
    }
    if (!sh->own_sort) {
        mspec_parse_sort(d->sort, &sh->dsort, error);
        sh->sort = sh->dsort;
    }
}

static bool
has_data(const struct shell *sh, enum er_file file)
{
    for (u32 i = 0; i < sh->session->nexperiments; i++) {
        struct experiment *e = sh->session->experiment[i];
        struct chunk_cursor cursor = { 0 };
        struct record_source source;
        const struct er_chunk *chunk;
        u32 committed;
        u64 where;

        if (experiment_source(e, file, &source) < 0 ||
            (file == FILE_profile && !experiment_clocked(e)))
            continue;
        cursor.data = source.data;
        cursor.size = source.size;
        cursor.file = source.schema->number;
        if (chunk_next(&cursor, &chunk, &committed, &where))
            return true;
    }
    return false;
}

/* If wall time was recorded, show wall time, since that is what the user asked for. */
static const struct defaults *
defaults_of(const struct shell *sh, const struct defaults *d)
{
    static const struct defaults wall = { FILE_profile,
                                          "e.%total:i.%total:e.totalcpu", "e.total" };

    for (u32 i = 0; i < sh->session->nexperiments && d->file == FILE_profile; i++)
        if (wall_is_there(sh->session->experiment[i]))
            return &wall;
    return d;
}

/* Add columns for counters to those of the other metrics. */
static void
add_counters(struct shell *sh)
{
    struct mspec more;
    char error[MSPEC_ERROR];

    if (sh->own_metrics || !has_data(sh, FILE_hwcounters) ||
        mspec_parse("e.hwc:i.hwc", &more, error) < 0)
        return;
    for (u32 i = 0; i < more.n; i++)
        mspec_add(&sh->dmetrics, more.item[i]);
    sh->metrics = sh->dmetrics;
}

static void
choose_defaults(struct shell *sh)
{
    for (u32 i = 0; i < ER_COUNT(defaults); i++) {
        if (!has_data(sh, defaults[i].file))
            continue;
        set_defaults(sh, defaults_of(sh, &defaults[i]));
        add_counters(sh);
        return;
    }
}

int
shell_start(struct shell *sh)
{
    *sh = (struct shell){
        .program = "er_print",
        .sthresh = 75,
        .dthresh = 75,
        .export = export_text,
        .separator = ',',
        .out = stdout,
    };
    set_defaults(sh, &defaults[0]);
    if (sessions_open(&sh->session) < 0)
        return -ENOMEM;
    sh->session->user = true;
    return 0;
}

/*
 * Flush the output. 0 or -errno. If the reader of a pipe is gone, end the program; that
 * is not an error, but a command may have failed before.
 */
static int
flush(struct shell *sh)
{
    if (!fflush(sh->out) && !ferror(sh->out))
        return 0;
    if (errno != EPIPE)
        return errno ? -errno : -EIO;
    screen_close(sh->screen);
    exit(sh->failed ? EXIT_FAILURE : EXIT_SUCCESS);
}

static FILE *
standard_output(const struct shell *sh)
{
    return sh->screen ? screen_stream(sh->screen) : stdout;
}

static int
close_output(struct shell *sh)
{
    FILE *f = sh->out, *standard = standard_output(sh);
    int err = flush(sh);

    sh->out = standard;
    if (f != standard && fclose(f) && !err)
        err = -errno;
    return err;
}

int
shell_end(struct shell *sh)
{
    int err = close_output(sh);

    screen_close(sh->screen);
    sessions_close(sh->session);
    for (u32 i = 0; i < FILTER_PARTS; i++)
        free(sh->select[i]);
    indextype_free(sh->types, sh->ntypes);
    free(sh->reported);
    suppress_free(sh->suppressions);
    return err;
}

void
shell_make_way(const struct shell *sh)
{
    progress_erase();
    fflush(sh->out);
    if (sh->screen)
        screen_release(sh->screen);
}

static void
put_place(const struct shell *sh)
{
    shell_make_way(sh);
    fprintf(stderr, "%s: ", sh->program);
    if (sh->file)
        fprintf(stderr, "%s:%u: ", sh->file, sh->line);
    if (sh->command)
        fprintf(stderr, "%s: ", sh->command->name);
}

__attribute__((format(printf, 2, 0))) static void
put_sentence(const struct shell *sh, const char *format, va_list ap)
{
    char *text;

    put_place(sh);
    if (vasprintf(&text, format, ap) >= 0) {
        value_write_lines(text, strchr(format, '\n') != NULL, stderr);
        free(text);
    }
    putc('\n', stderr);
}

/* Write an error as json to standard output, for programs that read json there. */
__attribute__((format(printf, 2, 0))) static void
put_error(const struct shell *sh, const char *format, va_list ap)
{
    const char *command = sh->command ? sh->command->name : "";
    char *text;

    if (vasprintf(&text, format, ap) < 0)
        return;
    export_json_error(command, text, sh->out);
    free(text);
}

int
shell_fail(struct shell *sh, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    put_sentence(sh, format, ap);
    va_end(ap);
    if (sh->export == export_json) {
        va_start(ap, format);
        put_error(sh, format, ap);
        va_end(ap);
    }
    sh->failed = true;
    return 1;
}

void
shell_note(struct shell *sh, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    put_sentence(sh, format, ap);
    va_end(ap);
}

int
shell_fail_at(struct shell *sh, const char *text, u32 column, const char *sentence)
{
    size_t len = strlen(text), at = column && column - 1 < len ? column - 1 : len;
    char *before = strndup(text, at);

    shell_fail(sh, "column %u: %s", column, sentence);
    fputs("    ", stderr);
    value_write_safe(text, stderr);
    fprintf(stderr, "\n    %*s^\n", before ? (int)value_width(before) : 0, "");
    free(before);
    return 1;
}

int
shell_fail_errno(struct shell *sh, int err, const char *what)
{
    return shell_fail(sh, "%s: %s", what, strerror(-err));
}

void
shell_use_terminal(struct shell *sh)
{
    if ((sh->interactive || isatty(STDOUT_FILENO)) && !sh->screen &&
        screen_open(&sh->screen, sh->interactive ? &sh->interrupted : NULL) == 0 &&
        sh->out == stdout)
        sh->out = screen_stream(sh->screen);
    if (screen_is_able(STDERR_FILENO))
        progress_open(STDERR_FILENO, PROGRESS_DELAY);
}

void
shell_end_turn(struct shell *sh)
{
    if (sh->screen)
        screen_end_turn(sh->screen);
    if (sh->interrupted)
        clearerr(sh->out);
}

/*
 * Write a table, in the form chosen by the settings and, if there is one, by the
 * terminal.
 */
static void
write_table(struct shell *sh, const struct table *t)
{
    struct export_form form = { .separator = sh->separator };

    if (sh->form)
        form = *sh->form;
    if (sh->screen && sh->out == screen_stream(sh->screen)) {
        screen_form(sh->screen, &form);
        screen_allow_pager(sh->screen, !sh->file && !sh->unpaged);
    }
    sh->export(t, &form, sh->out);
    if (sh->screen)
        fflush(sh->out);
}

/*
 * Add facts that say by which filters events are left out. Folded stacks, which are for
 * programs, have no facts.
 */
static void
add_filter(const struct shell *sh, struct table *t)
{
    static const struct {
        const char *key, *title;
    } parts[FILTER_PARTS] = {
        [FILTER_EXPRESSION] = { "filter", "Filter" },
        [FILTER_SAMPLES] = { "sample_select", "Of samples" },
        [FILTER_LWPS] = { "lwp_select", "Of kernel threads" },
        [FILTER_THREADS] = { "thread_select", "Of threads" },
        [FILTER_CPUS] = { "cpu_select", "Of processors" },
    };

    for (u32 i = 0; i < FILTER_PARTS && sh->command; i++)
        if (sh->command->flags & CMD_EVENTS && parts[i].key)
            table_fact(t, parts[i].key, parts[i].title,
                       i == FILTER_EXPRESSION ? filter_text(sh->session, i)
                                              : sh->select[i]);
}

int
shell_show(struct shell *sh, struct table *t)
{
    int err;

    shell_report_problems(sh);
    for (struct table *one = t; one; one = one->next)
        add_filter(sh, one);
    write_table(sh, t);
    table_free(t);
    err = ferror(sh->out) ? flush(sh) : 0;
    if (err)
        return shell_fail_errno(sh, err, "output cannot be written");
    return 0;
}

u32
shell_limit(const struct shell *sh, struct table *t, u32 rows)
{
    if (!sh->limit || rows <= sh->limit)
        return rows;
    t->nleft_out = rows - sh->limit;
    return (u32)sh->limit;
}

int
shell_output(struct shell *sh, const char *file, const char *mode)
{
    FILE *f = standard_output(sh);
    int err;

    if (sh->form)
        return shell_fail(sh, "output stays on the screen as long as browse has it");
    if (strcmp(file, "-")) {
        int fd = outfile_open(file, *mode == 'a' ? O_APPEND : O_TRUNC);

        f = fd < 0 ? NULL : fdopen(fd, mode);
        if (!f)
            return shell_fail(sh, "%s cannot be written: %s", file,
                              outfile_error(fd < 0 ? fd : -errno));
    }
    err = close_output(sh);
    sh->out = f;
    if (err)
        return shell_fail_errno(sh, err, "output before this could not be written");
    return 0;
}

/*
 * Report the processes without an experiment that are named in the logs of experiments
 * from `first` on.
 */
static void
report_lost(struct shell *sh, u32 first)
{
    const struct log_event_row *lost = NULL;
    const char *name, *why;
    u32 count = 0;

    for (u32 i = first; i < sh->session->nexperiments; i++) {
        const struct log *log = &sh->session->experiment[i]->log;

        for (u32 k = 0; k < log->nevents; k++)
            if (!strcmp(log->event[k].id, "descendant_lost")) {
                lost = lost ? lost : &log->event[k];
                count++;
            }
    }
    if (!count)
        return;
    name = log_event_attr(lost, "arg1");
    why = log_event_attr(lost, "arg2");
    shell_note(sh, "%u descendant%s not recorded: %s (%s)%s", count,
               count > 1 ? "s are" : " is", name ? name : "?", why ? why : "?",
               count > 1 ? ", ...; the command header names all" : "");
}

int
shell_add(struct shell *sh, const char *name)
{
    u32 before = sh->session->nexperiments;
    char *why = NULL;
    int err = sessions_add(sh->session, name, &why);

    if (err) {
        shell_fail(sh, "%s", why ? why : strerror(-err));
        free(why);
        return 1;
    }
    choose_defaults(sh);
    report_lost(sh, before);
    for (u32 i = before; i < sh->session->nexperiments; i++) {
        const struct experiment *e = sh->session->experiment[i];

        if (e->state == EXPERIMENT_LIVE)
            shell_note(sh, "%s is still being written (process %u)", e->path, e->pid);
        else if (e->state == EXPERIMENT_KILLED)
            shell_note(sh, "%s has no end: %s", e->path,
                       log_find_event(&e->log, "left_alone")
                           ? "its process went on when the founder's had ended"
                           : "its process or its host went down");
    }
    return 0;
}

enum metric
shell_metric(const struct shell *sh)
{
    const struct order *order = sh->sort.by == ORDER_METRIC ? &sh->sort : &sh->dsort;

    return order->by == ORDER_METRIC ? metric_sum(order->metric) : METRIC_totalcpu;
}

int
shell_number(struct shell *sh, const char *text, u64 max, u64 *number)
{
    unsigned long long n;
    char *end;

    errno = 0;
    n = strtoull(text, &end, 10);
    if (*end || end == text || strspn(text, "0123456789") != strlen(text))
        return shell_fail(sh, "\"%s\" is not a whole number", text);
    if (errno || n > max)
        return shell_fail(sh, "%s is more than %llu", text, (unsigned long long)max);
    *number = n;
    return 0;
}

/* Are all functions but the first parts that were split off it, such as main.cold? */
static bool
are_parts(struct session *s, const u32 *ids, u32 count)
{
    struct function_info whole, part;
    size_t len;

    function_get(s, ids[0], &whole);
    len = strlen(whole.linkage);
    for (u32 i = 1; i < count; i++) {
        function_get(s, ids[i], &part);
        if (strncmp(part.linkage, whole.linkage, len) || part.linkage[len] != '.')
            return false;
    }
    return true;
}

int
shell_function(struct shell *sh, int argc, char **argv, u32 *function)
{
    u64 number = 1;
    u32 *ids, count;
    int err;

    if (argc > 2 && shell_number(sh, argv[2], UINT32_MAX, &number))
        return 1;
    err = function_find(sh->session, argv[1], &ids, &count);
    if (err == -ENOENT)
        return shell_fail(sh, "there is no function \"%s\"", argv[1]);
    if (err)
        return shell_fail_errno(sh, err, argv[1]);
    if (!number || number > count) {
        free(ids);
        return shell_fail(sh, "\"%s\" names %u function%s: there is no number %llu",
                          argv[1], count, count == 1 ? "" : "s",
                          (unsigned long long)number);
    }
    if (argc < 3 && !are_parts(sh->session, ids, count))
        shell_note(sh, "\"%s\" names %u functions; this is number 1 of them", argv[1],
                   count);
    *function = ids[number - 1];
    free(ids);
    return 0;
}
