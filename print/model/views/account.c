/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/account.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/filter/filterbind.h"
#include "print/model/symbols/stacks.h"
#include "print/model/pass/tally.h"

enum {
    KERNEL_FRAMES = 256, /* kernel frames of a stack that is_own() goes through */
    WORKERS_MAX = 8,
};

/* The indices of fields in a kind of record; -1 = it has no such field. */
struct fields {
    int mstate, weight, node;
    int kind, user, system;
    int counter, value;
};

enum own {
    OWN_UNKNOWN,
    OWN_NO,
    OWN_YES,
};

/* What one worker adds up. */
struct part {
    struct account account;
    u32 room;
};

struct builder {
    struct session *session;
    u32 index;
    struct experiment *experiment;
    struct part part[WORKERS_MAX];
    struct fields fields;
    enum er_file file;
    u32 trace; /* the family of tracing to which `file` belongs, TRACE_COUNT = none */
    struct bound_filter *filter[SCHEMA_KINDS]; /* NULL = all pass */
    int node[SCHEMA_KINDS]; /* by kind of record: its field `node`, -1 = none */
    u32 pseudo[ACCOUNT_RESIDUALS]; /* stack nodes of residuals */
    unsigned char *own; /* by node: enum own, found out when first asked for */
    bool no_memory;
};

static struct account_row *
row_of(struct builder *b, struct part *part, u32 thread)
{
    struct account *account = &part->account;
    const struct thread_row *row = threads_find(&b->experiment->threads, thread);
    struct account_row new = { .thread = thread, .index = UINT32_MAX };

    /* Rows of threads in threads.row come first, in the same order. */
    if (row)
        new.index = (u32)(row - b->experiment->threads.row);
    if (new.index < account->count)
        return &account->row[new.index];
    for (u32 i = b->experiment->threads.count; i < account->count; i++)
        if (account->row[i].thread == thread)
            return &account->row[i];
    if (array_room(&account->row, &part->room, account->count + 1, sizeof(new)) < 0) {
        b->no_memory = true;
        return &account->total; /* any row will do, as account_build() returns
                                   -ENOMEM */
    }
    account->row[account->count] = new;
    return &account->row[account->count++];
}

/* Add the rows of threads.row first, in that order: row_of() relies on it. */
static void
add_threads(struct builder *b, struct part *part)
{
    for (u32 i = 0; i < b->experiment->threads.count; i++)
        row_of(b, part, b->experiment->threads.row[i].id);
}

static void
add_i64(int64_t *to, u64 more)
{
    *to = (int64_t)((u64)*to + more);
}

static u64
get(const u64 *row, int field)
{
    return field < 0 ? 0 : row[field];
}

/* Was the hit in the collector's own code, or in the kernel, called from it? */
static bool
is_own(const struct nodes *nodes, u32 id)
{
    const u64 kernel = 1ull << 47;
    struct node_row node;

    for (u32 i = 0; i < KERNEL_FRAMES && nodes_get(nodes, id, &node) == 0; i++) {
        if (node.flags & NODE_COLLECTOR)
            return true;
        if (!(node.pc & kernel))
            return false;
        id = node.parent;
    }
    return false;
}

static bool
is_own_hit(const struct builder *b, u64 id)
{
    unsigned char own;

    if (id >= b->experiment->nodes.count)
        return is_own(&b->experiment->nodes, (u32)id);
    own = __atomic_load_n(&b->own[id], __ATOMIC_RELAXED);
    if (own == OWN_UNKNOWN) {
        own = is_own(&b->experiment->nodes, (u32)id) ? OWN_YES : OWN_NO;
        __atomic_store_n(&b->own[id], own, __ATOMIC_RELAXED);
    }
    return own == OWN_YES;
}

static void
add_clock(const struct builder *b, struct account_row *to, const u64 *row)
{
    const struct fields *f = &b->fields;
    u64 system = get(row, f->mstate), weight = get(row, f->weight);

    to->clock_records++;
    add_i64(system ? &to->system : &to->user, weight);
    if (is_own_hit(b, get(row, f->node)))
        add_i64(system ? &to->own_system : &to->own_user, weight);
}

static void
add_residual(struct account_row *to, const struct fields *f, const u64 *row)
{
    u64 kind = get(row, f->kind);

    if (kind >= ACCOUNT_RESIDUALS)
        kind = 0;
    add_i64(&to->residual_user[kind], get(row, f->user));
    add_i64(&to->residual_system[kind], get(row, f->system));
}

/*
 * Does a record pass the filter? A record without a stack is filtered as one with the
 * pseudo stack of its residual, or with none.
 */
static bool
passes(const struct builder *b, const struct batch *batch, const u64 *row, u32 tid)
{
    u32 number = batch->record->number;
    struct filter_event event = { .row = row, .thread = batch->thread, .tid = tid };
    u64 kind = get(row, b->fields.kind);

    if (!b->filter[number])
        return true;
    event.pseudo = b->node[number] < 0;
    if (!event.pseudo)
        event.stack = (u32)row[b->node[number]];
    else if (!strcmp(batch->record->name, "residual"))
        event.stack = b->pseudo[kind < ACCOUNT_RESIDUALS ? kind : 0];
    else
        event.stack = UINT32_MAX;
    return filterbind_accepts(b->filter[number], &event);
}

/*
 * Find the fields of a counter's hits. Hits with data addresses are another kind of
 * record, with the same fields at other indices.
 */
static void
find_counts(struct fields *f, const struct schema_record *record)
{
    f->counter = schema_find_number(record, "counter");
    f->value = schema_find_number(record, "value");
}

static void
add_count(struct account_row *to, const struct fields *f, const u64 *row)
{
    u64 counter = get(row, f->counter);

    to->count_records++;
    if (f->counter >= 0 && counter < ER_COUNTERS)
        to->hits[counter] += get(row, f->value);
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct builder *b = context;
    struct part *part = &b->part[batch->worker];
    struct account_row *to;
    struct fields fields = b->fields;
    const struct thread_row *thread =
        threads_find(&b->experiment->threads, batch->thread);
    const char *name = batch->record->name;
    /*
     * A record that only names a file or a function does not count as an event of its
     * family, as in the threads' own counts.
     */
    int is_event = b->file == FILE_calltrace
                       ? !strcmp(name, "call")
                       : b->file != FILE_iotrace || strcmp(name, "file");
    bool clock = !strcmp(name, "clock"), residual = !strcmp(name, "residual");
    bool off = !strcmp(name, "off");

    if (!part->account.count)
        add_threads(b, part);
    to = row_of(b, part, batch->thread);
    if (b->file == FILE_hwcounters)
        find_counts(&fields, batch->record);
    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;

        if (!passes(b, batch, row, thread ? thread->tid : 0))
            continue;
        to->records++;
        if (b->trace < TRACE_COUNT)
            to->trace_records[b->trace] += is_event;
        if (b->file == FILE_hwcounters)
            add_count(to, &fields, row);
        if (b->file != FILE_profile)
            continue;
        if (clock)
            add_clock(b, to, row);
        else if (off)
            to->off_records++;
        else if (residual)
            add_residual(to, &b->fields, row);
    }
}

static void
close_filters(struct builder *b)
{
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        filterbind_free(b->filter[i]);
        b->filter[i] = NULL;
    }
}

static int
open_filters(struct builder *b, const struct schema_file *schema)
{
    static const enum pseudo_function func[ACCOUNT_RESIDUALS] = {
        FUNC_UNATTRIBUTED, FUNC_STARTUP, FUNC_EXIT, FUNC_UNATTRIBUTED,
        FUNC_UNATTRIBUTED,
    };

    for (u32 i = 0; i < ACCOUNT_RESIDUALS; i++)
        if (stacks_pseudo(b->session, func[i], &b->pseudo[i]) < 0)
            return -ENOMEM;
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        const struct schema_record *record = &schema->record[i];

        b->node[i] = record->nfields ? schema_find_number(record, "node") : -1;
        if (record->nfields &&
            filterbind(b->session, b->index, schema, record,
                       !strcmp(record->name, "residual"), &b->filter[i]) < 0)
            return -ENOMEM;
    }
    return 0;
}

static void
find_fields(struct fields *f, const struct schema_file *schema)
{
    const struct schema_record *clock = schema_find_record(schema, "clock");
    const struct schema_record *residual = schema_find_record(schema, "residual");

    *f = (struct fields){ -1, -1, -1, -1, -1, -1, -1, -1 };
    if (clock) {
        f->mstate = schema_find_number(clock, "mstate");
        f->weight = schema_find_number(clock, "weight");
        f->node = schema_find_number(clock, "node");
    }
    if (residual) {
        f->kind = schema_find_number(residual, "kind");
        f->user = schema_find_number(residual, "user");
        f->system = schema_find_number(residual, "system");
    }
}

static void
add_drops(struct builder *b, const struct record_source *source, enum er_file file)
{
    struct chunk_cursor cursor = { .data = source->data, .size = source->size,
                                   .file = source->schema->number };
    struct part *part = &b->part[0];
    struct account_row *row;
    const struct er_chunk *chunk;
    u32 committed;
    u64 where;
    int got;

    while ((got = chunk_next(&cursor, &chunk, &committed, &where))) {
        if (got < 0)
            continue;
        row = chunk->dropped ? row_of(b, part, chunk->thread_id) : NULL;
        if (row && b->trace < TRACE_COUNT)
            row->trace_dropped[b->trace] += chunk->dropped;
        else if (row)
            row->chunk_dropped += chunk->dropped;
        if (file == FILE_profile)
            part->account.profile_bytes += committed;
    }
}

static int
add_file(struct builder *b, enum er_file file)
{
    struct record_sink sink = { on_batch, b, false };
    struct record_source source;
    struct record_count count;
    int ret;

    if (experiment_source(b->experiment, file, &source) < 0)
        return 0;
    b->file = file;
    b->trace = 0;
    while (b->trace < TRACE_COUNT && er_traces[b->trace].file != file)
        b->trace++;
    find_fields(&b->fields, source.schema);
    ret = open_filters(b, source.schema);
    if (ret == 0)
        ret = records_scan(&source, &sink, scan_workers(&source, WORKERS_MAX),
                           &count);
    close_filters(b);
    if (ret < 0)
        return ret;
    b->part[0].account.chunks += count.chunks;
    b->part[0].account.bad_chunks += count.bad_chunks;
    add_drops(b, &source, file);
    return 0;
}

static int
by_thread(const void *a, const void *b)
{
    const struct account_row *left = a, *right = b;

    return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static void
add_row(struct account_row *to, const struct account_row *more)
{
    to->clock_records += more->clock_records;
    to->records += more->records;
    to->count_records += more->count_records;
    to->off_records += more->off_records;
    for (u32 i = 0; i < ER_COUNTERS; i++)
        to->hits[i] += more->hits[i];
    to->chunk_dropped += more->chunk_dropped;
    for (u32 i = 0; i < TRACE_COUNT; i++) {
        to->trace_records[i] += more->trace_records[i];
        to->trace_dropped[i] += more->trace_dropped[i];
    }
    add_i64(&to->user, (u64)more->user);
    add_i64(&to->system, (u64)more->system);
    add_i64(&to->own_user, (u64)more->own_user);
    add_i64(&to->own_system, (u64)more->own_system);
    for (u32 k = 0; k < ACCOUNT_RESIDUALS; k++) {
        add_i64(&to->residual_user[k], (u64)more->residual_user[k]);
        add_i64(&to->residual_system[k], (u64)more->residual_system[k]);
    }
}

static void
close_account(struct account *account, const struct experiment *e, bool filtered)
{
    u64 user, system;

    memset(&account->total, 0, sizeof(account->total));
    for (u32 i = 0; i < account->count; i++)
        add_row(&account->total, &account->row[i]);
    if (!e->has_account || filtered)
        return;
    user = e->user - (u64)account->total.user;
    system = e->system - (u64)account->total.system;
    for (u32 k = 0; k < ACCOUNT_RESIDUALS; k++) {
        user -= (u64)account->total.residual_user[k];
        system -= (u64)account->total.residual_system[k];
    }
    account->has_kernel = true;
    account->kernel_user = (int64_t)e->user;
    account->kernel_system = (int64_t)e->system;
    account->rest_user = (int64_t)user;
    account->rest_system = (int64_t)system;
    reconcile_rest(&account->rest_user, &account->rest_system);
}

static u64
count_nodes(const struct nodes *nodes)
{
    struct node_row row;
    u64 n = 0;

    for (u32 id = 1; id < nodes->count; id++)
        n += nodes_get(nodes, id, &row) != -ENOENT;
    return n;
}

/*
 * Set the CPU time of the collector's handlers. It only grows, so the last sample point
 * that has it has the final value.
 */
static int
add_handlers(struct account *account, struct experiment *e)
{
    int ret = experiment_samples(e);

    for (u32 i = 0; ret == 0 && i < e->samples.count; i++) {
        const struct sample_row *s = &e->samples.row[i];

        if (!(s->known >> SAMPLE_handlers & 1))
            continue;
        account->has_handlers = true;
        if (s->value[SAMPLE_handlers] > account->handlers)
            account->handlers = s->value[SAMPLE_handlers];
    }
    return ret;
}

/* Add all parts to the first. */
static void
merge_parts(struct builder *b)
{
    for (u32 w = 1; w < WORKERS_MAX; w++) {
        struct account *part = &b->part[w].account;

        for (u32 i = 0; i < part->count; i++)
            add_row(row_of(b, &b->part[0], part->row[i].thread), &part->row[i]);
        account_free(part);
    }
}

static int
build(struct builder *b, struct account *out)
{
    struct account *account = &b->part[0].account;
    bool filtered = filter_is_set(b->session);
    int ret = 0;

    b->own = calloc((size_t)b->experiment->nodes.count + 1, sizeof(*b->own));
    if (!b->own)
        return -ENOMEM;
    add_threads(b, &b->part[0]);
    for (u32 i = 0; i < FILE_COUNT && ret == 0; i++)
        ret = add_file(b, i);
    free(b->own);
    merge_parts(b);
    if (ret == 0 && b->no_memory)
        ret = -ENOMEM;
    if (ret == 0 && !filtered)
        ret = add_handlers(account, b->experiment);
    if (ret < 0) {
        account_free(account);
        return ret;
    }
    if (account->count)
        qsort(account->row, account->count, sizeof(*account->row), by_thread);
    close_account(account, b->experiment, filtered);
    account->nodes = count_nodes(&b->experiment->nodes);
    *out = *account;
    return 0;
}

/*
 * Copy an account to *out. If `whole` is NULL, memory for the rows is allocated; else
 * `whole` points to an account with room for the rows after it, which the copy uses.
 */
static int
copy(const struct account *from, struct account *whole, struct account *out)
{
    struct account_row *row = whole ? (struct account_row *)(whole + 1)
                                    : malloc((from->count + (size_t)1) * sizeof(*row));

    if (!row)
        return -ENOMEM;
    if (from->count)
        memcpy(row, from->row, from->count * sizeof(*row));
    *out = *from;
    out->row = row;
    return 0;
}

/* Build an account and keep it in *kept, in one piece of memory with its rows. */
static int
keep(struct session *session, u32 index, struct account **kept)
{
    struct builder b = { .session = session, .index = index,
                         .experiment = session->experiment[index] };
    struct account made, *whole;
    int ret = build(&b, &made);

    if (ret < 0)
        return ret;
    whole = malloc(sizeof(*whole) + made.count * sizeof(*made.row));
    ret = whole ? copy(&made, whole, whole) : -ENOMEM;
    account_free(&made);
    if (ret == 0)
        *kept = whole;
    return ret;
}

int
account_build(struct session *session, u32 index, struct account *out)
{
    struct tally *tally = session->tally;
    int ret = 0;

    if (index >= session->nexperiments)
        return -ENOENT;
    if (array_room(&tally->account, &tally->account_room, index + 1,
                   sizeof(*tally->account)) < 0)
        return -ENOMEM;
    while (tally->naccounts <= index)
        tally->account[tally->naccounts++] = NULL;
    if (!tally->account[index])
        ret = keep(session, index, &tally->account[index]);
    return ret < 0 ? ret : copy(tally->account[index], NULL, out);
}

void
account_free(struct account *account)
{
    free(account->row);
    account->row = NULL;
    account->count = 0;
}
