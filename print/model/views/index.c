/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/wall.h"
#include "print/model/filter/filtermath.h"
#include "print/model/heap/heap.h"
#include "print/model/heap/heapscan.h"
#include "print/model/views/indexkeys.h"
#include "print/model/pass/pieces.h"
#include "print/model/pass/tally.h"

enum {
    WORKERS_MAX = 8,
};

/* One index, while it is made. */
struct building {
    struct session *session;
    const struct index_def *def;
    struct filter_expr *expr[INDEX_KEYS];
    u32 nkeys;
    struct stack_tests tests;
    struct index_keys sums;
    struct values told; /* sums of the records of the present experiment */
};

/* What is needed for reading records of one kind. */
struct reading {
    struct plan plan;
    struct bound_filter *filter;
    struct bound_filter *key[INDEX_KEYS];
};

/* One file of one experiment. */
struct pass {
    struct building *building;
    struct experiment *experiment;
    u32 index;
    u32 nodes;
    u32 pseudo[RESIDUAL_PAUSED + 1];
    u32 nowhere; /* stack node of WALL_NODE */
    struct reading reading[SCHEMA_KINDS];
    struct index_keys part[WORKERS_MAX];
    u32 workers;
    bool no_memory[WORKERS_MAX];
    struct pieces pieces;
    bool ordered; /* records must be read in order of time */
};

static int64_t
rounded(int64_t value)
{
    return value > 0 ? (int64_t)((u64)1 << (63 - __builtin_clzll((u64)value))) : value;
}

/* The values of the key's expressions. */
static struct index_key
key_of(const struct building *b, struct bound_filter *const *key,
       const struct filter_event *event)
{
    struct index_key out = { .known = true };

    for (u32 i = 0; i < b->nkeys; i++) {
        struct filter_value value = filtermath_value(key[i], key[i]->root, event);

        if (!value.known)
            return (struct index_key){ .known = false };
        out.v[i] = value.v;
    }
    if (b->def->form == INDEX_POWER)
        out.v[b->nkeys - 1] = rounded(out.v[b->nkeys - 1]);
    return out;
}

/* Set the stack of a record; false if the record does not count. */
static bool
place(const struct pass *pass, const struct plan *plan, struct filter_event *event)
{
    u64 kind = plan->kind < 0 ? 0 : event->row[plan->kind];

    event->pseudo = plan->node < 0;
    if (!event->pseudo) {
        u64 node = event->row[plan->node];

        event->stack = node < pass->nodes ? (u32)node : 0;
        event->pseudo = node == WALL_NODE;
        if (event->pseudo)
            event->stack = pass->nowhere;
        return true;
    }
    event->stack = pass->pseudo[kind <= RESIDUAL_PAUSED ? kind : 0];
    return kind != RESIDUAL_PAUSED;
}

/* Add an event, or a piece of it, to its key. piece: NULL = the whole event. */
static void
add_piece(struct pass *pass, const struct reading *reading, u32 worker,
          struct filter_event *event, const struct piece *piece)
{
    struct index_key key;
    struct values *to;

    event->moment = piece ? &piece->moment : NULL;
    if (!filterbind_accepts(reading->filter, event))
        return;
    key = key_of(pass->building, reading->key, event);
    to = indexkeys_at(&pass->part[worker], &key);
    if (to)
        plan_add_piece(&reading->plan, event->row, piece, to);
    else
        pass->no_memory[worker] = true;
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct pass *pass = context;
    const struct reading *reading = &pass->reading[batch->record->number];
    const struct thread_row *thread =
        threads_find(&pass->experiment->threads, batch->thread);
    struct filter_event event = { .thread = batch->thread };
    u32 slot;

    if (!reading->plan.nterms)
        return;
    event.tid = thread ? thread->tid : 0;
    slot = threads_slot(&pass->experiment->threads, batch->thread);
    for (u32 i = 0; i < batch->count; i++) {
        const struct slicer *s;

        event.row = batch->row + (u64)i * batch->record->nfields;
        if (!place(pass, &reading->plan, &event))
            continue;
        s = pieces_cut(&pass->pieces, &reading->plan, event.row, slot, batch->worker);
        if (!s)
            add_piece(pass, reading, batch->worker, &event, NULL);
        for (u32 k = 0; s && k < s->count; k++)
            add_piece(pass, reading, batch->worker, &event, &s->piece[k]);
    }
}

static int
open_reading(struct pass *pass, const struct schema_file *schema, u32 number)
{
    struct building *b = pass->building;
    struct reading *reading = &pass->reading[number];
    const struct schema_record *record = &schema->record[number];
    bool timeless;
    int ret;

    plan_make(&reading->plan, record, &pass->experiment->counters);
    if (!reading->plan.nterms)
        return 0;
    timeless = reading->plan.node < 0;
    ret = filterbind(b->session, pass->index, schema, record, timeless,
                     &reading->filter);
    for (u32 i = 0; i < b->nkeys && ret == 0; i++)
        ret = filterbind_expr(b->session, pass->index, schema, record, timeless,
                              b->expr[i], &b->tests, &reading->key[i]);
    return ret;
}

static void
pass_close(struct pass *pass)
{
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        filterbind_free(pass->reading[i].filter);
        for (u32 k = 0; k < INDEX_KEYS; k++)
            filterbind_free(pass->reading[i].key[k]);
    }
    for (u32 w = 0; w < WORKERS_MAX; w++)
        indexkeys_free(&pass->part[w]);
    pieces_close(&pass->pieces);
}

/*
 * Prepare to cut events that last into pieces, at the moments at which the value of the
 * filter or of a key changes.
 */
static int
open_pieces(struct pass *pass, enum er_file file, const struct record_source *source)
{
    int ret = 0;

    for (u32 i = 0; i < SCHEMA_KINDS && ret == 0; i++) {
        ret = pieces_add(&pass->pieces, pass->reading[i].filter);
        for (u32 k = 0; k < INDEX_KEYS && ret == 0; k++)
            ret = pieces_add(&pass->pieces, pass->reading[i].key[k]);
    }
    if (ret == 0)
        ret = pieces_open(&pass->pieces, pass->experiment, source);
    if (ret == 0 && file == FILE_profile && pieces_any(&pass->pieces) &&
        pass->building->def->scope == INDEX_MOMENTS) {
        pass->ordered = true;
        pass->workers = 1;
        ret = pieces_lanes(&pass->pieces, pass->experiment, source);
    }
    return ret;
}

static int
pass_open(struct pass *pass, const struct record_source *source, bool *any)
{
    static const enum pseudo_function func[RESIDUAL_PAUSED + 1] = {
        FUNC_UNATTRIBUTED, FUNC_STARTUP, FUNC_EXIT, FUNC_UNATTRIBUTED,
        FUNC_UNATTRIBUTED,
    };
    int ret = 0;

    pass->nodes = pass->experiment->nodes.count + 1;
    pass->workers = scan_workers(source, WORKERS_MAX);
    for (u32 i = 0; i <= RESIDUAL_PAUSED && ret == 0; i++)
        ret = stacks_pseudo(pass->building->session, func[i], &pass->pseudo[i]);
    if (ret == 0)
        ret = stacks_pseudo(pass->building->session, FUNC_WAIT, &pass->nowhere);
    for (u32 i = 0; i < SCHEMA_KINDS && ret == 0; i++) {
        ret = open_reading(pass, source->schema, i);
        *any |= pass->reading[i].plan.nterms != 0;
    }
    return ret;
}

/* Add up what the workers found, and convert ticks to ns. */
static int
merge_parts(struct pass *pass, const struct record_source *source)
{
    struct plan plan[SCHEMA_KINDS];
    double factor[METRIC_COUNT];
    bool scaled;
    double rate = clock_rate(&pass->experiment->clock) *
                  (double)((u64)1 << source->schema->time_shift);

    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        plan[i] = pass->reading[i].plan;
    if (experiment_totals(pass->experiment) < 0)
        return -ENOMEM;
    scaled = plan_factors(plan, &pass->experiment->counters, rate, factor);
    for (u32 w = 0; w < pass->workers; w++) {
        struct index_keys *part = &pass->part[w];

        if (pass->no_memory[w])
            return -ENOMEM;
        for (u32 i = 0; i < part->count; i++) {
            struct values *to = indexkeys_at(&pass->building->sums, &part->row[i].key);

            if (!to)
                return -ENOMEM;
            if (scaled)
                plan_scale(&part->row[i].value, 1, factor);
            values_add(to, &part->row[i].value);
            values_add(&pass->building->told, &part->row[i].value);
        }
    }
    return 0;
}

static int
index_file(struct building *b, u32 index, enum er_file file)
{
    struct pass pass = { .building = b, .index = index };
    struct record_sink sink = { on_batch, &pass, false };
    struct record_source source;
    bool any = false;
    int ret;

    pass.experiment = b->session->experiment[index];
    if (experiment_source(pass.experiment, file, &source) < 0)
        return 0;
    ret = pass_open(&pass, &source, &any);
    if (ret == 0 && any)
        ret = open_pieces(&pass, file, &source);
    sink.ordered = pass.ordered;
    if (ret == 0 && any)
        ret = records_scan(&source, &sink, pass.workers, NULL);
    if (ret == 0 && any)
        ret = wall_feed(pass.experiment, &source, &sink);
    if (ret == 0 && pieces_no_memory(&pass.pieces))
        ret = -ENOMEM;
    if (ret == 0 && any)
        ret = merge_parts(&pass, &source);
    pass_close(&pass);
    return ret;
}

/*
 * For sums of heap blocks: heap_key() gives a block the index of its row in
 * building.sums.
 */
struct heap_index {
    struct building *building;
    struct bound_filter *key[INDEX_KEYS];
    bool no_memory;
};

static u32
heap_key(void *context, const struct heap_block *block)
{
    struct heap_index *h = context;
    u64 row[HEAPSELECT_FIELDS];
    struct filter_event event = heapselect_event(block, row);
    struct index_key key = key_of(h->building, h->key, &event);

    if (!indexkeys_at(&h->building->sums, &key)) {
        h->no_memory = true;
        return 0;
    }
    return h->building->sums.last;
}

static int
index_blocks(struct building *b, u32 index, struct heap_index *h)
{
    struct heap_keys keys = { heap_key, h, false, NULL };
    struct bound_filter *filter = NULL;
    struct heap_scan scan = { 0 };
    int ret = heapselect_bind(b->session, index, &filter);

    for (u32 i = 0; i < INDEX_KEYS; i++)
        keys.leaks |= heapselect_needs_leaks(h->key[i]);
    if (ret == 0)
        ret = heapscan_run(b->session->experiment[index], filter, &keys, &scan);
    for (u32 i = 1; i < scan.count && ret == 0 && !h->no_memory; i++) {
        struct values values = heap_values(&scan.owner[i].part.sums,
                                           &scan.kept[i]);

        values_add(&b->sums.row[scan.owner[i].node].value, &values);
    }
    filterbind_free(filter);
    heapscan_free(&scan);
    return h->no_memory ? -ENOMEM : ret;
}

static int
index_heap(struct building *b, u32 index)
{
    struct heap_index h = { .building = b };
    int ret = 0;

    for (u32 i = 0; i < b->nkeys && ret == 0; i++)
        ret = heapselect_bind_expr(b->session, index, b->expr[i], &b->tests, &h.key[i]);
    if (ret == 0)
        ret = index_blocks(b, index, &h);
    for (u32 i = 0; i < INDEX_KEYS; i++)
        filterbind_free(h.key[i]);
    return ret == -ENOENT ? 0 : ret;
}

/* Add the CPU time that is in no record: the tally's CPU time less that in `told`. */
static int
index_rest(struct building *b, u32 index)
{
    static const enum metric cpu[] = { METRIC_total, METRIC_totalcpu, METRIC_user,
                                       METRIC_system };
    const struct tally_threads *threads = &b->session->tally->threads[index];
    struct filter_event event = { .pseudo = true };
    struct bound_filter *key[INDEX_KEYS] = { NULL };
    struct values rest = { { 0 } }, *to = NULL;
    struct index_key at;
    int ret = stacks_pseudo(b->session, FUNC_UNATTRIBUTED, &event.stack);

    for (u32 i = 0; i < threads->count; i++)
        values_add(&rest, &threads->value[i]);
    for (u32 i = 0; i < b->nkeys && ret == 0; i++)
        ret = filterbind_expr(b->session, index, NULL, NULL, true, b->expr[i],
                              &b->tests, &key[i]);
    if (ret == 0) {
        at = key_of(b, key, &event);
        to = indexkeys_at(&b->sums, &at);
    }
    for (u32 i = 0; i < ER_COUNT(cpu) && to; i++)
        to->v[cpu[i]] += rest.v[cpu[i]] - b->told.v[cpu[i]];
    for (u32 i = 0; i < INDEX_KEYS; i++)
        filterbind_free(key[i]);
    return ret < 0 || to ? ret : -ENOMEM;
}

static int
index_experiment(struct building *b, u32 index)
{
    int ret = 0;

    b->told = (struct values){ { 0 } };
    for (u32 f = 0; f < FILE_COUNT && ret == 0; f++)
        ret = index_file(b, index, f);
    if (ret == 0 && b->def->scope == INDEX_ALL)
        ret = index_rest(b, index);
    return ret == 0 ? index_heap(b, index) : ret;
}

static int
parse_keys(struct building *b, struct filter_error *error)
{
    int ret = 0;

    while (ret == 0 && b->nkeys < INDEX_KEYS && b->def->key[b->nkeys]) {
        ret = filterparse(b->session, b->def->key[b->nkeys], &b->expr[b->nkeys], error);
        b->nkeys += ret == 0;
    }
    return ret;
}

static int
compare(const void *a, const void *b)
{
    const struct index_key *x = &((const struct index_row *)a)->key;
    const struct index_key *y = &((const struct index_row *)b)->key;

    if (x->known != y->known)
        return x->known ? 1 : -1;
    for (u32 i = 0; i < INDEX_KEYS; i++)
        if (x->v[i] != y->v[i])
            return x->v[i] < y->v[i] ? -1 : 1;
    return 0;
}

/* Pass the sums on, without those that are 0. */
static void
settle(struct building *b, struct index_rows *out)
{
    struct index_rows rows = { .row = b->sums.row };

    for (u32 i = 0; i < b->sums.count; i++) {
        values_add(&rows.total, &rows.row[i].value);
        if (values_any(&rows.row[i].value))
            rows.row[rows.count++] = rows.row[i];
    }
    if (rows.count > 1)
        qsort(rows.row, rows.count, sizeof(*rows.row), compare);
    b->sums.row = NULL;
    *out = rows;
}

int
index_build(struct session *session, const struct index_def *def,
            struct index_rows *out, struct filter_error *error)
{
    struct building b = { .session = session, .def = def };
    int ret = parse_keys(&b, error);

    if (ret == 0 && def->scope == INDEX_ALL)
        ret = tally_make(session);
    if (ret == 0)
        ret = filterstack_make(session, b.expr, b.nkeys, &b.tests);
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = index_experiment(&b, i);
    if (ret == 0)
        settle(&b, out);
    for (u32 i = 0; i < INDEX_KEYS; i++)
        filterparse_free(b.expr[i]);
    filterstack_free(&b.tests);
    indexkeys_free(&b.sums);
    return ret;
}

void
index_free(struct index_rows *rows)
{
    free(rows->row);
    memset(rows, 0, sizeof(*rows));
}

static int
compare_values(const void *a, const void *b, void *context)
{
    const struct order *order = context;
    const struct index_row *x = a, *y = b;
    int64_t left = metric_value(&x->value, order->metric);
    int64_t right = metric_value(&y->value, order->metric);
    int c = left < right ? 1 : left > right ? -1 : 0;

    if (order->by != ORDER_METRIC)
        return order->reverse ? compare(b, a) : compare(a, b);
    if (order->reverse)
        c = -c;
    return c ? c : compare(a, b);
}

void
index_sort(struct index_rows *rows, const struct order *order)
{
    struct order copy = *order;

    if (rows->count > 1)
        qsort_r(rows->row, rows->count, sizeof(*rows->row), compare_values, &copy);
}
