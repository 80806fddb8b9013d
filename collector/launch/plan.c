/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/callfind.h"
#include "collector/launch/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/counter/probe.h"
#include "collector/launch/environ.h"
#include "collector/launch/rank.h"
#include "collector/launch/search.h"
#include "collector/launch/status.h"
#include "collector/launch/trust.h"
#include "collector/outside/outside.h"
#include "share/err.h"

int
plan_program(struct recording *s)
{
    const char *name = s->request->target[0];
    int ret = search_program(name, getenv("PATH"), s->program);

    if (ret == 0)
        return 0;
    if (ret == -ENOENT || ret == -ENOTDIR) {
        err_warn("there is no program '%s'%s", name,
                 strchr(name, '/') ? "" : " in the directories of PATH");
        return STATUS_NOT_FOUND;
    }
    if (ret == -EISDIR)
        err_warn("'%s' is a directory, not a program", name);
    else
        err_warn("'%s' cannot be executed: %s", name, strerror(-ret));
    return STATUS_NOT_RUNNABLE;
}

/*
 * Add a library to the list for LD_PRELOAD. NULL, or the reason why that is not
 * possible.
 */
static const char *
add_library(struct recording *s, const char *name)
{
    size_t len = strlen(s->library);
    char path[PATH_MAX];

    if (environ_library(name, path) < 0)
        return "a library of the collector is not installed";
    if (!environ_can_preload(path) && environ_link("/tmp", path, path) < 0)
        return "the path of the collector's libraries has a blank or a colon, which "
               "LD_PRELOAD cannot hold";
    snprintf(s->library + len, sizeof(s->library) - len, "%s%s", len ? ":" : "", path);
    return NULL;
}

static void
find_library(struct recording *s)
{
    if (!image_loads(s->preflight.kind)) {
        s->no_library = image_reason(s->preflight.kind);
    } else {
        s->no_library = add_library(s, "libcollector.so");
        for (int i = 0; i < TRACE_COUNT && !s->no_library; i++)
            if (s->request->trace[i])
                s->no_library = add_library(s, er_traces[i].library);
        if (s->request->wall && !s->no_library)
            s->no_library = add_library(s, "libwait.so");
    }
    if (s->no_library)
        s->library[0] = '\0';
}

static int
find_counters(struct recording *s)
{
    const struct request *r = s->request;
    char error[COUNTER_ERROR];
    int ret;

    s->counters.program = s->program;
    for (int i = 0; i < r->ncounters; i++)
        if (counter_add(&s->counters, r->counters[i], error) < 0) {
            err_warn("-h: %s", error);
            return STATUS_USAGE;
        }
    if (r->branches && counter_add_branches(&s->counters, r->branches, error) < 0) {
        err_warn("-b: %s", error);
        return STATUS_USAGE;
    }
    ret = counter_try_branches(&s->counters);
    if (ret < 0) {
        err_warn("-b: there are no branch stacks here: %s",
                 ret == -EINVAL ? "the processor keeps no record of branches"
                                : counter_reason(ret, PERF_TYPE_HARDWARE));
        return STATUS_NO_BRANCHES;
    }
    counter_try(&s->counters);
    for (u32 i = 0; i < s->counters.missing; i++)
        err_warn("%s is not counted: %s", s->counters.left_out[i].name,
                 s->counters.left_out[i].why);
    for (u32 i = 0; i < s->counters.count; i++)
        if (probe_is_return(&s->counters.counter[i]))
            err_warn("%s: an exception that passes this function ends the target",
                     s->counters.counter[i].name);
    return 0;
}

/*
 * The interval of the clock. If counters are asked for without a clock, there is none,
 * unless no counter can be sampled: something is to be recorded.
 */
static u64
clock_interval(const struct recording *s)
{
    const struct request *r = s->request;

    if (r->clock_given || !r->ncounters)
        return r->clock_ns;
    for (u32 i = 0; i < s->counters.count; i++)
        if (s->counters.counter[i].how.flags & COUNTER_SAMPLED)
            return r->clock_ns;
    return CLOCK_DEFAULT;
}

/*
 * Find the libraries, and set what they are told (s->params) and whether the target is
 * to be sampled from outside.
 */
static void
fill_params(struct recording *s)
{
    const struct request *r = s->request;

    find_library(s);
    s->params.clock_ns = clock_interval(s);
    s->outside.wanted =
        s->no_library && s->params.clock_ns && outside_can(s->preflight.kind);
    s->outside.children = r->follow;
    if (r->ncounters && !r->clock_given)
        s->params.clock_else = CLOCK_DEFAULT;
    s->params.sample_signal = (u64)r->sample_signal;
    s->params.pause_signal = (u64)r->pause_signal;
    s->params.paused = r->paused || (r->window && r->begin_ns);
    s->params.launcher = (u64)getpid();
    s->params.verbose = (u64)r->verbose;
    s->params.follow = r->follow || (r->ranks && rank_by_environ() < 0);
    if (r->ranks && rank_by_environ() < 0)
        s->params.ranks = r->follow ? 1 : 2;
    s->params.sync_all = (u64)r->sync_all;
    s->params.sync_ns = r->sync_ns;
    s->params.wall = (u64)r->wall;
    s->params.heap_scan =
        r->trace[TRACE_heap] && strcmp(r->trace[TRACE_heap], "noscan") != 0 &&
        !r->debugger;
    s->params.no_omp = (u64)r->no_omp;
    s->params.no_java = (u64)r->no_java;
}

/*
 * A row of -T is one function: add the types of its arguments and result, which are
 * found in the program's libraries. 0 or an exit status.
 */
static int
find_calls(struct recording *s, const char *program, pid_t pid)
{
    int ret = s->request->call_rows ? callfind_complete(s->request->call_rows, program,
                                                        pid, &s->call_rows)
                                    : 0;

    if (ret == -ENOMEM)
        err_warn("no memory");
    return !ret ? 0 : ret == -ENOMEM ? STATUS_FAILED : STATUS_USAGE;
}

int
plan_target(struct recording *s)
{
    int status = plan_program(s);

    if (!status)
        status = find_counters(s);
    if (status)
        return status;
    preflight_read(s->program, &s->preflight);
    fill_params(s);
    return find_calls(s, s->preflight.program, 0);
}

int
plan_attached(struct recording *s, const char *beyond)
{
    int status = find_counters(s);

    if (status)
        return status;
    fill_params(s);
    s->params.heap_scan = 0;
    if (beyond) {
        s->no_library = beyond;
        s->library[0] = '\0';
        s->outside.wanted = 1;
    }
    if (!s->no_library)
        return find_calls(s, s->program, s->pid);
    if (s->outside.wanted)
        return 0;
    err_warn("%s", s->no_library);
    return STATUS_FAILED;
}

/*
 * Split a path into its directory, which is put into dir ("/" stays "/"), and its last
 * part, which is returned.
 */
static const char *
split(const char *name, char dir[PATH_MAX])
{
    const char *slash = strrchr(name, '/');
    size_t len;

    if (!slash) {
        strcpy(dir, ".");
        return name;
    }
    len = slash == name ? 1 : (size_t)(slash - name);
    if (len >= PATH_MAX)
        len = PATH_MAX - 1;
    memcpy(dir, name, len);
    dir[len] = '\0';
    return slash + 1;
}

static int
open_directory(int at, const char *path)
{
    int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        err_warn("no experiment can be made in '%s': %s", path, strerror(errno));
    return fd;
}

int
plan_place(struct recording *s, const char **wanted)
{
    const struct request *r = s->request;
    char dir[PATH_MAX] = ".";
    const char *name = r->name ? split(r->name, dir) : NULL;
    int top = AT_FDCWD, fd;

    if (r->directory) {
        top = open_directory(AT_FDCWD, r->directory);
        if (top < 0)
            return STATUS_DIRECTORY;
    }
    fd = strcmp(dir, ".") || top == AT_FDCWD ? open_directory(top, dir) : top;
    if (top >= 0 && top != fd)
        close(top);
    if (fd < 0)
        return STATUS_DIRECTORY;
    s->parent = fd;
    *wanted = name;
    return 0;
}

int
plan_paths(struct recording *s)
{
    const struct request *r = s->request;
    char link[64], dir[PATH_MAX], below[PATH_MAX] = ".";
    ssize_t len;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", s->parent);
    len = readlink(link, dir, sizeof(dir) - 1);
    if (len < 0)
        return -errno;
    dir[len] = '\0';
    if (snprintf(s->path, PATH_MAX, "%s/%s", len > 1 ? dir : "", s->name) >= PATH_MAX)
        return -ENAMETOOLONG;
    if (r->name)
        split(r->name, below);
    len = snprintf(s->shown, PATH_MAX, "%s%s%s%s%s%s%s",
                   r->directory ? r->directory : "", r->directory ? "/" : "",
                   strcmp(below, ".") ? below : "", strcmp(below, ".") ? "/" : "",
                   s->founder, *s->founder ? "/" : "", s->name);
    return len < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static void
print_counter(const struct counter *c)
{
    if (c->how.flags & COUNTER_SAMPLED)
        err_print("  %s, a hit every %llu", c->name,
                  (unsigned long long)c->how.interval);
    else
        err_print("  %s, counted", c->name);
}

static void
print_clock(const struct recording *s)
{
    u64 ns = s->params.clock_ns;

    if (ns)
        err_print("  clock profiling every %llu.%03llu ms",
                  (unsigned long long)ns / 1000000,
                  (unsigned long long)ns / 1000 % 1000);
    else
        err_print("  no clock profiling");
    if (s->params.wall && !s->outside.wanted)
        err_print("  what threads do while they do not run");
    for (u32 i = 0; i < s->counters.count; i++)
        print_counter(&s->counters.counter[i]);
    for (int i = 0; i < TRACE_COUNT; i++)
        if (s->request->trace[i] && !s->outside.wanted)
            err_print("  %s", er_traces[i].doc);
    ns = s->request->sample_ns;
    if (ns)
        err_print("  a sample point every %llu.%03llu s",
                  (unsigned long long)ns / 1000000000,
                  (unsigned long long)ns / 1000000 % 1000);
}

/* Warn root if every user may write the library that the target will load. */
static void
warn_trust(const struct recording *s)
{
    char name[PATH_MAX], path[PATH_MAX];

    if (geteuid() != 0 || s->no_library)
        return;
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(s->library, ":"), s->library);
    if (realpath(name, path) && trust_is_open(path))
        err_warn("'%s' may be written by all, who thereby choose what the target loads",
                 path);
}

void
plan_print(const struct recording *s)
{
    const struct request *r = s->request;

    if (s->preflight.shell)
        err_warn("'%s' is no program and names no interpreter: /bin/sh runs it",
                 r->target[0]);
    if (s->no_library)
        err_warn("'%s' runs without the collector (%s): %s%s",
                 s->attach ? s->program : s->preflight.program,
                 s->no_library,
                 s->outside.wanted ? "its CPU time is sampled from outside, and "
                                     "nothing is traced"
                                   : "only its resource use is recorded",
                 image_remedy(s->no_library));
    warn_trust(s);
    if (!r->dry && !r->verbose)
        return;
    err_print("Target: %s%s%s", s->program, s->preflight.scripts ? ", a script for "
              : "", s->preflight.scripts ? s->preflight.program : "");
    if (!s->no_library || s->outside.wanted)
        print_clock(s);
    err_print("  archive: %s", r->archive ? r->archive : "off");
}

int
plan_refused(const struct recording *s, const char *name, int error)
{
    char dir[PATH_MAX] = ".", in[2 * PATH_MAX];
    const char *top = s->request->directory;

    if (s->request->name)
        split(s->request->name, dir);
    if (!top || dir[0] == '/')
        snprintf(in, sizeof(in), "%s", dir);
    else
        snprintf(in, sizeof(in), "%s%s%s", top, strcmp(dir, ".") ? "/" : "",
                 strcmp(dir, ".") ? dir : "");

    switch (-error) {
    case ENOTUNIQ:
        err_warn("this job has a %s already: another process with this rank has "
                 "recorded it",
                 name);
        return STATUS_EXISTS;
    case EEXIST:
        err_warn("'%s' exists already%s", s->request->name,
                 !s->request->ranks && rank_by_environ() >= 0
                     ? ": with -M on, all ranks share it" : "");
        return STATUS_EXISTS;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        err_warn("there is no room for an experiment: %s", strerror(-error));
        return STATUS_FULL;
    case ENODEV:
        err_warn("no experiment%s%s can be made in '%s': processes cannot share mapped "
                 "files there; -d names another directory",
                 name ? " " : "", name ? name : "", in);
        return STATUS_DIRECTORY;
    default:
        err_warn("no experiment%s%s can be made in '%s': %s", name ? " " : "",
                 name ? name : "", in, strerror(-error));
        return STATUS_DIRECTORY;
    }
}
