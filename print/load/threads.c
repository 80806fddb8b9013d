/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdbool.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/record/fixed.h"

/* Offsets and sizes of the fields in a row. */
struct layout {
    struct fixed id, tid, birth, death, cpu_birth, cpu_last, seen, dropped, start;
    struct fixed instance, source, system_last, sync_calls, count_seen, count_dropped;
    struct fixed count_lost, count_throttled, sync_unheld;
    struct fixed off_seen, off_dropped, delay_birth, delay_last;
    struct fixed wait_since, wait_node, wait_state, self, kernel_seen;
    struct fixed trace_seen[TRACE_COUNT], trace_dropped[TRACE_COUNT];
    u32 name_at;
    bool has_name;
};

static int
find_layout(struct layout *l, const struct schema_record *record)
{
    int name = schema_find_field(record, "name");
    const struct {
        const char *name;
        struct fixed *field;
    } all[] = {
        { "tid", &l->tid },           { "birth", &l->birth },
        { "death", &l->death },       { "cpu_birth", &l->cpu_birth },
        { "cpu_last", &l->cpu_last }, { "seen", &l->seen },
        { "dropped", &l->dropped },   { "start", &l->start },
        { "instance", &l->instance }, { "source", &l->source },
        { "system_last", &l->system_last },
        { "kernel_seen", &l->kernel_seen },
        { "sync_calls", &l->sync_calls },
        { "sync_unheld", &l->sync_unheld },
        { "off_seen", &l->off_seen }, { "off_dropped", &l->off_dropped },
        { "delay_birth", &l->delay_birth }, { "delay_last", &l->delay_last },
        { "wait_since", &l->wait_since }, { "wait_node", &l->wait_node },
        { "wait_state", &l->wait_state }, { "self", &l->self },
        { "count_seen", &l->count_seen }, { "count_dropped", &l->count_dropped },
        { "count_lost", &l->count_lost },
        { "count_throttled", &l->count_throttled },
#define ER_TRACE(name, file, library, title, doc)           \
        { #name "_seen", &l->trace_seen[TRACE_##name] },    \
        { #name "_dropped", &l->trace_dropped[TRACE_##name] },
#include "share/traces.def"
#undef ER_TRACE
    };

    memset(l, 0, sizeof(*l));
    if (fixed_field(record, "id", &l->id) < 0)
        return -EINVAL;
    for (u32 i = 0; i < ER_COUNT(all); i++)
        if (fixed_field(record, all[i].name, all[i].field) < 0)
            all[i].field->bytes = 0;
    l->has_name = name >= 0 && record->field[name].encoding == ENC_CHAR16;
    if (l->has_name)
        l->name_at = schema_row_offset(record, (u32)name);
    return 0;
}

static void
read_row(const struct layout *l, const unsigned char *row, struct thread_row *out)
{
    memset(out, 0, sizeof(*out));
    out->id = (u32)fixed_get(row, l->id);
    out->tid = (u32)fixed_get(row, l->tid);
    out->birth = fixed_get(row, l->birth);
    out->death = fixed_get(row, l->death);
    out->cpu_birth = fixed_get(row, l->cpu_birth);
    out->cpu_last = fixed_get(row, l->cpu_last);
    out->system_last = fixed_get(row, l->system_last);
    out->seen = fixed_get(row, l->seen) + fixed_get(row, l->kernel_seen);
    out->dropped = fixed_get(row, l->dropped);
    for (int i = 0; i < TRACE_COUNT; i++) {
        out->trace_seen[i] = fixed_get(row, l->trace_seen[i]);
        out->trace_dropped[i] = fixed_get(row, l->trace_dropped[i]);
    }
    out->count_seen = fixed_get(row, l->count_seen);
    out->count_dropped = fixed_get(row, l->count_dropped);
    out->count_lost = fixed_get(row, l->count_lost);
    out->count_throttled = fixed_get(row, l->count_throttled);
    out->off_seen = fixed_get(row, l->off_seen);
    out->off_dropped = fixed_get(row, l->off_dropped);
    out->delay_birth = fixed_get(row, l->delay_birth);
    out->delay_last = fixed_get(row, l->delay_last);
    out->wait_since = fixed_get(row, l->wait_since);
    out->wait_node = (u32)fixed_get(row, l->wait_node);
    out->wait_state = (u32)fixed_get(row, l->wait_state);
    out->self = fixed_get(row, l->self);
    out->sync_calls = fixed_get(row, l->sync_calls);
    out->sync_unheld = fixed_get(row, l->sync_unheld);
    out->start = fixed_get(row, l->start);
    out->instance = (u32)fixed_get(row, l->instance);
    out->source = (u32)fixed_get(row, l->source);
    if (l->has_name)
        memcpy(out->name, row + l->name_at, 16);
}

static int
read_rows(struct threads *threads, const struct layout *l, const unsigned char *data,
          u64 rows, u32 bytes)
{
    u32 room = 0;

    for (u64 i = 0; i < rows; i++) {
        struct thread_row row;

        read_row(l, data + i * bytes, &row);
        /* A row whose id is not its number was never written completely: skip it. */
        if (row.id == 0 || row.id != i)
            continue;
        if (array_room(&threads->row, &room, threads->count + 1, sizeof(row)) < 0)
            return -ENOMEM;
        threads->row[threads->count++] = row;
        threads->id_max = row.id;
    }
    return 0;
}

int
threads_read(struct threads *out, const struct schema_file *file, const void *data,
             u64 size)
{
    const struct schema_record *record =
        file ? schema_find_record(file, "thread") : NULL;
    struct threads threads = { 0 };
    u32 bytes = record ? schema_row_bytes(record) : 0;
    struct layout layout;

    if (!bytes || find_layout(&layout, record) < 0)
        return -EINVAL;
    if (read_rows(&threads, &layout, data, size / bytes, bytes) < 0) {
        threads_free(&threads);
        return -ENOMEM;
    }
    *out = threads;
    return 0;
}

void
threads_free(struct threads *threads)
{
    free(threads->row);
    memset(threads, 0, sizeof(*threads));
}

const struct thread_row *
threads_find(const struct threads *threads, u32 id)
{
    u32 lo = 0, hi = threads->count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (threads->row[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < threads->count && threads->row[lo].id == id ? &threads->row[lo] : NULL;
}

void
threads_name(struct threads *threads, u32 id, const char *name)
{
    const struct thread_row *found = threads_find(threads, id);
    struct thread_row *row;

    if (!found)
        return;
    row = &threads->row[found - threads->row];
    if (row->is_java)
        return;
    row->is_java = true;
    snprintf(row->name, sizeof(row->name), "%s", name);
}

u32
threads_slot(const struct threads *threads, u32 id)
{
    const struct thread_row *row = threads_find(threads, id);

    return row ? (u32)(row - threads->row) + 1 : 0;
}

const struct thread_row *
threads_by_pointer(const struct threads *threads, u64 pointer, u64 mono)
{
    const struct thread_row *found = NULL;

    for (u32 i = 0; i < threads->count && pointer; i++) {
        const struct thread_row *t = &threads->row[i];

        if (t->self == pointer && t->birth <= mono &&
            (!found || t->birth > found->birth))
            found = t;
    }
    return found;
}
