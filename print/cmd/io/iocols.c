/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/io/iocols.h"

#include <stdlib.h>
#include <string.h>

#include "print/model/filter/fstype.h"

const char *const iocols_classes[IO_CLASSES] = {
    [IO_CLASS_READ] = "Read",   [IO_CLASS_WRITE] = "Write", [IO_CLASS_OTHER] = "Other",
    [IO_CLASS_WAIT] = "Wait", [IO_CLASS_ERROR] = "Error",
};

static const char *const kinds[FILE_KIND_COUNT] = {
    [FILE_KIND_UNKNOWN] = "unknown",         [FILE_KIND_REGULAR] = "regular file",
    [FILE_KIND_DIRECTORY] = "directory",     [FILE_KIND_PIPE] = "pipe",
    [FILE_KIND_SOCKET] = "socket",           [FILE_KIND_CHARACTER] = "character device",
    [FILE_KIND_BLOCK] = "block device",      [FILE_KIND_ANONYMOUS] = "anonymous",
    [FILE_KIND_PATH] = "path",
};

static u32
class_column(struct table *t, const char *key, enum io_class class, const char *what,
             const char *unit, enum column_type type)
{
    bool main = class <= IO_CLASS_WRITE && strcmp(key, "count");
    char full_key[32], title[32];

    snprintf(full_key, sizeof(full_key), "%s_%s", iocols_classes[class], key);
    full_key[0] |= 0x20;
    snprintf(title, sizeof(title), "%s\n%s", iocols_classes[class], what);
    return table_column(t, full_key, title, unit, type,
                        COL_SPARSE | (main ? 0 : COL_DETAIL));
}

void
iocols_add(struct iocols *c, struct table *t)
{
    c->table = t;
    c->time = table_column(t, "time", "Time", "sec.", COL_NS, 0);
    for (u32 i = 0; i < IO_CLASSES; i++) {
        c->count[i] = class_column(t, "count", i, "calls", "", COL_COUNT);
        if (i <= IO_CLASS_WRITE)
            c->bytes[i] = class_column(t, "bytes", i, "bytes", "byte", COL_COUNT);
        c->spent[i] = class_column(t, "time", i, "time", "sec.", COL_NS);
    }
}

void
iocols_fill(const struct iocols *c, const struct io_sums *sums)
{
    table_number(c->table, c->time, io_sums_all(sums, false).time);
    for (u32 i = 0; i < IO_CLASSES; i++) {
        /* In the layout of blocks, leave out what has no calls. */
        if (c->table->layout == LAYOUT_BLOCKS && !sums->of[i].count)
            continue;
        table_number(c->table, c->count[i], sums->of[i].count);
        if (i <= IO_CLASS_WRITE)
            table_number(c->table, c->bytes[i], sums->of[i].bytes);
        table_number(c->table, c->spent[i], sums->of[i].time);
    }
}

int
iocols_get(struct shell *sh, u32 want, struct io *io)
{
    int err = io_get(sh->session, want, io);

    if (err)
        return shell_fail_errno(sh, err, "the I/O cannot be shown");
    if (io->recorded)
        return 0;
    io_free(io);
    return shell_fail(sh, "no experiment has I/O data (collect -i on records it)");
}

const char *
iocols_name(struct table *t, const struct io_open *open)
{
    if (open && open->name.len)
        return arena_printf(&t->arena, "%.*s", (int)open->name.len, open->name.s);
    return open && !open->id ? "<no file>" : "<unknown>";
}

const char *
iocols_kind(u32 kind)
{
    return kind < FILE_KIND_COUNT ? kinds[kind] : kinds[FILE_KIND_UNKNOWN];
}

const char *
iocols_fstype(struct table *t, u64 fstype)
{
    char text[32];

    return arena_strdup(&t->arena, fstype_name(fstype, text, sizeof(text)));
}

const char *
iocols_error(struct table *t, u32 error)
{
    const char *name = error < 4096 ? strerrorname_np((int)error) : NULL;

    return name ? name : arena_printf(&t->arena, "%u", error);
}

static int
by_name(const struct er_str *a, const struct er_str *b)
{
    int order = memcmp(a->s, b->s, a->len < b->len ? a->len : b->len);

    return order ? order : (a->len > b->len) - (a->len < b->len);
}

static int
compare(const void *a, const void *b)
{
    const struct io_file *x = a, *y = b;
    struct io_sum left = io_sums_all(&x->sums, false);
    struct io_sum right = io_sums_all(&y->sums, false);
    int order;

    if (left.time != right.time)
        return left.time < right.time ? 1 : -1;
    if (left.bytes != right.bytes)
        return left.bytes < right.bytes ? 1 : -1;
    if (left.count != right.count)
        return left.count < right.count ? 1 : -1;
    order = by_name(&x->open.name, &y->open.name);
    if (order)
        return order;
    if (x->open.experiment != y->open.experiment)
        return x->open.experiment < y->open.experiment ? -1 : 1;
    return x->open.id < y->open.id ? -1 : x->open.id > y->open.id;
}

void
iocols_sort(struct io_file *file, u32 count)
{
    if (count)
        qsort(file, count, sizeof(*file), compare);
}
