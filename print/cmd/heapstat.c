/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/heapstacks.h"

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
        table_number(t, least, heap_class_least(i));
        table_number(t, most, i ? heap_class_least(i + 1) - 1 : 0);
        heapsums_fill(&sums, &heap->class[i]);
    }
    return t;
}

int
cmd_heapstat(struct shell *sh, int argc, char **argv)
{
    const struct heap *heap;
    struct table *t;
    int err = heap_get(sh->session, &heap);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    if (!heapstacks_any(heap))
        return heapstacks_nothing(sh);
    t = make_processes(sh, argv[0], heap);
    table_follow(&t, make_sizes(argv[0], heap));
    return shell_show(sh, t);
}
