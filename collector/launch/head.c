/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/head.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "config.h"
#include "share/fmt.h"
#include "share/logxml.h"
#include "share/writeall.h"

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

enum {
    FIXED_BYTES = 65536, /* all of the head but strings that others chose */
    ESCAPED = 6,         /* &quot;: bytes that fmt_xml() makes of one, at most */
};

/*
 * Environment variables that are logged: they change what the target loads or prints,
 * or how it runs.
 */
static const char *const noted[] = {
    "LD_PRELOAD",       "LD_LIBRARY_PATH", "LANG", "LC_ALL", "GLIBC_TUNABLES",
    "MALLOC_ARENA_MAX", "OMP_NUM_THREADS",
};

static void
open_element(struct fmt *f, const char *name)
{
    fmt_char(f, '<');
    fmt_str(f, name);
}

static void
put_process(struct fmt *f, const struct recording *s, const struct head_process *p)
{
    open_element(f, "process");
    fmt_attr_u64(f, "pid", (u64)s->pid);
    fmt_attr_u64(f, "ppid", (u64)p->ppid);
    fmt_attr(f, "wd", p->wd);
    fmt_attr(f, "exe", s->program);
    fmt_attr(f, "arch", s->host.arch);
    fmt_str(f, ">\n");
    for (char **arg = p->args; *arg; arg++) {
        fmt_str(f, "<arg>");
        fmt_xml(f, *arg, strlen(*arg));
        fmt_str(f, "</arg>\n");
    }
    fmt_str(f, "</process>\n");
    if (!p->how)
        return;
    open_element(f, "descent");
    fmt_attr(f, "how", p->how);
    fmt_attr(f, "creator", p->creator);
    fmt_str(f, "/>\n");
}

static void
put_host(struct fmt *f, const struct host *h)
{
    open_element(f, "host");
    fmt_attr(f, "name", h->name);
    fmt_attr(f, "os", h->os);
    fmt_attr(f, "kernel", h->kernel);
    fmt_attr(f, "boot", h->boot);
    fmt_attr_u64(f, "cpus", h->cpus);
    fmt_attr(f, "cpu", h->cpu);
    fmt_attr_u64(f, "page_size", h->page_size);
    fmt_attr_u64(f, "hz", h->hz);
    fmt_attr_u64(f, "memory", h->memory);
    if (h->paranoid != HOST_NO_PERF) {
        fmt_str(f, " perf_event_paranoid=\"");
        fmt_i64(f, h->paranoid);
        fmt_char(f, '"');
    }
    if (*h->hypervisor)
        fmt_attr(f, "hypervisor", h->hypervisor);
    if (*h->container)
        fmt_attr(f, "container", h->container);
    fmt_str(f, "/>\n");
    open_element(f, "clock");
    fmt_attr(f, "ticks", h->tsc ? "tsc" : "monotonic");
    fmt_str(f, "/>\n");
}

static void
attr_signal(struct fmt *f, const char *name, int sig)
{
    if (sig)
        fmt_attr_u64(f, name, (u64)sig);
}

static void
put_request(struct fmt *f, const struct recording *s)
{
    const struct request *r = s->request;

    open_element(f, "collect");
    fmt_attr_u64(f, "clock_ns", s->params.clock_ns);
    if (s->params.wall)
        fmt_attr_u64(f, "wall", 1);
    fmt_attr_u64(f, "sample_ns", r->sample_ns);
    attr_signal(f, "sample_signal", r->sample_signal);
    attr_signal(f, "pause_signal", r->pause_signal);
    for (int i = 0; i < TRACE_COUNT; i++)
        if (r->trace[i])
            fmt_attr(f, er_traces[i].name, r->trace[i]);
    if (r->branches)
        fmt_attr(f, "branches", r->branches);
    if (r->jit)
        fmt_attr(f, "jit", "asked");
    if (r->no_omp)
        fmt_attr_u64(f, "no_omp", 1);
    if (r->kernel)
        fmt_attr(f, "kernel", "on");
    if (r->no_java)
        fmt_attr_u64(f, "no_java", 1);
    if (r->paused)
        fmt_attr_u64(f, "paused", 1);
    if (r->window) {
        fmt_attr_u64(f, "begin_ns", r->begin_ns);
        fmt_attr_u64(f, "end_ns", r->end_ns);
    }
    if (r->limit_mb)
        fmt_attr_u64(f, "limit_mb", r->limit_mb);
    if (!r->follow)
        fmt_attr(f, "descendants", "off");
    fmt_attr(f, "archive", r->archive ? r->archive : "off");
    fmt_str(f, "/>\n");
}

/* What each `counter` of a record is. */
static void
put_counters(struct fmt *f, const struct counter_set *counters)
{
    for (u32 i = 0; i < counters->count; i++) {
        const struct counter *c = &counters->counter[i];

        open_element(f, "counter");
        fmt_attr_u64(f, "index", i);
        fmt_attr(f, "name", c->name);
        if (c->how.flags & COUNTER_SAMPLED)
            fmt_attr_u64(f, "interval", c->how.interval);
        if (c->how.flags & COUNTER_ADDRESS)
            fmt_attr(f, "addresses", "on");
        fmt_attr(f, "mode", c->how.flags & COUNTER_KERNEL ? "all" : "user");
        if (c->how.precise)
            fmt_attr_u64(f, "precise", c->how.precise);
        if (c->path)
            fmt_attr(f, "path", c->path);
        fmt_attr_u64(f, "type", c->how.type);
        fmt_attr_hex(f, "config", c->how.config);
        if (c->path)
            fmt_attr_hex(f, "offset", c->how.config2);
        fmt_str(f, "/>\n");
    }
}

static void
put_limit(struct fmt *f, pid_t pid, const char *name, int which)
{
    struct rlimit limit;

    if (prlimit(pid, (__rlimit_resource_t)which, NULL, &limit) < 0)
        return;
    open_element(f, "limit");
    fmt_attr(f, "name", name);
    if (limit.rlim_cur == RLIM_INFINITY)
        fmt_attr(f, "soft", "unlimited");
    else
        fmt_attr_u64(f, "soft", limit.rlim_cur);
    if (limit.rlim_max == RLIM_INFINITY)
        fmt_attr(f, "hard", "unlimited");
    else
        fmt_attr_u64(f, "hard", limit.rlim_max);
    fmt_str(f, "/>\n");
}

static void
put_environment(struct fmt *f, pid_t pid)
{
    for (size_t i = 0; i < ER_COUNT(noted); i++) {
        const char *value = getenv(noted[i]);

        if (!value)
            continue;
        open_element(f, "env");
        fmt_attr(f, "name", noted[i]);
        fmt_attr(f, "value", value);
        fmt_str(f, "/>\n");
    }
    put_limit(f, pid, "stack", RLIMIT_STACK);
    put_limit(f, pid, "nofile", RLIMIT_NOFILE);
    put_limit(f, pid, "fsize", RLIMIT_FSIZE);
    put_limit(f, pid, "as", RLIMIT_AS);
    put_limit(f, pid, "memlock", RLIMIT_MEMLOCK);
    put_limit(f, pid, "sigpending", RLIMIT_SIGPENDING);
}

static void
put_record(struct fmt *f, const struct er_record_desc *record)
{
    open_element(f, "record");
    fmt_attr(f, "name", record->name);
    fmt_attr_u64(f, "number", record->number);
    fmt_attr(f, "doc", record->doc);
    fmt_str(f, ">\n");
    for (u32 i = 0; i < record->nfields; i++) {
        const struct er_field_desc *field = &record->fields[i];

        open_element(f, "field");
        fmt_attr(f, "name", field->name);
        fmt_attr(f, "encoding", er_encoding_names[field->encoding]);
        fmt_attr(f, "unit", field->unit);
        fmt_attr(f, "doc", field->doc);
        fmt_str(f, "/>\n");
    }
    fmt_str(f, "</record>\n");
}

static void
put_file(struct fmt *f, int file)
{
    const struct er_file_desc *desc = &er_files[file];

    open_element(f, "file");
    fmt_attr(f, "name", desc->name);
    fmt_attr(f, "layout", desc->layout == LAYOUT_CHUNKS ? "chunks" : "rows");
    fmt_attr_u64(f, "time_shift", desc->time_shift);
    fmt_attr(f, "doc", desc->doc);
    fmt_str(f, ">\n");
    for (int i = 0; i < REC_COUNT; i++)
        if (er_records[i].file == (enum er_file)file)
            put_record(f, &er_records[i]);
    fmt_str(f, "</file>\n");
}

static void
put_files(struct fmt *f)
{
    for (int i = 0; i < FILE_COUNT; i++)
        put_file(f, i);
}

static size_t
most_bytes(const struct head_process *p)
{
    size_t text = 2 * PATH_MAX + sizeof(struct host), lines = 0;

    for (char **arg = p->args; *arg; arg++, lines++)
        text += strlen(*arg);
    for (size_t i = 0; i < ER_COUNT(noted); i++)
        text += getenv(noted[i]) ? strlen(getenv(noted[i])) : 0;
    return FIXED_BYTES + ESCAPED * text + 16 * lines;
}

int
head_log(const struct recording *s, const struct head_process *p)
{
    size_t size = most_bytes(p);
    char *text = malloc(size);
    struct fmt f = fmt_start(text, size);
    int ret;

    if (!text)
        return -ENOMEM;
    fmt_str(&f, XML_HEAD "<experiment version=\"1\">\n<collector");
    fmt_attr(&f, "version", PACKAGE_VERSION);
    fmt_str(&f, "/>\n");
    put_process(&f, s, p);
    put_host(&f, &s->host);
    put_request(&f, s);
    put_counters(&f, &s->counters);
    put_environment(&f, s->pid);
    /*
     * What all experiments below the founder have in common is only in the founder's
     * log, since descendants may be many.
     */
    if (p->how)
        fmt_str(&f, "<described in=\"../" EXPERIMENT_LOG "\"/>\n");
    else
        put_files(&f);
    ret = f.cut ? -E2BIG : writeall(s->experiment.log, text, (size_t)(f.at - text));
    free(text);
    return ret;
}

int
head_map(const struct recording *s)
{
    static const char text[] = XML_HEAD "<map version=\"1\">\n";

    return writeall(s->experiment.map, text, sizeof(text) - 1);
}

int
head_notes(const struct recording *s)
{
    int fd, ret = 0;

    if (!s->request->ncomments)
        return 0;
    fd = openat(s->experiment.dir, EXPERIMENT_NOTES,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    for (int i = 0; i < s->request->ncomments && ret == 0; i++) {
        const char *comment = s->request->comments[i];

        ret = writeall(fd, comment, strlen(comment));
        if (ret == 0)
            ret = writeall(fd, "\n", 1);
    }
    close(fd);
    return ret;
}

void
head_run(const struct recording *s)
{
    const struct log_attr attrs[] = {
        { "pid", NULL, (u64)s->pid },
        { "tick", NULL, s->start.tick },
        { "mono", NULL, s->start.mono },
        { "wall", NULL, s->start.wall },
    };

    (void)log_event(s->experiment.log, s->request->pid ? EVENT_attached : EVENT_run,
                    s->start.mono, NULL, NULL, attrs, ER_COUNT(attrs));
}
