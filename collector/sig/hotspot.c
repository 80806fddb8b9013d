/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hotspot.h"

#include <errno.h>
#include <string.h>

#include "collector/sig/regs.h"

enum {
    HEAPS = 8,
    HOPS = 1 << 14, /* maximum number of steps to a block's first segment */
    SEGMENT_FREE = 0xff,
    FRAME_BYTES = 1 << 20, /* larger frames are not believed */
};

/* A part of the memory for code. Its committed size never shrinks. */
struct heap {
    u64 lo; /* [lo, hi): reserved */
    u64 hi;
    u64 high_at; /* address of the VM's pointer to the end of what is committed */
    u64 segmap;
    u32 log2;
};

struct hotspot_layout hotspot_layout;
u64 hotspot_heap_frames;
int (*hotspot_find_method)(struct mem *m, u64 address, struct hotspot_method *method);
static ER_LARGE struct heap heaps[HEAPS];
static u32 nheaps;  /* 0 = not found yet */
static u64 length_at; /* address of the number of heaps, once that is known */
static u32 present;
static u64 interpreter_lo, interpreter_hi;

void
hotspot_set(const struct hotspot_layout *l)
{
    hotspot_layout = *l;
    __atomic_store_n(&present, 1, __ATOMIC_RELEASE);
}

static u64
load_u64(u64 at)
{
    return __atomic_load_n((const u64 *)(uintptr_t)at, __ATOMIC_RELAXED);
}

static u32
load_u32(u64 at)
{
    return __atomic_load_n((const u32 *)(uintptr_t)at, __ATOMIC_RELAXED);
}

static u32
load_u8(u64 at)
{
    return __atomic_load_n((const unsigned char *)(uintptr_t)at, __ATOMIC_RELAXED);
}

/* Read the bounds of a heap. 0, or -EAGAIN: the VM has not created it yet. */
static int
read_heap(struct mem *m, u64 object, struct heap *heap)
{
    const struct hotspot_layout *l = &hotspot_layout;
    u64 memory = object + l->heap_memory, word;

    if (!object || !mem_load(m, memory + l->space_low_boundary, &heap->lo) ||
        !mem_load(m, memory + l->space_high_boundary, &heap->hi) ||
        !mem_load(m, object + l->heap_segmap + l->space_low, &heap->segmap) ||
        !mem_load(m, object + l->heap_log2, &word))
        return -EAGAIN;
    heap->log2 = (u32)word;
    heap->high_at = memory + l->space_high;
    return heap->lo && heap->hi > heap->lo && heap->segmap && heap->log2 >= 4 &&
                   heap->log2 <= 16
               ? 0
               : -EAGAIN;
}

/*
 * Find the VM's heaps for code. Several handlers may do this at once: all write the
 * same values.
 */
static void
find_heaps(void)
{
    struct mem m;
    u64 array, length, data, object;
    u32 n = 0;

    mem_init(&m, 0, 0);
    if (!hotspot_layout.heaps_at) {
        n = !read_heap(&m, load_u64(hotspot_layout.heap_at), &heaps[0]);
    } else {
        array = load_u64(hotspot_layout.heaps_at);
        if (!array || !mem_load(&m, array + hotspot_layout.array_length, &length) ||
            !mem_load(&m, array + hotspot_layout.array_data, &data))
            return;
        for (u32 i = 0; i < (u32)length && n < HEAPS; i++)
            if (mem_load(&m, data + 8 * i, &object) &&
                !read_heap(&m, object, &heaps[n]))
                n++;
        if (n != (u32)length)
            return; /* some are not there yet */
        __atomic_store_n(&length_at, array + hotspot_layout.array_length,
                         __ATOMIC_RELAXED);
    }
    __atomic_store_n(&nheaps, n, __ATOMIC_RELEASE);
}

static const struct heap *
find_known_heap(u64 pc)
{
    u32 n = __atomic_load_n(&nheaps, __ATOMIC_ACQUIRE);

    for (u32 i = 0; i < n; i++)
        if (pc - heaps[i].lo < heaps[i].hi - heaps[i].lo)
            return &heaps[i];
    return NULL;
}

/*
 * 1 if all heaps are known. The VM creates them one by one at its start, when hooks
 * already walk stacks.
 */
static int
are_all_known(void)
{
    u32 n = __atomic_load_n(&nheaps, __ATOMIC_RELAXED);
    u64 at = __atomic_load_n(&length_at, __ATOMIC_RELAXED);

    return n && (!at || n == HEAPS || n == load_u32(at));
}

static const struct heap *
find_heap(u64 pc)
{
    const struct heap *heap;

    if (!__atomic_load_n(&present, __ATOMIC_ACQUIRE))
        return NULL;
    heap = find_known_heap(pc);
    if (ER_LIKELY(heap != NULL) || are_all_known())
        return heap;
    find_heaps();
    return find_known_heap(pc);
}

int
hotspot_holds(u64 pc)
{
    return find_heap(pc) != NULL;
}

/*
 * The address of the block that holds pc, 0 = none. The map leads from any segment back
 * to its block's first one.
 */
static u64
find_block(const struct heap *heap, u64 pc)
{
    const unsigned char *map = (const unsigned char *)(uintptr_t)heap->segmap;
    u64 segment = (pc - heap->lo) >> heap->log2;

    if (map[segment] == SEGMENT_FREE)
        return 0;
    for (u32 i = 0; map[segment]; i++) {
        if (i == HOPS || map[segment] > segment || map[segment] == SEGMENT_FREE)
            return 0;
        segment -= map[segment];
    }
    return heap->lo + (segment << heap->log2);
}

/*
 * 1 if pc is in the interpreter's code. The VM creates it once, early, so its address
 * range is read only once.
 */
static int
is_interpreter(u64 pc)
{
    u64 hi = __atomic_load_n(&interpreter_hi, __ATOMIC_ACQUIRE);

    if (ER_UNLIKELY(!hi)) {
        struct mem m;
        u64 queue = load_u64(hotspot_layout.interpreter_at), buffer, limit;

        mem_init(&m, 0, 0);
        if (!queue || !mem_load(&m, queue + hotspot_layout.queue_buffer, &buffer) ||
            !mem_load(&m, queue + hotspot_layout.queue_limit, &limit))
            return 0;
        hi = buffer + (u32)limit;
        interpreter_lo = buffer;
        __atomic_store_n(&interpreter_hi, hi, __ATOMIC_RELEASE);
    }
    return pc >= interpreter_lo && pc < hi;
}

/*
 * 1 if the blob's name begins with `name`. The VM gives all compiled methods one name,
 * and all native ones another.
 */
static int
has_name(u64 blob, const char *name)
{
    const char *p = (const char *)(uintptr_t)load_u64(blob + hotspot_layout.blob_name);

    while (p && *name && *p == *name) {
        p++;
        name++;
    }
    return p && !*name;
}

int
hotspot_is_method(const struct hotspot_blob *blob)
{
    return has_name(blob->start, "nmethod") || has_name(blob->start, "native nmethod");
}

int
hotspot_stays(const struct hotspot_blob *blob)
{
    return has_name(blob->start, "StubRoutines (");
}

void
hotspot_entries(const struct hotspot_blob *blob, u64 *entry, u64 *osr_entry)
{
    const struct hotspot_layout *l = &hotspot_layout;
    uint16_t offset;

    *entry = *osr_entry = 0;
    if (!hotspot_is_method(blob))
        return;
    if (l->nmethod_osr_entry != HOTSPOT_NONE)
        *osr_entry = load_u64(blob->start + l->nmethod_osr_entry);
    if (l->nmethod_verified_entry != HOTSPOT_NONE) {
        *entry = load_u64(blob->start + l->nmethod_verified_entry);
    } else if (l->nmethod_verified_offset != HOTSPOT_NONE) {
        const char *start = (const char *)(uintptr_t)blob->start;

        memcpy(&offset, start + l->nmethod_verified_offset, sizeof(offset));
        *entry = blob->code + offset;
    }
}

int
hotspot_find(u64 pc, struct hotspot_blob *blob)
{
    const struct hotspot_layout *l = &hotspot_layout;
    const struct heap *heap = find_heap(pc);
    u64 block, words;

    if (!heap)
        return -ENOENT;
    blob->memory = heap->lo;
    blob->memory_end = load_u64(heap->high_at);
    if (pc >= blob->memory_end)
        return -ENOENT;
    block = find_block(heap, pc);
    if (!block || !(load_u8(block + l->block_used) & 1))
        return -ENOENT;
    blob->start = block + l->block_bytes;
    blob->code = l->blob_code_begin != HOTSPOT_NONE
                     ? load_u64(blob->start + l->blob_code_begin)
                     : blob->start + load_u32(blob->start + l->blob_code_offset);
    blob->end = blob->start + load_u32(blob->start + l->blob_size);
    blob->code_end = blob->end;
    if (l->blob_code_end != HOTSPOT_NONE)
        blob->code_end = load_u64(blob->start + l->blob_code_end);
    else if (l->blob_data_offset != HOTSPOT_NONE)
        blob->code_end = blob->start + load_u32(blob->start + l->blob_data_offset);
    if (pc < blob->code || pc > blob->end)
        return -ENOENT;
    words = load_u32(blob->start + l->blob_frame_size);
    if (words > FRAME_BYTES / 8)
        return -ENOENT;
    blob->frame = (u32)words * 8;
    if (is_interpreter(pc))
        blob->kind = HOTSPOT_INTERPRETER;
    else
        blob->kind = words ? HOTSPOT_COMPILED : HOTSPOT_STUB;
    return 0;
}
