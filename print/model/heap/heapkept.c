/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapkept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/heap/heapend.h"
#include "share/values.h"

_Static_assert((int)HEAP_UNKNOWN == (int)LEFT_UNKNOWN &&
                   (int)HEAP_REACHABLE == (int)LEFT_REACHABLE,
               "the classes of records, and one more");

static void
add(struct heap_count *to, u64 bytes)
{
    to->count++;
    to->bytes += bytes;
}

/*
 * Classify a block that was never freed. If it is newer than the scan, or not in its
 * results, its class is unknown.
 */
static void
sum_block(const struct heapend *end, const struct blocks *blocks,
          const struct block *block, u64 scanned, struct heap_scan *scan)
{
    struct block_info info = blocks_info(block);
    const struct heapend_run *run =
        info.time <= scanned ? heapend_find(end, block->addr) : NULL;
    const struct block *head;

    add(&scan->kept[info.owner].kind[run ? run->class : HEAP_UNKNOWN], info.size);
    if (!run || run->class != LEFT_INDIRECT)
        return;
    head = blocks_find(blocks, run->head);
    if (head)
        add(&scan->kept[blocks_info(head).owner].under, info.size);
}

/* Count what has no class yet as `rest`. */
static void
sum_rest(struct heap_scan *scan, enum heap_kind rest)
{
    for (u32 i = 0; i < scan->count; i++) {
        struct heap_count *kind = scan->kept[i].kind;
        u64 count = scan->owner[i].part.sums.leaks;
        u64 bytes = scan->owner[i].part.sums.leak_bytes;

        for (u32 k = 0; k < HEAP_KINDS; k++) {
            count -= kind[k].count;
            bytes -= kind[k].bytes;
        }
        kind[rest] = (struct heap_count){ count, bytes };
    }
}

/* Why it is not known which blocks were lost, in the words of the log. */
static const char *
why_unknown(const struct experiment *e)
{
    const struct log_event_row *event = log_last_event(&e->log, "heap_unknown");
    const char *why = event ? log_event_attr(event, "arg1") : NULL;
    const char *asked = log_fact(&e->log, "collect", "heap");

    if (why)
        return why;
    if (log_last_event(&e->log, "detached"))
        return "they lived when collect detached, and the process ran on";
    if (asked && !strcmp(asked, "noscan"))
        return "collect was told not to find out (-H noscan)";
    switch (e->state) {
    case EXPERIMENT_LIVE:
        return "the process still runs";
    case EXPERIMENT_COMPLETE:
        return "it was recorded without a scan at the end";
    default:
        return "collect ended before the process";
    }
}

/*
 * What has no class after the search for pointers: only mappings, if there was one;
 * else all blocks, too.
 */
static enum heap_kind
rest_of(const struct heap_process *process)
{
    if (process->scanned)
        return HEAP_MAPPED;
    return strcmp(process->why, ER_HEAP_EXEC) ? HEAP_UNKNOWN : HEAP_EXEC;
}

int
heapkept_sum(struct experiment *e, const struct blocks *blocks, u64 base,
             struct heap_scan *scan)
{
    u32 shift = e->file[FILE_heaptrace].schema->time_shift;
    struct heapend end;
    u64 scanned;
    int ret = heapend_read(e, &end);

    scan->kept = calloc(scan->count, sizeof(*scan->kept));
    if (ret == 0 && !scan->kept)
        ret = -ENOMEM;
    if (ret < 0) {
        heapend_free(&end);
        return ret;
    }
    scan->process.scanned = end.scanned;
    scan->process.ran_on = log_last_event(&e->log, "detached") != NULL;
    scan->process.why = end.scanned ? NULL : why_unknown(e);
    scanned = end.time >> shift;
    scanned = scanned > base ? scanned - base : 0;
    for (u64 i = 0; i < blocks->slots && end.scanned; i++)
        if (blocks->slot[i].owner)
            sum_block(&end, blocks, &blocks->slot[i], scanned, scan);
    sum_rest(scan, rest_of(&scan->process));
    heapend_free(&end);
    return 0;
}
