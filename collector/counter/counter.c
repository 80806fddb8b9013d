/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/counter/counter.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/counter/probe.h"

/* The default set; page-faults works on machines without a PMU, too. */
static const char *const defaults[] = { "cycles", "instructions", "page-faults" };

/* Primes, so that hits do not fall into step with the target's loops. */
static const struct {
    const char *word;
    u64 interval[PACE_COUNT]; /* by enum counter_pace */
} paces[] = {
    { "on", { 10007000, 9999991, 100003, 101, 1 } },
    { "hi", { 997000, 999983, 10007, 11, 1 } },
    { "lo", { 100003000, 99999989, 1000003, 1009, 101 } },
    { "high", { 997000, 999983, 10007, 11, 1 } },
    { "low", { 100003000, 99999989, 1000003, 1009, 101 } },
};

u64
counter_interval(enum counter_pace pace, const char *word)
{
    for (size_t i = 0; i < ER_COUNT(paces); i++)
        if (!strcmp(word, paces[i].word))
            return paces[i].interval[pace];
    return 0;
}

/* The length of the first word of spec: commas between slashes belong to the word. */
static size_t
word_length(const char *spec)
{
    int inside = 0;
    size_t n = 0;

    if (probe_is(spec))
        return probe_length(spec);
    for (; spec[n] && (inside || spec[n] != ','); n++)
        inside ^= spec[n] == '/';
    return n;
}

/*
 * Resolve a word to an event and the name to record. 0, or -EINVAL with a sentence in
 * error.
 */
static int
find_one(const struct counter_set *c, const char *word, int address,
         struct counter_event *event, char name[COUNTER_NAME],
         char error[COUNTER_ERROR])
{
    if (probe_is(word) && address) {
        snprintf(error, COUNTER_ERROR, "a probe has no address of data: '+%.80s'",
                 word);
        return -EINVAL;
    }
    if (probe_is(word))
        return probe_find(word, c->program, event, name, error);
    if (!*word || strlen(word) >= COUNTER_NAME || counter_find(word, event) < 0) {
        snprintf(error, COUNTER_ERROR,
                 "there is no counter '%.80s'; collect -h lists those of this machine",
                 word);
        return -EINVAL;
    }
    counter_canonical(word, name);
    return 0;
}

static int
check_new(const struct counter_set *c, const char *name, char error[COUNTER_ERROR])
{
    for (u32 i = 0; i < c->count; i++)
        if (!strcmp(c->counter[i].name, name)) {
            snprintf(error, COUNTER_ERROR, "the counter '%s' was named twice", name);
            return -EINVAL;
        }
    if (c->count == ER_COUNTERS) {
        snprintf(error, COUNTER_ERROR, "at most %d counters can be recorded at once",
                 ER_COUNTERS);
        return -EINVAL;
    }
    return 0;
}

static int
add_one(struct counter_set *c, const char *word, int address, enum counter_pace *pace,
        char error[COUNTER_ERROR])
{
    struct counter_event event = { .path = NULL };
    struct counter row = { .total = -1 };
    int ret = find_one(c, word, address, &event, row.name, error);

    if (ret == 0)
        ret = check_new(c, row.name, error);
    if (ret < 0) {
        free(event.path);
        return ret;
    }
    row.path = event.path;
    row.how = (struct ctl_counter){
        .type = event.type,
        .flags = event.in_kernel ? COUNTER_KERNEL
                                 : COUNTER_SAMPLED | (address ? COUNTER_ADDRESS : 0),
        .precise = event.precise,
        .config = event.config,
        .config1 = event.config1,
        .config2 = event.config2,
        .interval = counter_interval(event.pace, "on"),
    };
    if (row.path) {
        row.how.flags |= COUNTER_PROBE;
        row.how.config1 = (u64)(uintptr_t)row.path;
    }
    *pace = event.pace;
    c->counter[c->count++] = row;
    return 0;
}

/*
 * The interval that a word gives: on, hi, lo or a number. 0 = the word is not an
 * interval, but a name; or a number that is 0 or too large.
 */
static u64
interval_of(const char *word, enum counter_pace pace)
{
    u64 value = counter_interval(pace, word);
    char *end;

    if (value || !isdigit((unsigned char)*word))
        return value;
    errno = 0;
    value = strtoull(word, &end, 10);
    return *end || errno || value >> 62 ? 0 : value;
}

/*
 * The least interval for an event that the kernel knows by name and whose rate is
 * known: with a smaller one, the thread would do nothing but handle hits.
 */
static u64
least_interval(const struct counter *row, enum counter_pace pace)
{
    const struct ctl_counter *how = &row->how;
    static const u64 least[PACE_COUNT] = { 50000, 100000, 1000, 1, 1 };

    if (strchr(row->name, '/'))
        return 1;
    return how->type <= PERF_TYPE_SOFTWARE || how->type == PERF_TYPE_HW_CACHE
               ? least[pace]
               : 1;
}

static int
set_interval(struct counter *row, enum counter_pace pace, u64 interval,
             char error[COUNTER_ERROR])
{
    u64 least = least_interval(row, pace);

    if (interval < least) {
        snprintf(error, COUNTER_ERROR, "the interval of %s is at least %llu", row->name,
                 (unsigned long long)least);
        return -EINVAL;
    }
    row->how.interval = interval;
    return 0;
}

static int
add_defaults(struct counter_set *c, const char *word, char error[COUNTER_ERROR])
{
    enum counter_pace pace;

    for (size_t i = 0; i < ER_COUNT(defaults); i++) {
        int ret = add_one(c, defaults[i], 0, &pace, error);

        if (ret < 0)
            return ret;
        c->counter[c->count - 1].how.interval = counter_interval(pace, word);
    }
    return 0;
}

int
counter_add(struct counter_set *counters, const char *spec, char error[COUNTER_ERROR])
{
    struct counter_set c = *counters;
    enum counter_pace pace = PACE_RARE;
    int ret = 0, may_be_interval = 0;

    if (counter_interval(PACE_RARE, spec)) {
        ret = add_defaults(&c, spec, error);
        spec = "";
    }
    while (*spec && ret == 0) {
        char word[2 * PATH_MAX];
        size_t len = word_length(spec);
        u64 interval;

        snprintf(word, sizeof(word), "%.*s", (int)len, spec);
        spec += spec[len] ? len + 1 : len;
        interval = may_be_interval ? interval_of(word, pace) : 0;
        if (interval) {
            ret = set_interval(&c.counter[c.count - 1], pace, interval, error);
        } else {
            int address = word[0] == '+';

            ret = add_one(&c, word + address, address, &pace, error);
        }
        may_be_interval = !interval;
    }
    if (ret == 0)
        *counters = c;
    return ret;
}

int
counter_add_branches(struct counter_set *c, const char *interval,
                     char error[COUNTER_ERROR])
{
    char spec[64];
    u32 i = 0;

    while (i < c->count && strcmp(c->counter[i].name, "cycles") != 0)
        i++;
    if (i == c->count) {
        snprintf(spec, sizeof(spec), "cycles,%.40s", interval);
        if (counter_add(c, spec, error) < 0)
            return -EINVAL;
    }
    c->counter[i].how.flags |= COUNTER_BRANCHES;
    return 0;
}

int
counter_try_branches(const struct counter_set *c)
{
    for (u32 i = 0; i < c->count; i++) {
        const struct ctl_counter *how = &c->counter[i].how;
        int fd;

        if (!(how->flags & COUNTER_BRANCHES))
            continue;
        fd = counter_open(how, 0, COUNTER_THREAD, how->interval);
        if (fd < 0)
            return fd;
        close(fd);
    }
    return 0;
}

/*
 * Try to open an event. If addresses are asked for, find out how precise they can be,
 * and if the event gives physical addresses.
 */
static int
try_one(struct ctl_counter *how)
{
    u64 period = how->flags & COUNTER_SAMPLED ? how->interval : 0;
    int fd;

    /*
     * Do not ask for physical addresses together with branches: in a sample, they would
     * come after the branches.
     */
    if (how->flags & COUNTER_ADDRESS && !(how->flags & COUNTER_BRANCHES))
        how->flags |= COUNTER_PHYSICAL;
    if (how->flags & COUNTER_ADDRESS && how->type != PERF_TYPE_SOFTWARE &&
        !how->precise)
        how->precise = 3;
    fd = counter_open(how, 0, COUNTER_THREAD, period);
    if (fd < 0 && how->flags & COUNTER_PHYSICAL) {
        how->flags &= ~(u32)COUNTER_PHYSICAL;
        fd = counter_open(how, 0, COUNTER_THREAD, period);
    }
    while (fd < 0 && how->flags & COUNTER_ADDRESS && how->precise && how->precise--)
        fd = counter_open(how, 0, COUNTER_THREAD, period);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

/* Do the paths of the probes up to number i fit on the control page? */
static int
have_room(const struct counter_set *c, u32 i)
{
    size_t used = 0;

    for (u32 k = 0; k <= i; k++)
        used += c->counter[k].path ? strlen(c->counter[k].path) + 1 : 0;
    return used < ER_PROBE_BYTES;
}

void
counter_try(struct counter_set *c)
{
    u32 kept = 0;

    for (u32 i = 0; i < c->count; i++) {
        struct counter row = c->counter[i];
        int ret = row.path && !have_room(c, i) ? -ENAMETOOLONG : try_one(&row.how);

        if (ret == 0) {
            c->counter[kept++] = row;
            continue;
        }
        strcpy(c->left_out[c->missing].name, row.name);
        c->left_out[c->missing++].why =
            row.path ? probe_reason(ret) : counter_reason(ret, row.how.type);
    }
    c->count = kept;
}

void
counter_start_totals(struct counter_set *c, pid_t pid, enum counter_span span)
{
    for (u32 i = 0; i < c->count; i++) {
        struct counter *row = &c->counter[i];

        /*
         * Probes have no totals: for a child to inherit one, the kernel would read the
         * probe's path again in clone(), which would fail.
         */
        if (row->path)
            continue;
        row->total = counter_open(&row->how, pid, span, 0);
        if (row->total >= 0 && span == COUNTER_FROM_NOW)
            (void)ioctl(row->total, PERF_EVENT_IOC_ENABLE, 0);
    }
}

void
counter_start_totals_of(struct counter_set *c, const pid_t *tids, u32 count)
{
    for (u32 i = 0; i < c->count; i++) {
        struct counter *row = &c->counter[i];

        if (row->path)
            continue;
        row->more = calloc(count, sizeof(*row->more));
        for (u32 k = 0; k < count && (row->more || !k); k++) {
            int fd = counter_open(&row->how, tids[k], COUNTER_FROM_NOW, 0);

            if (fd >= 0)
                (void)ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
            if (!k)
                row->total = fd;
            else if (fd >= 0)
                row->more[row->more_count++] = fd;
        }
    }
}

static int
is_node(const struct dirent *d)
{
    return !strncmp(d->d_name, "node", 4) && isdigit((unsigned char)d->d_name[4]);
}

/*
 * The number of NUMA nodes, 0 = not known. If there is only one, hits need not ask the
 * kernel which NUMA node holds the data that they accessed.
 */
static u32
count_nodes(void)
{
    struct dirent **list;
    int n = scandir("/sys/devices/system/node", &list, is_node, NULL);

    for (int i = 0; i < n; i++)
        free(list[i]);
    if (n >= 0)
        free(list);
    return n > 0 ? (u32)n : 0;
}

/* Copy a probe's path to the control page, and set config1 to its offset there. */
static void
hand_over_path(struct ctl_counter *how, const char *path, struct ctl *ctl)
{
    u64 at = 0;

    while (ctl->probe[at] && strcmp(ctl->probe + at, path) != 0)
        at += strlen(ctl->probe + at) + 1;
    strcpy(ctl->probe + at, path); /* counter_try() has checked that it fits */
    how->config1 = at;
}

void
counter_hand_over(const struct counter_set *c, struct ctl *ctl)
{
    for (u32 i = 0; i < c->count; i++) {
        ctl->counter[i] = c->counter[i].how;
        if (c->counter[i].path)
            hand_over_path(&ctl->counter[i], c->counter[i].path, ctl);
    }
    for (u32 i = 0; i < c->count && !ctl->nodes; i++)
        if (c->counter[i].how.flags & COUNTER_ADDRESS)
            ctl->nodes = count_nodes();
    __atomic_store_n(&ctl->counters, c->count, __ATOMIC_RELEASE);
}

static int
add_total(int fd, u64 *value, u64 *enabled, u64 *running)
{
    u64 got[3];
    ssize_t n = read(fd, got, sizeof(got));

    if (n != sizeof(got))
        return n < 0 ? -errno : -EIO;
    *value += got[0];
    *enabled += got[1];
    *running += got[2];
    return 0;
}

int
counter_read(const struct counter *counter, u64 *value, u64 *enabled, u64 *running)
{
    int ret;

    if (counter->total < 0)
        return -ENOENT;
    *value = *enabled = *running = 0;
    ret = add_total(counter->total, value, enabled, running);
    for (u32 i = 0; i < counter->more_count && ret == 0; i++)
        ret = add_total(counter->more[i], value, enabled, running);
    return ret;
}

void
counter_end_totals(struct counter_set *c)
{
    for (u32 i = 0; i < c->count; i++) {
        if (c->counter[i].total >= 0)
            close(c->counter[i].total);
        c->counter[i].total = -1;
        for (u32 k = 0; k < c->counter[i].more_count; k++)
            close(c->counter[i].more[k]);
        free(c->counter[i].more);
        c->counter[i].more = NULL;
        c->counter[i].more_count = 0;
    }
}
