/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/labelset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/store.h"
#include "share/err.h"
#include "share/fmt.h"
#include "share/writeall.h"

enum {
    ROWS_MOST = 100000,
    LINE_MOST = 1 << 16,
};

int
labelset_read(struct labelset *set, int dir, const char *shown)
{
    struct problems problems = { 0 };
    int ret;

    *set = (struct labelset){ 0 };
    ret = labels_read(&set->old, dir, shown, &problems);
    for (u32 i = 0; i < problems.count; i++)
        err_warn("%s", problems.text[i]);
    problems_free(&problems);
    if (ret < 0 && ret != -ENOENT)
        return ret;
    set->count = set->old.count;
    set->row = malloc(((size_t)set->count + 1) * sizeof(*set->row));
    if (!set->row) {
        labels_free(&set->old);
        return -ENOMEM;
    }
    if (set->count)
        memcpy(set->row, set->old.row, set->count * sizeof(*set->row));
    return 0;
}

void
labelset_free(struct labelset *set)
{
    free(set->row);
    labels_free(&set->old);
}

static int
write_row(int fd, const struct label *row, char *line)
{
    struct fmt f = fmt_start(line, LINE_MOST);

    fmt_str(&f, "<label");
    fmt_attr(&f, "name", row->name);
    fmt_attr_u64(&f, "start", row->start);
    if (row->stop != UINT64_MAX)
        fmt_attr_u64(&f, "stop", row->stop);
    if (*row->doc)
        fmt_attr(&f, "doc", row->doc);
    fmt_str(&f, "/>\n");
    return f.cut ? -E2BIG : writeall(fd, line, (size_t)(f.at - line));
}

static int
write_rows(const struct labelset *set, int fd)
{
    static const char end[] = "</labels>\n";
    char head[160], *line = malloc(LINE_MOST);
    int ret = line ? 0 : -ENOMEM;

    if (ret == 0)
        ret = writeall(fd, head, (size_t)snprintf(head, sizeof(head),
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<labels version=\"1\">\n<run mono=\"%llu\"/>\n",
                        (unsigned long long)set->from));
    for (u32 i = 0; i < set->count && ret == 0; i++)
        ret = write_row(fd, &set->row[i], line);
    if (ret == 0)
        ret = writeall(fd, end, sizeof(end) - 1);
    free(line);
    return ret;
}

int
labelset_write(const struct labelset *set, int dir)
{
    struct store_file f;
    int ret = store_begin(&f, dir);

    if (ret < 0)
        return ret;
    ret = write_rows(set, f.fd);
    if (ret < 0)
        store_abandon(&f);
    else
        ret = store_commit(&f, LABELS_FILE);
    return ret;
}

/* The next row of a label, from row `at` on; `count` if there is none. */
static u32
find(const struct labelset *set, u32 at, const char *name)
{
    struct labels labels = { .row = set->row, .count = set->count };

    return labels_find(&labels, at, name, strlen(name));
}

int
labelset_add(struct labelset *set, const char *shown, const char *name, u64 start,
             u64 stop)
{
    u32 first = find(set, 0, name);
    struct label *grown;

    if (start >= stop) {
        err_warn("%s: a time must end later than it begins", shown);
        return 1;
    }
    if (start > set->end) {
        err_warn("%s: the run ended after %.9f seconds, before that time", shown,
                 (double)set->end / 1e9);
        return 1;
    }
    if (set->count == ROWS_MOST) {
        err_warn("%s: there are %d times already, and no more are kept", shown,
                 ROWS_MOST);
        return 1;
    }
    grown = realloc(set->row, ((size_t)set->count + 1) * sizeof(*grown));
    if (!grown) {
        err_warn("no memory is left");
        return 1;
    }
    set->row = grown;
    grown[set->count] = (struct label){
        first < set->count ? grown[first].name : name,
        first < set->count ? grown[first].doc : "", start, stop
    };
    set->count++;
    return 0;
}

/* The row in which the label has no end yet; `count` if there is none. */
static u32
find_open(const struct labelset *set, const char *name)
{
    u32 at = find(set, 0, name);

    while (at < set->count && set->row[at].stop != UINT64_MAX)
        at = find(set, at + 1, name);
    return at;
}

int
labelset_open(struct labelset *set, const char *shown, const char *name, u64 start)
{
    u32 at = find_open(set, name);

    if (at == set->count)
        return labelset_add(set, shown, name, start, UINT64_MAX);
    err_warn("%s: %s has begun at %.9f seconds already, and has no end yet", shown,
             name, (double)set->row[at].start / 1e9);
    return 1;
}

int
labelset_shut(struct labelset *set, const char *shown, const char *name, u64 stop)
{
    u32 at = find_open(set, name);

    if (at == set->count) {
        err_warn("%s: %s has no time that could be ended", shown, name);
        return 1;
    }
    if (stop <= set->row[at].start) {
        err_warn("%s: a time must end later than it begins", shown);
        return 1;
    }
    set->row[at].stop = stop;
    return 0;
}

static int
fail_missing(const char *shown, const char *name)
{
    err_warn("%s has no label %s", shown, name);
    return 1;
}

int
labelset_remove(struct labelset *set, const char *shown, const char *name)
{
    u32 kept = 0, before = set->count;

    for (u32 i = 0; i < before; i++) {
        struct labels one = { .row = &set->row[i], .count = 1 };

        if (labels_find(&one, 0, name, strlen(name)))
            set->row[kept++] = set->row[i];
    }
    set->count = kept;
    return kept == before ? fail_missing(shown, name) : 0;
}

int
labelset_doc(struct labelset *set, const char *shown, const char *name, const char *doc)
{
    u32 at = find(set, 0, name);

    if (at == set->count)
        return fail_missing(shown, name);
    for (; at < set->count; at = find(set, at + 1, name))
        set->row[at].doc = doc;
    return 0;
}

void
labelset_print(const struct labelset *set, const char *shown)
{
    for (u32 i = 0; i < set->count; i++) {
        const struct label *row = &set->row[i];

        printf("%s: %s from %.9f", shown, row->name, (double)row->start / 1e9);
        if (row->stop != UINT64_MAX)
            printf(" to %.9f", (double)row->stop / 1e9);
        printf(" seconds%s%s\n", *row->doc ? ": " : "", row->doc);
    }
}
