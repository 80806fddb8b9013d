/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/io/io.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/model/io/ioscan.h"
#include "print/model/symbols/stacks.h"
#include "print/model/tracescan.h"

/* The experiment whose sums are being added to the result. */
struct collecting {
    struct session *session;
    struct experiment *experiment;
    u32 index;
    u32 want;
    double rate;
    u32 from;  /* the experiment's first entry in io->open */
    u32 first; /* its first entry in io->file */
    u32 id;    /* if `any`: the file whose sums were added last */
    u32 at;    /* if `any`: that file's index in io->file */
    bool any;
    struct io *io;
    struct hash *names; /* of files, with IO_NAMES */
};

void
io_sums_add(struct io_sums *to, const struct io_sums *more)
{
    for (u32 i = 0; i < IO_CLASSES; i++)
        iosum_add(&to->of[i], &more->of[i]);
}

struct io_sum
io_sums_all(const struct io_sums *sums, bool waits)
{
    struct io_sum all = { 0 };

    for (u32 i = 0; i < IO_CLASSES; i++)
        if (waits || i != IO_CLASS_WAIT)
            iosum_add(&all, &sums->of[i]);
    return all;
}

static struct io_sum
in_ns(const struct io_sum *sum, double rate)
{
    return (struct io_sum){ sum->count, sum->bytes, clock_scaled(sum->time, rate),
                            clock_scaled(sum->most, rate) };
}

static int
by_id(const void *a, const void *b)
{
    const struct io_open *x = a, *y = b;

    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

const struct io_open *
io_find(const struct io *io, u32 experiment, u32 id)
{
    struct io_open key = { .experiment = experiment, .id = id };

    if (!io->opens)
        return NULL;
    return bsearch(&key, io->open, io->opens, sizeof(key), by_id);
}

/* Add the records of files, one for each id. */
static int
add_opens(struct collecting *t, const struct io_part *part)
{
    struct io *io = t->io;
    struct io_open *open;
    u32 kept = 0;

    if (!part->opens)
        return 0;
    if (array_room(&io->open, &io->open_room, io->opens + part->opens,
                   sizeof(*io->open)) < 0)
        return -ENOMEM;
    open = io->open + io->opens;
    memcpy(open, part->open, part->opens * sizeof(*open));
    for (u32 i = 0; i < part->opens; i++) {
        open[i].experiment = t->index;
        open[i].time = tracescan_since(t->experiment, FILE_iotrace, open[i].time);
    }
    qsort(open, part->opens, sizeof(*open), by_id);
    for (u32 i = 0; i < part->opens; i++)
        if (!kept || open[i].id != open[kept - 1].id)
            open[kept++] = open[i];
    io->opens += kept;
    return 0;
}

/*
 * With IO_NAMES, files with the same name share one entry. All ids without a record
 * share another one, and so do all calls without a file.
 */
struct name_key {
    const struct io *io;
    const struct io_open *open;
};

static bool
same_name(const void *context, u32 index)
{
    const struct name_key *key = context;
    const struct io_open *x = &key->io->file[index].open, *y = key->open;

    return x->name.len == y->name.len && !x->how == !y->how && !x->id == !y->id &&
           !memcmp(x->name.s, y->name.s, x->name.len);
}

static int
find_name(struct collecting *t, const struct io_open *open, u32 *at)
{
    struct name_key key = { t->io, open };
    u64 seed = (u64)!open->how + 2 * !open->id;
    u32 hash = (u32)hash_bytes(seed, open->name.s, open->name.len);

    *at = t->want & IO_NAMES ? hash_find(t->names, hash, same_name, &key) : HASH_NONE;
    if (*at != HASH_NONE)
        return 0;
    if (array_room(&t->io->file, &t->io->file_room, t->io->files + 1,
                   sizeof(*t->io->file)) < 0 ||
        (t->want & IO_NAMES && hash_add(t->names, hash, t->io->files) < 0))
        return -ENOMEM;
    *at = t->io->files++;
    t->io->file[*at] = (struct io_file){ .open = *open };
    return 0;
}

/* Get the index in io->file of the sums for an id, which may lack a record. */
static int
file_of(struct collecting *t, u32 id, u32 *at)
{
    const struct io_open *open = io_find(t->io, t->index, id);
    struct io_open unknown = { .experiment = t->index, .id = id, .fd = -1 };

    if (open && !(t->want & IO_NAMES)) {
        *at = t->first + (u32)(open - t->io->open) - t->from;
        return 0;
    }
    unknown.name = (struct er_str){ "", 0 };
    return find_name(t, open ? open : &unknown, at);
}

/* List all files, even those on which no call was made. */
static int
list_files(struct collecting *t)
{
    for (u32 i = t->from; i < t->io->opens; i++) {
        struct io_file *file;
        u32 at;

        if (find_name(t, &t->io->open[i], &at) < 0)
            return -ENOMEM;
        file = &t->io->file[at];
        file->opens += t->io->open[i].how == FILE_OPENED;
        /*
         * Replace an entry made from a path alone: one made when a file was opened says
         * more.
         */
        if (file->open.kind == FILE_KIND_PATH)
            file->open = t->io->open[i];
    }
    return 0;
}

static int
add_stack(struct collecting *t, u32 node, enum io_class class, const struct io_sum *sum)
{
    struct io *io = t->io;
    struct io_stack stack = { 0 };

    if (stacks_of(t->session, t->index, node, &stack.node) < 0 ||
        array_room(&io->stack, &io->stack_room, io->stacks + 1, sizeof(stack)) < 0)
        return -ENOMEM;
    stack.sums.of[class] = *sum;
    io->stack[io->stacks++] = stack;
    return 0;
}

static int
add_call(struct collecting *t, const struct bin_key *key, const struct io_sum *sum)
{
    struct io *io = t->io;
    struct io_call call = { key->other, key->what >> IO_WHAT_ERROR_SHIFT,
                            key->what & IO_WHAT_CLASS, *sum };

    if (array_room(&io->call, &io->call_room, io->calls + 1, sizeof(call)) < 0)
        return -ENOMEM;
    io->call[io->calls++] = call;
    return 0;
}

/*
 * Add a bin to its file. Bins of one file are consecutive, so the file is looked up
 * only once.
 */
static int
add_to_file(struct collecting *t, u32 id, enum io_class class, const struct io_sum *sum)
{
    if (!t->any || t->id != id) {
        if (file_of(t, id, &t->at) < 0)
            return -ENOMEM;
        t->any = true;
        t->id = id;
    }
    iosum_add(&t->io->file[t->at].sums.of[class], sum);
    return 0;
}

static int
add_bin(struct collecting *t, const struct bin *bin)
{
    struct io_sum raw = { bin->count, bin->bytes, bin->time, bin->most };
    struct io_sum sum = in_ns(&raw, t->rate);
    enum io_class class = bin->key.what & IO_WHAT_CLASS;

    iosum_add(&t->io->total.of[class], &sum);
    if (t->want & (IO_FILES | IO_NAMES) &&
        add_to_file(t, (u32)bin->key.object, class, &sum) < 0)
        return -ENOMEM;
    if (t->want & IO_STACKS && add_stack(t, bin->key.node, class, &sum) < 0)
        return -ENOMEM;
    return t->want & IO_CALLS ? add_call(t, &bin->key, &sum) : 0;
}

static int
add_slow(struct collecting *t, const struct io_part *part)
{
    for (u32 i = 0; i < part->slows; i++) {
        struct io_slow slow = part->slow[i];

        if (stacks_of(t->session, t->index, slow.node, &slow.node) < 0)
            return -ENOMEM;
        slow.experiment = t->index;
        slow.since = tracescan_since(t->experiment, FILE_iotrace, slow.since);
        slow.time = clock_scaled(slow.time, t->rate);
        ioscan_slow(t->io->slow, &t->io->slows, &slow);
    }
    return 0;
}

static void
add_steps(struct collecting *t, const struct io_part *part)
{
    for (u32 i = 0; i < IO_STEPS; i++) {
        for (u32 k = 0; k < 2; k++) {
            struct io_sum sum = in_ns(&part->size[i][k], t->rate);

            iosum_add(&t->io->size[i][k], &sum);
        }
        for (u32 k = 0; k < IO_CLASSES; k++) {
            struct io_sum sum = in_ns(&part->time[i][k], t->rate);

            iosum_add(&t->io->time[i][k], &sum);
        }
    }
}

static int
add_part(struct collecting *t, struct io_part *part)
{
    t->from = t->io->opens;
    t->first = t->io->files;
    if (add_opens(t, part) < 0 || list_files(t) < 0)
        return -ENOMEM;
    bins_sort(&part->bins);
    for (u32 i = 0; i < part->bins.count; i++)
        if (add_bin(t, &part->bins.bin[i]) < 0)
            return -ENOMEM;
    add_steps(t, part);
    return add_slow(t, part);
}

static int
add_experiment(struct session *session, u32 index, u32 want, struct hash *names,
               struct io *io)
{
    struct collecting t = {
        .session = session,
        .experiment = session->experiment[index],
        .index = index,
        .want = want,
        .io = io,
        .names = names,
    };
    struct io_part *part;
    int ret;

    if (tracescan_rate(t.experiment, FILE_iotrace, &t.rate) < 0)
        return -ENOMEM;
    ret = ioscan_run(session, index, want, t.rate, &part);
    if (ret < 0 && ret != -ENOENT)
        return ret;
    io->recorded |= ret == 0 || experiment_is_requested(t.experiment, FILE_iotrace);
    if (ret == -ENOENT)
        return 0;
    ret = add_part(&t, part);
    ioscan_free(part);
    return ret;
}

static int
by_node(const void *a, const void *b)
{
    const struct io_stack *x = a, *y = b;

    return x->node < y->node ? -1 : x->node > y->node;
}

static int
by_call(const void *a, const void *b)
{
    const struct io_call *x = a, *y = b;

    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return x->error < y->error ? -1 : x->error > y->error;
}

static int
by_time(const void *a, const void *b)
{
    const struct io_slow *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    if (x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Merge entries of the same stack and call, since experiments have stacks in common. */
static void
settle(struct io *io)
{
    u32 kept = 0;

    if (io->stacks)
        qsort(io->stack, io->stacks, sizeof(*io->stack), by_node);
    for (u32 i = 0; i < io->stacks; i++) {
        if (kept && !by_node(&io->stack[kept - 1], &io->stack[i]))
            io_sums_add(&io->stack[kept - 1].sums, &io->stack[i].sums);
        else
            io->stack[kept++] = io->stack[i];
    }
    io->stacks = kept;
    if (io->calls)
        qsort(io->call, io->calls, sizeof(*io->call), by_call);
    kept = 0;
    for (u32 i = 0; i < io->calls; i++) {
        if (kept && !by_call(&io->call[kept - 1], &io->call[i]))
            iosum_add(&io->call[kept - 1].sum, &io->call[i].sum);
        else
            io->call[kept++] = io->call[i];
    }
    io->calls = kept;
    if (io->slows)
        qsort(io->slow, io->slows, sizeof(*io->slow), by_time);
}

int
io_get(struct session *session, u32 want, struct io *out)
{
    struct io *io = calloc(1, sizeof(*io));
    struct hash names = { 0 };
    int ret = io ? 0 : -ENOMEM;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, want, &names, io);
    hash_free(&names);
    if (ret < 0) {
        if (io)
            io_free(io);
        free(io);
        return ret;
    }
    settle(io);
    *out = *io;
    free(io);
    return 0;
}

void
io_free(struct io *io)
{
    free(io->open);
    free(io->file);
    free(io->stack);
    free(io->call);
    memset(io, 0, sizeof(*io));
}
