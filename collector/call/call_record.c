/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes records of the real functions that were found for -T, and of how many slots
 * lead to each.
 */
#include <string.h>

#include "collector/call/call.h"

static u32 owner; /* id of the process that has given the numbers of texts */

void
call_record_begin(void)
{
    owner = 0;
}

void
call_record_target(struct trace_scope *s, struct call_target *target)
{
    const struct call_function *f = target->function;
    struct trace *trace = &s->t->trace[TRACE_call];
    u64 ticks = trace_before();
    u32 slots = __atomic_load_n(&target->slots, __ATOMIC_RELAXED);
    struct rec_callee r = {
        .time = ticks >> SHIFT_calltrace,
        .id = (u32)(target - call_targets) + 1,
        .addr = target->real,
        .slots = slots,
        .row = { f->row, f->row_len },
    };
    struct chunk_writer *w;

    if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != *trace_services->pid) {
        __atomic_store_n(&owner, *trace_services->pid, __ATOMIC_RELAXED);
        call_text_forget();
    }
    w = trace_open_for(s, trace, FILE_calltrace, ticks, TRACE_BYTES + f->row_len);
    if (!w)
        return;
    trace_close_as(s, trace, w, rec_put_callee(&w->codec, trace_at(w), &r), 0);
    target->noted_slots = slots;
    __atomic_store_n(&target->noted, *trace_services->pid, __ATOMIC_RELAXED);
}
