/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/counter/probe.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/counter/counter_open.h"
#include "collector/inspect/elfsym.h"

#define BEGIN "uprobe/"
#define RETURN "%return"

/* A spec, taken to pieces. */
struct parts {
    char file[PATH_MAX];     /* as in the spec, "" = the target */
    char function[PATH_MAX]; /* "" = offset is that in the file */
    u64 offset;              /* bytes after the function's beginning */
    int returns;             /* 1 = %return */
};

static int fail(char error[COUNTER_ERROR], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int
fail(char error[COUNTER_ERROR], const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(error, COUNTER_ERROR, format, ap);
    va_end(ap);
    return -EINVAL;
}

int
probe_is(const char *spec)
{
    return !strncmp(spec, BEGIN, strlen(BEGIN));
}

size_t
probe_length(const char *spec)
{
    size_t n = strlen(BEGIN);

    while (spec[n] && !(spec[n] == '/' && (!spec[n + 1] || spec[n + 1] == ',')))
        n++;
    return spec[n] ? n + 1 : n;
}

/* Move +N after the function, or 0xN in its place, to p->offset. 0 or -EINVAL. */
static int
parse_offset(struct parts *p)
{
    char *plus = strrchr(p->function, '+'), *end;

    if (!strncmp(p->function, "0x", 2))
        plus = p->function;
    if (!plus)
        return 0;
    p->offset = strtoull(plus + (*plus == '+'), &end, 0);
    if (*end || end == plus + 1)
        return -EINVAL;
    *plus = '\0';
    return 0;
}

/* The last colon that is not part of a `::` as in ns::function. */
static const char *
find_colon(const char *path)
{
    const char *found = NULL;

    for (const char *c = path; (c = strchr(c, ':')); c++) {
        if (c[1] == ':' && c != path && c[-1] != '/')
            c++;
        else
            found = c;
    }
    return found;
}

static int
parse_parts(const char *spec, struct parts *p)
{
    const char *path = spec + strlen(BEGIN), *colon = find_colon(path);
    size_t len = strlen(path), tail = strlen(RETURN);

    memset(p, 0, sizeof(*p));
    if (!colon || len < 3 || path[len - 1] != '/' || len >= PATH_MAX)
        return -EINVAL;
    memcpy(p->file, path, (size_t)(colon - path));
    memcpy(p->function, colon + 1, len - 2 - (size_t)(colon - path));
    len = strlen(p->function);
    if (len >= tail && !strcmp(p->function + len - tail, RETURN)) {
        p->returns = 1;
        p->function[len - tail] = '\0';
    }
    return *p->function ? parse_offset(p) : -EINVAL;
}

static int
find_place(const struct parts *p, const char *path, u64 *offset,
           char error[COUNTER_ERROR])
{
    u64 at = 0;
    int ret = *p->function ? elfsym_find(path, p->function, &at) : 0;

    *offset = at + p->offset;
    switch (ret) {
    case 0:
        return 0;
    case -ENOENT:
        return fail(error, "'%.80s' has no function '%.80s' in its symbol tables",
                    path, p->function);
    case -EEXIST:
        return fail(error, "'%.70s' has several functions '%.70s'; 0xN names one "
                           "by its place in the file", path, p->function);
    case -ENOTUNIQ:
        return fail(error, "which '%.70s' of '%.80s' is called is chosen at run time",
                    p->function, path);
    case -ENOEXEC:
        return fail(error, "'%.80s' is no program or library of 64 bits", path);
    default:
        return fail(error, "'%.80s' cannot be read: %s", path, strerror(-ret));
    }
}

/* Make the name FILE:FUNCTION, shortened if it does not fit. */
static void
make_name(const struct parts *p, const char *path, char name[COUNTER_NAME])
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    char offset[32] = "";

    if (!*p->function)
        snprintf(offset, sizeof(offset), "0x%llx", (unsigned long long)p->offset);
    else if (p->offset)
        snprintf(offset, sizeof(offset), "+%llu", (unsigned long long)p->offset);
    if (snprintf(name, COUNTER_NAME, "%s:%s%s%s", file, p->function, offset,
                 p->returns ? RETURN : "") >= COUNTER_NAME)
        snprintf(name, COUNTER_NAME, "%.20s:%.25s%s%s", file, p->function, offset,
                 p->returns ? RETURN : "");
}

int
probe_find(const char *spec, const char *program, struct counter_event *event,
           char name[COUNTER_NAME], char error[COUNTER_ERROR])
{
    struct counter_event found = { .pace = PACE_CALL };
    struct parts p;
    u64 offset;
    char *path;
    int ret;

    if (parse_parts(spec, &p) < 0)
        return fail(error, "'%.80s' is no probe: uprobe/PATH:FUNCTION/ is one", spec);
    ret = counter_find_pmu(p.returns ? "uprobe/retprobe/" : "uprobe/config=0/", &found);
    if (ret < 0)
        found.type = PROBE_NONE;
    path = realpath(*p.file ? p.file : program, NULL);
    if (!path)
        return fail(error, "'%.80s' cannot be read: %s", *p.file ? p.file : program,
                    strerror(errno));
    ret = find_place(&p, path, &offset, error);
    if (ret < 0) {
        free(path);
        return ret;
    }
    found.pace = PACE_CALL;
    found.path = path;
    found.config2 = offset;
    make_name(&p, path, name);
    *event = found;
    return 0;
}

int
probe_is_return(const struct counter *counter)
{
    return counter->path && counter->how.config & 1;
}

const char *
probe_reason(int error)
{
    switch (error) {
    case -ENOENT:
    case -ENODEV:
    case -EOPNOTSUPP:
        return "this kernel has no uprobes";
    case -EACCES:
    case -EPERM:
        return "not permitted: probes are for root, or CAP_PERFMON";
    case -EINVAL:
        return "the kernel puts no probe there";
    case -ENAMETOOLONG:
        return "the paths of probes are too long";
    default:
        return strerror(-error);
    }
}

/* Tries a probe at this program's entry point, which has run: it is never hit. */
int
probe_try(void)
{
    struct counter_event event = { .path = NULL };
    struct ctl_counter how = { .flags = COUNTER_PROBE };
    u64 offset;
    int ret = counter_find_pmu("uprobe/config=0/", &event);

    if (ret == 0)
        ret = elfsym_entry("/proc/self/exe", &offset);
    if (ret < 0)
        return ret;
    how.type = event.type;
    how.config1 = (u64)(uintptr_t) "/proc/self/exe";
    how.config2 = offset;
    ret = counter_open(&how, 0, COUNTER_THREAD, 1);
    if (ret >= 0)
        close(ret);
    return ret < 0 ? ret : 0;
}
