/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/heapfunctions.h"
#include "print/cmd/memory/heapstacks.h"
#include "print/model/pass/tally.h"

#include <stdlib.h>
#include <strings.h>

enum { /* default numbers of steps over time */
    STEPS = 60,
    STEPS_BY_FUNCTION = 10,
};

struct process_view {
    struct table *t;
    u32 name, peak_time, top_bytes, frees, refused, strange, unseen;
    u32 file_maps, file_bytes, reserved_maps, reserved_bytes;
    struct heapsums sums;
};

static void
process_columns(struct process_view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_BLOCKS);

    table_title(t, "Heap");
    v->name = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    v->top_bytes = table_column(t, "top_bytes", "Peak", "byte", COL_COUNT, 0);
    v->peak_time = table_column(t, "peak_time", "Time of the peak", "sec.", COL_NS, 0);
    heapsums_columns(&v->sums, t);
    v->frees = table_column(t, "ended", "Freed", "", COL_COUNT, 0);
    v->refused = table_column(t, "refused", "Calls that found no memory", "", COL_COUNT,
                              0);
    v->strange = table_column(t, "strange", "Frees of unknown blocks", "", COL_COUNT,
                              0);
    v->unseen = table_column(t, "unseen", "Blocks whose end was not seen", "",
                             COL_COUNT, 0);
    v->file_maps = table_column(t, "file_maps", "Mappings of files", "", COL_COUNT, 0);
    v->file_bytes = table_column(t, "file_bytes", "Their bytes", "", COL_COUNT,
                                 COL_BYTES);
    v->reserved_maps = table_column(t, "reserved_maps", "Mappings without access", "",
                                    COL_COUNT, 0);
    v->reserved_bytes = table_column(t, "reserved_bytes", "Bytes of these", "",
                                     COL_COUNT, COL_BYTES);
}

static void
process_row(const struct process_view *v, const char *path,
            const struct heap_process *p)
{
    struct table *t = v->t;

    table_row(t, 0);
    table_text(t, v->name, path);
    table_number(t, v->top_bytes, p->peak_bytes);
    table_number(t, v->peak_time, p->peak_time);
    heapsums_fill(&v->sums, &p->total);
    table_number(t, v->frees, p->total.ended);
    table_number(t, v->refused, p->refused);
    table_number(t, v->strange, p->strange);
    table_number(t, v->unseen, p->unseen);
    table_number(t, v->file_maps, p->file_maps);
    table_number(t, v->file_bytes, p->file_bytes);
    table_number(t, v->reserved_maps, p->reserved_maps);
    table_number(t, v->reserved_bytes, p->reserved_bytes);
}

static struct table *
make_processes(struct shell *sh, const char *command, const struct heap *heap)
{
    struct process_view v;

    process_columns(&v, command);
    for (u32 i = 0; i < heap->nprocesses; i++)
        if (heap->process[i].recorded)
            process_row(&v, sh->session->experiment[i]->path, &heap->process[i]);
    return v.t;
}

static struct table *
make_sizes(const char *command, const struct heap *heap)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    struct heapsums sums;
    u32 least, most;

    table_title(t, "Blocks by size");
    least = table_column(t, "least", "From", "byte", COL_COUNT, 0);
    most = table_column(t, "most", "To", "byte", COL_COUNT, 0);
    heapsums_columns(&sums, t);
    for (u32 i = 0; i < HEAP_CLASSES; i++) {
        if (!heap->class[i].calls)
            continue;
        table_row(t, 0);
        table_number(t, least, heapsums_class_least(i));
        table_number(t, most, i ? heapsums_class_least(i + 1) - 1 : 0);
        heapsums_fill(&sums, &heap->class[i]);
    }
    return t;
}

struct time_view {
    struct table *t;
    u32 experiment, from, to, most, left;
    u32 steps; /* at most, of each process */
};

/* Add rows, each of which stands for several steps of the model. */
static void
add_steps(const struct time_view *v, const char *path, const struct heap_process *p)
{
    u32 each = (p->steps + v->steps - 1) / v->steps;
    u64 from = p->first;

    for (u32 i = 0; i < p->steps; i += each) {
        u32 end = i + each < p->steps ? i + each : p->steps;
        u64 most = 0;

        for (u32 k = i; k < end; k++)
            most = p->step[k].most > most ? p->step[k].most : most;
        table_row(v->t, 0);
        table_text(v->t, v->experiment, path);
        table_number(v->t, v->from, from);
        table_number(v->t, v->to, p->step[end - 1].end);
        table_number(v->t, v->most, most);
        table_number(v->t, v->left, p->step[end - 1].left);
        from = p->step[end - 1].end;
    }
}

static int
by_peak(const void *a, const void *b)
{
    const struct heap_process *const *x = a, *const *y = b;

    if ((*x)->peak_bytes != (*y)->peak_bytes)
        return (*x)->peak_bytes < (*y)->peak_bytes ? 1 : -1;
    return *x < *y ? -1 : *x > *y;
}

static int
show_time(struct shell *sh, const char *command, const struct heap *heap,
          const struct heap_process **order, u32 count, u32 steps)
{
    struct time_view v = { .t = table_new(command, LAYOUT_COLUMNS), .steps = steps };
    u32 shown = 0;

    table_title(v.t, "Heap over time, of all blocks of a process");
    v.from = table_column(v.t, "from", "From", "sec.", COL_NS, 0);
    v.to = table_column(v.t, "to", "To", "sec.", COL_NS, 0);
    v.most = table_column(v.t, "most", "Held at most", "byte", COL_COUNT, 0);
    v.left = table_column(v.t, "left", "At the end", "byte", COL_COUNT, 0);
    v.experiment = table_column(v.t, "experiment", "Experiment", "", COL_TEXT, 0);
    for (; shown < count && (!sh->limit || v.t->nrows < sh->limit); shown++)
        add_steps(&v, sh->session->experiment[order[shown] - heap->process]->path,
                  order[shown]);
    for (; shown < count; shown++)
        v.t->nleft_out += order[shown]->steps < steps ? order[shown]->steps : steps;
    return shell_show(sh, v.t);
}

/* Show the steps of all processes; the process that held most comes first. */
static int
show_steps(struct shell *sh, const char *command, const struct heap *heap,
           bool by_function, u32 steps)
{
    const struct heap_process **order = calloc(heap->nprocesses + 1, sizeof(*order));
    u32 count = 0;
    int status;

    if (!order)
        return shell_fail(sh, "there is no memory");
    for (u32 i = 0; i < heap->nprocesses; i++)
        if (heap->process[i].steps)
            order[count++] = &heap->process[i];
    qsort(order, count, sizeof(*order), by_peak);
    status = by_function ? heapfunctions_show(sh, command, heap, order, count, steps)
                         : show_time(sh, command, heap, order, count, steps);
    free(order);
    return status;
}

int
cmd_heapstat(struct shell *sh, int argc, char **argv)
{
    bool by_function = argc > 1 && !strcasecmp(argv[1], "functions");
    bool time = by_function || (argc > 1 && !strcasecmp(argv[1], "time"));
    u64 steps = by_function ? STEPS_BY_FUNCTION : STEPS;
    const struct heap *heap;
    struct table *t;
    int err;

    if (argc > 1 && !time)
        return shell_fail(sh, "\"%s\" is neither time nor functions", argv[1]);
    if (argc > 2)
        steps = strtoul(argv[2], NULL, 10);
    if (!steps)
        return shell_fail(sh, "\"%s\" is not a number of steps", argv[2]);
    err = tally_heap(sh->session, &heap);
    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    if (!heapstacks_any(heap))
        return heapstacks_nothing(sh);
    if (time)
        return show_steps(sh, argv[0], heap, by_function,
                          steps > UINT16_MAX ? UINT16_MAX : (u32)steps);
    t = make_processes(sh, argv[0], heap);
    table_follow(&t, make_sizes(argv[0], heap));
    return shell_show(sh, t);
}
