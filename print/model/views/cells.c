/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/hash.h"
#include "print/load/wall.h"
#include "print/model/filter/filterbind.h"
#include "print/model/heap/heap.h"
#include "print/model/heap/heapscan.h"
#include "print/model/pass/pieces.h"
#include "print/model/pass/plan.h"
#include "print/model/pass/tally.h"
#include "print/model/views/celllanes.h"
#include "print/model/views/cellsort.h"
#include "print/model/views/cellwidth.h"

enum {
    AHEAD = 16,      /* records whose cells are prefetched at a time */
    LARGE = 1 << 12,  /* cells; from here on they do not fit into a cache */
};

/* One file of one experiment. */
struct pass {
    struct session *session;
    struct experiment *experiment;
    struct cells *cells;
    u32 index;
    u32 nodes;
    u32 pseudo[RESIDUAL_PAUSED + 1];
    u32 nowhere; /* stack node of WALL_NODE */
    bool cpu;    /* tally_has_cpu(); if not, residuals are left out */
    bool wall;   /* its waits are clock records (of kind "off") */
    double rate; /* ns of a unit of record times */
    int processor; /* field of clock hits; -1 = they have none */
    struct plan plan[SCHEMA_KINDS];
    u64 bound[CELLS_STEPS + 1]; /* record times at which steps begin */
    struct pieces pieces;       /* cuts events that last at the bounds of steps */
    struct cellset thread[PIECES_WORKERS]; /* cells of the thread that is read */
    struct cellset part[PIECES_WORKERS];   /* of threads that were read before */
    struct cellset times[PIECES_WORKERS]; /* like `part`, without threads, once that
                                             has longer steps */
    u32 workers;
    bool no_memory[PIECES_WORKERS];
};

/* The step of a record time. */
static u32
step_of(const struct pass *pass, u64 time)
{
    const u64 *bound = pass->bound;
    double span = (double)(bound[CELLS_STEPS] - bound[0]);
    u32 at;

    if (time < bound[1])
        return 0;
    if (time >= bound[CELLS_STEPS - 1])
        return CELLS_STEPS - 1;
    at = (u32)((double)(time - bound[0]) / span * CELLS_STEPS);
    at = at < CELLS_STEPS ? at : CELLS_STEPS - 1;
    while (bound[at] > time)
        at--;
    while (bound[at + 1] <= time)
        at++;
    return at;
}

/* Add a record, or a piece of its event, to the lanes. */
static void
add_lanes(struct pass *pass, const struct plan *plan, const u64 *row,
          const struct piece *piece, u32 thread, u32 step)
{
    struct lanes *lanes = &pass->cells->lanes;
    size_t at = ((size_t)thread * lanes->steps + (step >> lanes->shift)) * LANE_STATES;

    for (u32 i = 0; i < plan->nterms; i++) {
        const struct plan_term *term = &plan->term[i];
        int state = celllanes_state(term->metric, pass->wall);
        u64 ns;

        if (state < 0 || !plan_term_matches(term, row) || term->value < 0)
            continue;
        ns = plan_value(term, row, piece);
        if (term->ticks)
            ns = clock_scaled(ns, pass->rate);
        __atomic_fetch_add(&lanes->ns[at + (u32)state], ns, __ATOMIC_RELAXED);
    }
}

/* Add a clock hit to its processor's lane; clock hits are not cut into pieces. */
static void
add_cpu(const struct pass *pass, const struct plan *plan, const u64 *row, u32 step)
{
    const struct cells *cells = pass->cells;
    bool known = plan->hit && plan->weight >= 0 && pass->processor >= 0;
    u64 cpu = known ? row[pass->processor] : cells->cpus.count;

    if (cpu < cells->cpus.count)
        __atomic_fetch_add(&cells->cpus.ns[cpu * cells->lanes.steps +
                                           (step >> cells->lanes.shift)],
                           row[plan->weight], __ATOMIC_RELAXED);
}

/*
 * Find a record's stack: a node id of the experiment; or a higher number, which stands
 * for WALL_NODE or a kind of residual, and which session_node() converts. false: it
 * does not count.
 */
static bool
place(const struct pass *pass, const struct plan *plan, const u64 *row, u32 *node)
{
    u64 kind;

    if (plan->node >= 0) {
        u64 id = row[plan->node];

        *node = id == WALL_NODE ? pass->nodes : id < pass->nodes ? (u32)id : 0;
        return true;
    }
    kind = plan->kind < 0 ? 0 : row[plan->kind];
    if (kind == RESIDUAL_PAUSED || !pass->cpu)
        return false;
    *node = pass->nodes + 1 + (u32)(kind < RESIDUAL_PAUSED ? kind : 0);
    return true;
}

/* A worker has read all records of a thread: move the thread's cells to pass->part. */
static void
end_thread(struct pass *pass, u32 worker)
{
    struct cellset *thread = &pass->thread[worker];

    if (thread->count && cellsort_merge(&pass->part[worker], thread) < 0)
        pass->no_memory[worker] = true;
}

/* Add a record, or a piece of its event, to the cell of its step. */
static void
add_piece(struct pass *pass, const struct plan *plan, const u64 *row,
          const struct piece *piece, struct cells_key cell, u32 worker)
{
    struct cellset *to = &pass->thread[worker];
    u32 at;

    if (plan->node >= 0 && plan->time >= 0) {
        cell.step = step_of(pass, piece ? piece->moment : row[plan->time]);
        add_lanes(pass, plan, row, piece, pass->cells->first[pass->index] + cell.thread,
                  cell.step);
        add_cpu(pass, plan, row, cell.step);
    }
    /*
     * `to` must not reach its budget, and get longer steps: pass->times needs short
     * ones.
     */
    if (to->count > to->budget / 2)
        end_thread(pass, worker);
    at = cellsort_at(to, cell);
    if (at != CELL_NONE && plan_add_row(plan, row, piece, &to->value, at) < 0)
        at = CELL_NONE;
    pass->no_memory[worker] |= at == CELL_NONE;
}

/*
 * Prefetch the cells of the next AHEAD records, so that these loads wait for memory at
 * the same time, and not one after another.
 */
static void
expect(const struct pass *pass, const struct plan *plan, const struct batch *batch,
       u32 from, struct cells_key cell)
{
    const struct cellset *to = &pass->thread[batch->worker];
    u32 count = batch->count - from < AHEAD ? batch->count - from : AHEAD;
    const struct cells_slot *slot[AHEAD];

    if (to->count < LARGE || plan->node < 0 || plan->time < 0)
        return;
    for (u32 i = 0; i < count; i++) {
        const u64 *row = batch->row + (size_t)(from + i) * batch->record->nfields;

        place(pass, plan, row, &cell.node);
        cell.step = step_of(pass, row[plan->time]);
        slot[i] = cellsort_expect(to, cell);
    }
    for (u32 i = 0; i < count; i++)
        cellsort_expect_row(to, slot[i]);
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct pass *pass = context;
    const struct plan *plan = &pass->plan[batch->record->number];
    const struct cellset *thread = &pass->thread[batch->worker];
    struct cells_key cell = { .step = CELLS_TIMELESS };

    if (!plan->nterms)
        return;
    cell.thread = threads_slot(&pass->experiment->threads, batch->thread);
    if (thread->count && thread->cell[0].thread != cell.thread)
        end_thread(pass, batch->worker);
    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;
        const struct slicer *s = NULL;

        if (i % AHEAD == 0)
            expect(pass, plan, batch, i, cell);
        if (!place(pass, plan, row, &cell.node))
            continue;
        if (plan->node >= 0 && plan->time >= 0)
            s = pieces_cut(&pass->pieces, plan, row, cell.thread, batch->worker);
        if (!s)
            add_piece(pass, plan, row, NULL, cell, batch->worker);
        for (u32 k = 0; s && k < s->count; k++)
            add_piece(pass, plan, row, &s->piece[k], cell, batch->worker);
    }
}

static void
pass_close(struct pass *pass)
{
    for (u32 i = 0; i < PIECES_WORKERS; i++) {
        cellsort_close(&pass->thread[i]);
        cellsort_close(&pass->part[i]);
        cellsort_close(&pass->times[i]);
    }
    pieces_close(&pass->pieces);
}

static void
open_part(struct pass *pass, u32 worker)
{
    struct cellset *part = &pass->part[worker], *times = &pass->times[worker];

    cellsort_open(&pass->thread[worker], pass->cells->set.budget, false);
    pass->thread[worker].one_thread = true;
    cellsort_open(part, pass->cells->set.budget, false);
    cellsort_open(times, pass->cells->times.budget, true);
    part->times = times;
}

static void
set_bounds(struct pass *pass, u32 time_shift)
{
    const struct experiment *e = pass->experiment;

    for (u32 i = 0; i <= CELLS_STEPS; i++)
        pass->bound[i] =
            clock_first(&e->clock, e->origin_mono + i * pass->cells->width, time_shift);
    pass->rate = clock_rate(&e->clock) * (double)((u64)1 << time_shift);
}

static int
pass_open(struct pass *pass, const struct record_source *source, bool *any)
{
    static const enum pseudo_function func[RESIDUAL_PAUSED + 1] = {
        FUNC_UNATTRIBUTED, FUNC_STARTUP, FUNC_EXIT, FUNC_UNATTRIBUTED,
        FUNC_UNATTRIBUTED,
    };
    int ret = experiment_clock(pass->experiment);

    if (ret == 0)
        ret = experiment_totals(pass->experiment);
    for (u32 i = 0; i <= RESIDUAL_PAUSED && ret == 0; i++)
        ret = stacks_pseudo(pass->session, func[i], &pass->pseudo[i]);
    if (ret == 0)
        ret = stacks_pseudo(pass->session, FUNC_WAIT, &pass->nowhere);
    if (ret < 0)
        return ret;
    pass->nodes = pass->experiment->nodes.count + 1;
    pass->wall = wall_is_there(pass->experiment);
    pass->cpu = tally_has_cpu(pass->experiment);
    pass->workers = scan_workers(source, PIECES_WORKERS);
    set_bounds(pass, source->schema->time_shift);
    pass->processor = -1;
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        plan_make(&pass->plan[i], &source->schema->record[i],
                  &pass->experiment->counters);
        if (pass->plan[i].hit)
            pass->processor = schema_find_number(&source->schema->record[i], "cpu");
        *any |= pass->plan[i].nterms != 0;
    }
    for (u32 i = 1; i < CELLS_STEPS && ret == 0; i++)
        ret = cuts_add(&pass->pieces.cuts, pass->bound[i]);
    if (ret == 0)
        ret = pieces_open(&pass->pieces, pass->experiment, source);
    for (u32 i = 0; i < pass->workers; i++)
        open_part(pass, i);
    return ret;
}

/* Convert a number from place() to the session's node. */
static int
session_node(struct pass *pass, u32 id, u32 *node)
{
    if (id < pass->nodes)
        return stacks_of(pass->session, pass->index, id, node);
    *node = id == pass->nodes ? pass->nowhere : pass->pseudo[id - pass->nodes - 1];
    return 0;
}

/*
 * Convert the key of cell i of a part to the session's; its step in the shortest unit.
 */
static int
session_cell(struct pass *pass, const struct cellset *part, u32 i,
             struct cells_key *cell)
{
    *cell = part->cell[i];
    cell->thread += pass->cells->first[pass->index];
    if (cell->step != CELLS_TIMELESS)
        cell->step <<= part->shift;
    return session_node(pass, cell->node, &cell->node);
}

/* Add a part to cells->times, which is needed if cells->set ends with one step. */
static int
merge_times(struct pass *pass, const struct cellset *part)
{
    struct cellset *to = &pass->cells->times;
    int ret = cellsort_coarsen(to, part->shift);

    if (ret == 0)
        ret = grid_want_all(&to->value, &part->value);
    for (u32 i = 0; i < part->count && ret == 0; i++) {
        struct cells_key cell;
        u32 at;

        if (!grid_any(&part->value, i))
            continue;
        ret = session_cell(pass, part, i, &cell);
        at = ret == 0 ? cellsort_at_time(to, cell, 0) : CELL_NONE;
        if (at == CELL_NONE)
            ret = -ENOMEM;
        else
            grid_add_other(&to->value, at, &part->value, i);
    }
    return ret;
}

static int
merge_part(struct pass *pass, u32 worker)
{
    const struct cellset *part = &pass->part[worker], *times = &pass->times[worker];
    struct cellset *to = &pass->cells->set;
    int ret = grid_want_all(&to->value, &part->value);

    if (to->least < part->shift)
        to->least = part->shift;
    for (u32 i = 0; i < part->count && ret == 0; i++) {
        struct cells_key cell;
        u32 at;

        if (!grid_any(&part->value, i))
            continue;
        ret = session_cell(pass, part, i, &cell);
        at = ret == 0 ? cellsort_append(to, cell) : CELL_NONE;
        if (at == CELL_NONE)
            ret = -ENOMEM;
        else
            grid_add_other(&to->value, at, &part->value, i);
    }
    return ret < 0 ? ret : merge_times(pass, times->count ? times : part);
}

static int
add_file(struct session *session, struct cells *cells, u32 index, enum er_file file)
{
    struct pass *pass = calloc(1, sizeof(*pass));
    struct record_sink sink = { on_batch, pass, false };
    double factor[METRIC_COUNT];
    struct record_source source;
    bool any = false, scaled;
    int ret = 0;

    if (!pass)
        return -ENOMEM;
    pass->session = session;
    pass->experiment = session->experiment[index];
    pass->cells = cells;
    pass->index = index;
    if (experiment_source(pass->experiment, file, &source) == 0)
        ret = pass_open(pass, &source, &any);
    if (ret == 0 && any)
        ret = records_scan(&source, &sink, pass->workers, NULL);
    if (ret == 0 && any)
        ret = wall_feed(pass->experiment, &source, &sink);
    scaled = any && plan_factors(pass->plan, &pass->experiment->counters, pass->rate,
                                 factor);
    if (pieces_no_memory(&pass->pieces))
        ret = -ENOMEM;
    for (u32 w = 0; w < pass->workers && ret == 0 && any; w++) {
        end_thread(pass, w);
        if (scaled) {
            grid_scale(&pass->part[w].value, factor);
            grid_scale(&pass->times[w].value, factor);
        }
        ret = pass->no_memory[w] ? -ENOMEM : merge_part(pass, w);
    }
    pass_close(pass);
    free(pass);
    return ret;
}

/*
 * The number of the cell to which a heap block is added: that of the stack and the time
 * of its allocation.
 */
static u32
heap_key(void *context, const struct heap_block *block)
{
    struct pass *pass = context;
    struct cells_key cell = {
        .node = block->node < pass->nodes ? block->node : 0,
        .thread = threads_slot(&pass->experiment->threads, block->thread),
        .step = step_of(pass, block->time),
    };
    u32 at = cellsort_at(&pass->part[0], cell);

    pass->no_memory[0] |= at == CELL_NONE;
    return at == CELL_NONE ? 0 : at;
}

static int
add_blocks(struct pass *pass)
{
    struct heap_keys keys = { heap_key, pass, false, NULL };
    struct heap_scan scan = { 0 };
    int ret = heapscan_run(pass->experiment, NULL, &keys, &scan);

    for (u32 i = 1; i < scan.count && ret == 0 && !pass->no_memory[0]; i++) {
        struct values values = heap_values(&scan.owner[i].part.sums,
                                           &scan.kept[i]);

        ret = grid_add(&pass->part[0].value, scan.owner[i].node, &values);
    }
    heapscan_free(&scan);
    if (ret == 0)
        ret = pass->no_memory[0] ? -ENOMEM : merge_part(pass, 0);
    return ret == -ENOENT ? 0 : ret;
}

static int
add_heap(struct session *session, struct cells *cells, u32 index)
{
    struct pass *pass = calloc(1, sizeof(*pass));
    struct record_source source;
    int ret;

    if (!pass)
        return -ENOMEM;
    pass->session = session;
    pass->experiment = session->experiment[index];
    pass->cells = cells;
    pass->index = index;
    cellsort_open(&pass->part[0], UINT32_MAX, false); /* so cells keep their indices */
    pass->nodes = pass->experiment->nodes.count + 1;
    ret = experiment_source(pass->experiment, FILE_heaptrace, &source);
    if (ret == 0)
        ret = experiment_clock(pass->experiment);
    if (ret == 0) {
        set_bounds(pass, source.schema->time_shift);
        ret = add_blocks(pass);
    }
    pass_close(pass);
    free(pass);
    return ret == -ENOENT ? 0 : ret;
}

/*
 * Add the CPU time that is in no record (<exit> and <unattributed>), to no thread and
 * without a time.
 */
static int
add_rest(struct session *session, struct cells *cells, u32 index)
{
    static const enum pseudo_function func[] = { FUNC_EXIT, FUNC_UNATTRIBUTED };
    const struct tally_threads *threads = &session->tally->threads[index];

    for (u32 i = 0; i < ER_COUNT(func); i++) {
        struct cells_key cell = { .thread = cells->first[index],
                                  .step = CELLS_TIMELESS };
        const struct values *rest = i ? &threads->rest : &threads->exit;
        u32 at;

        if (!values_any(rest) || !tally_has_cpu(session->experiment[index]))
            continue;
        if (stacks_pseudo(session, func[i], &cell.node) < 0)
            return -ENOMEM;
        at = cellsort_append(&cells->set, cell);
        if (at == CELL_NONE || grid_add(&cells->set.value, at, rest) < 0)
            return -ENOMEM;
        at = cellsort_at_time(&cells->times, cell, 0);
        if (at == CELL_NONE || grid_add(&cells->times.value, at, rest) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int
cells_open(struct session *session, struct cells *cells)
{
    u64 longest = 1;

    cells->first = calloc((size_t)session->nexperiments + 1, sizeof(*cells->first));
    if (!cells->first)
        return -ENOMEM;
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct experiment *e = session->experiment[i];
        u64 ns = experiment_since(e, e->end_mono);

        longest = ns > longest ? ns : longest;
        cells->first[i + 1] = cells->first[i] + e->threads.count + 1;
    }
    cells->width = cellwidth(longest / CELLS_STEPS + 1);
    return celllanes_open(session, cells->first[session->nexperiments], &cells->lanes,
                          &cells->cpus);
}

int
cells_build(struct session *session, u32 budget, struct cells *out)
{
    struct cells cells = { 0 };
    int ret = tally_make(session);

    cellsort_open(&cells.set, budget, false);
    cellsort_open(&cells.times, budget / 2, true);
    if (ret == 0)
        ret = cells_open(session, &cells);
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++) {
        for (u32 f = 0; f < FILE_COUNT && ret == 0; f++)
            ret = add_file(session, &cells, i, f);
        if (ret == 0)
            ret = add_heap(session, &cells, i);
        if (ret == 0)
            ret = add_rest(session, &cells, i);
    }
    if (ret == 0)
        ret = cellsort_sort(&cells.set);
    if (ret == 0 && cellsort_is_coarsest(&cells.set))
        ret = cellsort_sort(&cells.times);
    else
        cellsort_close(&cells.times);
    if (ret < 0)
        cells_free(&cells);
    else
        *out = cells;
    return ret;
}

void
cells_free(struct cells *cells)
{
    cellsort_close(&cells->set);
    cellsort_close(&cells->times);
    free(cells->first);
    free(cells->lanes.ns);
    free(cells->cpus.ns);
    memset(cells, 0, sizeof(*cells));
}
