/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that the kernel lists by name: of PMUs in /sys/bus/event_source/devices
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-*), and tracepoints.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/counter/counter_event.h"
#include "collector/inspect/host.h"

const char *counter_devices = "/sys/bus/event_source/devices";

enum { TEXT = 256 };

/* Read the first line of the file pmu/part/name; "" if there is none. */
static void
read_line(const char *pmu, const char *part, const char *name, char text[TEXT])
{
    char path[PATH_MAX];

    text[0] = '\0';
    if (snprintf(path, sizeof(path), "%s/%s/%s%s", counter_devices, pmu, part, name) <
        PATH_MAX)
        host_line(path, text, TEXT);
}

/* Spread value over the bits of a format: "config:0-7,32-35" or "config1:3". */
static int
set_bits(struct counter_event *event, const char *format, u64 value)
{
    u64 *to = &event->config;
    const char *p = strchr(format, ':');
    int at = 0;

    if (!p)
        return -EINVAL;
    if (!strncmp(format, "config1:", 8))
        to = &event->config1;
    else if (!strncmp(format, "config2:", 8))
        to = &event->config2;
    else if (strncmp(format, "config:", 7) != 0)
        return -EINVAL;
    do {
        int lo, hi, n = sscanf(p + 1, "%d-%d", &lo, &hi);

        if (n < 2)
            hi = lo;
        if (n < 1 || lo < 0 || hi > 63 || lo > hi)
            return -EINVAL;
        for (int bit = lo; bit <= hi; bit++, at++)
            if (at < 64 && value >> at & 1)
                *to |= 1ull << bit;
        p = strchr(p + 1, ',');
    } while (p);
    return at >= 64 || value >> at == 0 ? 0 : -ERANGE;
}

/* Set the bits of one term, NAME=VALUE or NAME (= 1). 0 or -errno. */
static int
set_term(struct counter_event *event, const char *pmu, char *term)
{
    char format[TEXT], *equals = strchr(term, '='), *end = NULL;
    u64 value = 1;

    if (equals) {
        *equals = '\0';
        value = strtoull(equals + 1, &end, 0);
        if (!equals[1] || *end)
            return -EINVAL;
    }
    if (strchr(term, '/') || !*term)
        return -EINVAL;
    read_line(pmu, "format/", term, format);
    if (*format)
        return set_bits(event, format, value);
    if (!strcmp(term, "config"))
        event->config |= value;
    else if (!strcmp(term, "config1"))
        event->config1 |= value;
    else if (!strcmp(term, "config2"))
        event->config2 |= value;
    else
        return -EINVAL;
    return 0;
}

/* Set the bits of all terms, as in "event=0x3c,umask=0x01". */
static int
set_terms(struct counter_event *out, const char *pmu, const char *terms)
{
    struct counter_event event = { .pace = PACE_OFTEN };
    char text[TEXT], *save = NULL;
    int ret = 0;

    read_line(pmu, "type", "", text);
    if (!*text)
        return -ENOENT;
    event.type = (u32)strtoul(text, NULL, 10);
    snprintf(text, sizeof(text), "%s", terms);
    for (char *t = strtok_r(text, ",", &save); t && ret == 0;
         t = strtok_r(NULL, ",", &save))
        ret = set_term(&event, pmu, t);
    if (ret == 0)
        *out = event;
    return ret;
}

/* Find an event of a PMU by its name; if terms_too = 1, also by terms. 0 or -errno. */
static int
find_in(const char *pmu, const char *name, int terms_too, struct counter_event *event)
{
    char terms[TEXT] = "";

    if (!*pmu || strchr(pmu, '/') || pmu[0] == '.' || strchr(name, '/'))
        return -ENOENT;
    if (name[0] != '.')
        read_line(pmu, "events/", name, terms);
    if (*terms)
        return set_terms(event, pmu, terms);
    return terms_too ? set_terms(event, pmu, name) : -ENOENT;
}

static int
is_event(const struct dirent *d)
{
    size_t len = strlen(d->d_name);

    if (d->d_name[0] == '.')
        return 0;
    /*
     * Leave out EVENT.scale, EVENT.unit and EVENT.snapshot, which only say how to read
     * EVENT's value.
     */
    return !(len > 6 && (!strcmp(d->d_name + len - 6, ".scale"))) &&
           !(len > 5 && !strcmp(d->d_name + len - 5, ".unit")) &&
           !(len > 9 && !strcmp(d->d_name + len - 9, ".snapshot"));
}

static void
each_event(const char *pmu, void (*each)(void *, const char *), void *context)
{
    char path[PATH_MAX], name[COUNTER_NAME];
    struct dirent **list;
    int n;

    snprintf(path, sizeof(path), "%s/%s/events", counter_devices, pmu);
    n = scandir(path, &list, is_event, alphasort);
    for (int i = 0; i < n; i++) {
        if (snprintf(name, sizeof(name), "%s/%s/", pmu, list[i]->d_name) <
            (int)sizeof(name))
            each(context, name);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

void
counter_each_pmu(void (*each)(void *, const char *), void *context)
{
    struct dirent **list;
    int n = scandir(counter_devices, &list, is_event, alphasort);

    for (int i = 0; i < n; i++) {
        each_event(list[i]->d_name, each, context);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

struct search {
    const char *name;
    struct counter_event *event;
    int ret;
};

/*
 * If EVENT in PMU/EVENT/ is the name that is searched for, and none was found before,
 * find it.
 */
static void
match(void *context, const char *full)
{
    struct search *s = context;
    char pmu[COUNTER_NAME];
    const char *slash = strchr(full, '/');
    size_t len = strlen(s->name);

    if (s->ret == 0 || strncmp(slash + 1, s->name, len) != 0 ||
        strcmp(slash + 1 + len, "/") != 0)
        return;
    snprintf(pmu, sizeof(pmu), "%.*s", (int)(slash - full), full);
    s->ret = find_in(pmu, s->name, 0, s->event);
}

int
counter_find_pmu(const char *name, struct counter_event *event)
{
    const char *slash = strchr(name, '/');
    struct search s = { name, event, -ENOENT };
    size_t len = strlen(name);
    char pmu[COUNTER_NAME], rest[COUNTER_NAME];

    if (!slash) {
        counter_each_pmu(match, &s);
        return s.ret;
    }
    if (len >= COUNTER_NAME || slash == name + len - 1 || name[len - 1] != '/')
        return -ENOENT;
    snprintf(pmu, sizeof(pmu), "%.*s", (int)(slash - name), name);
    snprintf(rest, sizeof(rest), "%.*s", (int)(len - 2 - (size_t)(slash - name)),
             slash + 1);
    return find_in(pmu, rest, 1, event);
}

int
counter_find_tracepoint(const char *name, struct counter_event *event)
{
    static const char *const roots[] = { "/sys/kernel/tracing",
                                         "/sys/kernel/debug/tracing" };
    const char *colon = strchr(name, ':');
    char path[PATH_MAX], id[32];

    if (!colon || strchr(name, '/') || name[0] == '.' || colon[1] == '.')
        return -ENOENT;
    for (size_t i = 0; i < ER_COUNT(roots); i++) {
        snprintf(path, sizeof(path), "%s/events/%.*s/%s/id", roots[i],
                 (int)(colon - name), name, colon + 1);
        host_line(path, id, sizeof(id));
        if (!*id)
            continue;
        *event = (struct counter_event){ .type = PERF_TYPE_TRACEPOINT,
                                         .config = strtoull(id, NULL, 10),
                                         .pace = PACE_RARE,
                                         .in_kernel = 1 };
        return 0;
    }
    return -ENOENT;
}
