/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events by the names that we have for the kernel's numbers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/counter/counter_event.h"

static const struct {
    const char *name;
    const char *doc;
    struct counter_event event;
} events[] = {
#define USER 0
#define KERNEL 1
#define COUNTER(name, kind, number, often, where, doc) \
    { name, doc, { .type = PERF_TYPE_##kind, .config = PERF_COUNT_##number, \
                   .pace = PACE_##often, .in_kernel = where } },
#define COUNTER_ALIAS(alias, name)
#include "collector/counter/counter_event.def"
#undef COUNTER
#undef COUNTER_ALIAS
#undef USER
#undef KERNEL
};

static const struct {
    const char *alias;
    const char *name;
} aliases[] = {
#define COUNTER(name, type, config, pace, where, doc)
#define COUNTER_ALIAS(alias, name) { alias, name },
#include "collector/counter/counter_event.def"
#undef COUNTER
#undef COUNTER_ALIAS
};

/* Words of a cache event, CACHE-OPERATION, with their numbers in perf_event_open(2). */
struct word {
    const char *text;
    u32 number;
};

static const struct word caches[] = {
    { "L1-dcache", PERF_COUNT_HW_CACHE_L1D },
    { "L1-icache", PERF_COUNT_HW_CACHE_L1I },
    { "LLC", PERF_COUNT_HW_CACHE_LL },
    { "dTLB", PERF_COUNT_HW_CACHE_DTLB },
    { "iTLB", PERF_COUNT_HW_CACHE_ITLB },
    { "branch", PERF_COUNT_HW_CACHE_BPU },
    { "node", PERF_COUNT_HW_CACHE_NODE },
};

static const struct word operations[] = {
    { "-loads", PERF_COUNT_HW_CACHE_OP_READ },
    { "-stores", PERF_COUNT_HW_CACHE_OP_WRITE },
    { "-prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH },
    { "-load-misses", PERF_COUNT_HW_CACHE_OP_READ },
    { "-store-misses", PERF_COUNT_HW_CACHE_OP_WRITE },
    { "-prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

static int
find_cache(const char *name, struct counter_event *event)
{
    for (size_t i = 0; i < ER_COUNT(caches); i++) {
        size_t len = strlen(caches[i].text);

        if (strncmp(name, caches[i].text, len) != 0)
            continue;
        for (size_t k = 0; k < ER_COUNT(operations); k++) {
            u64 miss = strstr(operations[k].text, "misses") != NULL;

            if (strcmp(name + len, operations[k].text) != 0)
                continue;
            *event = (struct counter_event){
                .type = PERF_TYPE_HW_CACHE,
                .config = caches[i].number | operations[k].number << 8 | miss << 16,
                .pace = miss ? PACE_MISS : PACE_OFTEN,
            };
            return 0;
        }
    }
    return -ENOENT;
}

/*
 * Find a raw event rHEX, with HEX as in the processor's manual: event | umask << 8 and
 * further bits.
 */
static int
find_raw(const char *name, struct counter_event *event)
{
    char *end;

    if (name[0] != 'r' || !name[1] || strspn(name + 1, "0123456789abcdefABCDEF") !=
                                          strlen(name + 1))
        return -ENOENT;
    *event = (struct counter_event){ .type = PERF_TYPE_RAW, .pace = PACE_OFTEN };
    event->config = strtoull(name + 1, &end, 16);
    return 0;
}

/* The name that a word of *len bytes stands for, if it is an alias; else the word. */
static const char *
real_name(const char *word, size_t *len)
{
    for (size_t i = 0; i < ER_COUNT(aliases); i++)
        if (!strncmp(word, aliases[i].alias, *len) && !aliases[i].alias[*len]) {
            *len = strlen(aliases[i].name);
            return aliases[i].name;
        }
    return word;
}

void
counter_canonical(const char *word, char name[COUNTER_NAME])
{
    size_t len = strcspn(word, ":");
    const char *rest = word + len, *real = real_name(word, &len);

    snprintf(name, COUNTER_NAME, "%.*s%s", (int)len, real, rest);
}

static int
find_row(const char *name, struct counter_event *event)
{
    size_t len = strlen(name);

    name = real_name(name, &len);
    for (size_t i = 0; i < ER_COUNT(events); i++)
        if (!strcmp(name, events[i].name)) {
            *event = events[i].event;
            return 0;
        }
    return -ENOENT;
}

const char *
counter_row(u32 row, const char **doc, struct counter_event *event)
{
    if (row >= ER_COUNT(events))
        return NULL;
    *doc = events[row].doc;
    *event = events[row].event;
    return events[row].name;
}

static int
find(const char *name, struct counter_event *event)
{
    static int (*const ways[])(const char *, struct counter_event *) = {
        find_row, find_cache, counter_find_tracepoint, counter_find_pmu,
    };

    for (size_t i = 0; i < ER_COUNT(ways); i++)
        if (ways[i](name, event) == 0)
            return 0;
    return -ENOENT;
}

/*
 * The colon with which a modifier begins: :u, :p, :pp, :ppp, or p's with a u. NULL if
 * there is none.
 */
static const char *
modifier(const char *name, u32 *precise)
{
    const char *colon = strrchr(name, ':'), *p = colon ? colon + 1 : "";

    *precise = 0;
    for (; *p == 'u' || *p == 'p'; p++)
        *precise += *p == 'p';
    return colon && p > colon + 1 && !*p && *precise <= 3 ? colon : NULL;
}

int
counter_find(const char *name, struct counter_event *event)
{
    const char *colon;
    char bare[COUNTER_NAME];
    u32 precise;

    if (find(name, event) == 0)
        return 0;
    colon = modifier(name, &precise);
    snprintf(bare, sizeof(bare), "%.*s",
             colon ? (int)(colon - name) : COUNTER_NAME - 1, name);
    if (colon && find(bare, event) == 0) {
        event->precise = precise;
        return event->in_kernel ? -ENOENT : 0;
    }
    if (counter_find_pfm(name, event) == 0)
        return 0;
    if (find_raw(bare, event) < 0)
        return -ENOENT;
    event->precise = precise;
    return 0;
}
