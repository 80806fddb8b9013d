/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/space.h"

#include <linux/futex.h>
#include <sys/mman.h>

#include "collector/sig/clock.h"
#include "collector/sig/sys.h"

struct space_file space_files[FILE_COUNT];
unsigned char *space_segments[SPACE_SEGMENTS][FILE_COUNT];
struct ctl *space_ctl;
struct ctl *space_wake_page;
u32 space_pid;
u32 space_no_wake, space_no_windows;

enum {
    PAGE = 4096,
    REST_TRIES = 4, /* attempts at a contended list head */
};

static u64
segment_of(u64 at)
{
    return at / ER_SEGMENT;
}

static void
publish(enum er_file file, u64 first, unsigned char *base, u64 count)
{
    for (u64 i = 0; i < count && first + i < SPACE_SEGMENTS; i++)
        __atomic_store_n(&space_segments[first + i][file], base + i * ER_SEGMENT,
                         __ATOMIC_RELEASE);
    __atomic_store_n(&space_files[file].mapped, (u32)(first + count), __ATOMIC_RELEASE);
}

void
space_start(enum er_file file, unsigned char *base)
{
    publish(file, 0, base, SPACE_WINDOW);
}

/*
 * Map the next window of a file, for which no descriptor is needed: mremap() with an
 * old size of 0 maps the same file again (mremap(2), "old_size is zero"), in the length
 * that is asked for.
 */
static void
map_window(enum er_file file)
{
    u32 mapped = space_files[file].mapped;
    unsigned char *last = space_segments[mapped - 1][file] + ER_SEGMENT - PAGE;
    u64 len = (u64)SPACE_WINDOW * ER_SEGMENT + PAGE;
    unsigned char *base;

    if (mapped + SPACE_WINDOW > SPACE_SEGMENTS || space_no_windows)
        return;
    base = sys_address(sys_call6(SYS_mremap, (long)(uintptr_t)last, 0, (long)len,
                                 MREMAP_MAYMOVE, 0, 0));
    if (!base)
        return;
    sys_call4(SYS_madvise, (long)(uintptr_t)base, (long)len, MADV_DONTFORK, 0);
    publish(file, mapped, base + PAGE, SPACE_WINDOW);
}

/* Map the next window when one of the last two mapped segments comes into use. */
static void
map_ahead(enum er_file number, u64 segment)
{
    struct space_file *file = &space_files[number];
    u32 mapped = __atomic_load_n(&file->mapped, __ATOMIC_ACQUIRE), free = 0;

    if (!mapped || segment + 2 < mapped)
        return;
    if (!__atomic_compare_exchange_n(&file->mapping, &free, 1, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return;
    if (segment + 2 >= file->mapped)
        map_window(number);
    __atomic_store_n(&file->mapping, 0, __ATOMIC_RELEASE);
}

unsigned char *
space_at(enum er_file file, u64 at)
{
    u64 segment = segment_of(at);
    unsigned char *base;

    if (segment >= SPACE_SEGMENTS)
        return NULL;
    map_ahead(file, segment);
    base = __atomic_load_n(&space_segments[segment][file], __ATOMIC_ACQUIRE);
    return base ? base + at % ER_SEGMENT : NULL;
}

void
space_forget(void)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        struct space_file *file = &space_files[i];

        for (u32 k = 0; k < file->mapped; k++)
            space_segments[k][i] = NULL;
        file->mapped = file->mapping = 0;
    }
}

void
space_fill(void)
{
    for (int i = 0; i < FILE_COUNT; i++)
        for (u32 k = 0; k < space_files[i].mapped; k++)
            sys_call6(SYS_mmap, (long)(uintptr_t)space_segments[k][i], ER_SEGMENT,
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
                      MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

/* Replace the control page by a private page that says that recording has ended. */
static void
close_page(void)
{
    static ER_LARGE struct ctl own;

    own.flags = CTL_ENDED;
    __atomic_store_n(&space_ctl, &own, __ATOMIC_RELEASE);
}

void
space_part(void)
{
    space_fill();
    close_page();
}

void
space_drop(int keep)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    struct ctl *page = space_ctl;

    close_page();
    if (space_wake_page == page)
        space_wake_page = space_ctl;
    for (int i = 0; i < FILE_COUNT; i++)
        for (u32 k = 0; k < space_files[i].mapped; k++) {
            long at = (long)(uintptr_t)space_segments[k][i];

            if (keep)
                sys_call6(SYS_mmap, at, ER_SEGMENT, PROT_READ | PROT_WRITE, flags, -1,
                          0);
            else
                sys_call4(SYS_munmap, at, ER_SEGMENT, 0, 0);
        }
    space_forget();
    if (!keep)
        sys_unmap(page, sizeof(*page));
}

void
space_ring(u32 want)
{
    struct ctl *bell = space_wake_page ? space_wake_page : space_ctl;

    __atomic_fetch_or(&bell->want, want, __ATOMIC_ACQ_REL);
    if (__atomic_load_n(&bell->waiting, __ATOMIC_ACQUIRE) && !space_no_wake)
        sys_call4(SYS_futex, (long)(uintptr_t)&bell->want, FUTEX_WAKE, 1, 0);
}

void
space_want(u32 want)
{
    u32 before = __atomic_fetch_or(&space_ctl->want, want, __ATOMIC_ACQ_REL);

    if ((before & want) != want)
        space_ring(space_wake_page && space_wake_page != space_ctl ? WANT_FAMILY : 0);
}

/*
 * Take the free remainder of a sealed chunk that comes first in the list, if it has
 * `need` bytes or more; else NULL.
 */
static struct er_chunk *
alloc_rest(enum er_file file, u32 need)
{
    u64 *head = &space_ctl->file[file].rest;
    u64 old = __atomic_load_n(head, __ATOMIC_ACQUIRE);

    for (int i = 0; i < REST_TRIES && (u32)old; i++) {
        unsigned char *at = space_at(file, (u64)(u32)old * 64);
        struct er_chunk *rest = (void *)at;
        u64 next;

        /* If another thread has taken it in the meantime, the exchange below fails. */
        if (!rest || rest->size < need)
            return NULL;
        next = ((old >> 32) + 1) << 32 | rest->thread_id;
        if (__atomic_compare_exchange_n(head, &old, next, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return rest;
    }
    return NULL;
}

static void
free_rest(enum er_file file, struct er_chunk *rest, u64 at)
{
    u64 *head = &space_ctl->file[file].rest;
    u64 old = __atomic_load_n(head, __ATOMIC_ACQUIRE);

    do
        rest->thread_id = (u32)old;
    while (!__atomic_compare_exchange_n(head, &old,
                                        ((old >> 32) + 1) << 32 | (u32)(at / 64), 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

/*
 * Take *size bytes of fresh space; at a segment's end fewer, but at least `need`. NULL
 * = none.
 */
static struct er_chunk *
alloc_fresh(enum er_file number, u32 need, u32 *size)
{
    struct ctl_file *file = &space_ctl->file[number];
    u64 next = __atomic_load_n(&file->next, __ATOMIC_ACQUIRE);
    unsigned char *chunk;
    u64 at, reserved;
    u32 take;

    do {
        u64 left = ER_SEGMENT - next % ER_SEGMENT;

        at = left < ER_CHUNK_REST || left < need ? next + left : next;
        left = ER_SEGMENT - at % ER_SEGMENT;
        take = left < *size ? (u32)left : *size;
        reserved = __atomic_load_n(&file->reserved, __ATOMIC_ACQUIRE);
        if (at + take > reserved) {
            space_want(WANT_SPACE);
            return NULL;
        }
        chunk = space_at(number, at);
        if (!chunk)
            return NULL;
    } while (!__atomic_compare_exchange_n(&file->next, &next, at + take, 0,
                                          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (ctl_is_scarce(at + take, reserved))
        space_want(WANT_SPACE);
    *size = take;
    return (void *)chunk;
}

/*
 * Write a new chunk's header. The word that makes it valid is written last: the magic,
 * or in a remainder the flags.
 */
static void
begin_chunk(struct er_chunk *chunk, const struct er_chunk *header)
{
    struct er_chunk *h = chunk;

    h->thread_id = header->thread_id;
    h->chunk_seq = header->chunk_seq;
    h->owner_gen = header->owner_gen;
    h->dropped = header->dropped;
    h->tsc0 = header->tsc0;
    h->mono0 = header->mono0;
    h->prev_addr = header->prev_addr;
    h->size = header->size;
    h->version = header->version;
    h->file = header->file;
    h->header_crc = header->header_crc;
    __atomic_store_n(&h->committed, header->committed, __ATOMIC_RELEASE);
    __atomic_store_n(&h->flags, header->flags, __ATOMIC_RELEASE);
    __atomic_store_n(&h->magic, header->magic, __ATOMIC_RELEASE);
}

/*
 * Begin the writer's next chunk, with room for `bytes`, which are less than
 * ER_CHUNK_MIN. 0 = no room.
 */
static int
next_chunk(struct chunk_writer *w, enum er_file file, u32 thread, u64 ticks, u32 bytes)
{
    u32 size = w->next_size > ER_CHUNK_MIN ? w->next_size : ER_CHUNK_MIN;
    u32 need = (u32)sizeof(struct er_chunk) + bytes;
    struct er_chunk *chunk = w->seq == 0 ? alloc_rest(file, need) : NULL;
    struct er_chunk header = { 0 };

    if (chunk)
        header.owner_gen = chunk->owner_gen + 1;
    size = chunk ? chunk->size : size;
    if (!chunk)
        chunk = alloc_fresh(file, need, &size);
    if (!chunk)
        return 0;
    header.magic = ER_CHUNK_MAGIC;
    header.version = ER_CHUNK_VERSION;
    header.file = (uint8_t)file;
    header.size = size;
    header.committed = sizeof(header);
    header.thread_id = thread;
    header.chunk_seq = w->seq++;
    header.dropped = w->lost;
    header.tsc0 = ticks;
    header.mono0 = clock_mono_at(ticks);
    header.header_crc = chunk_header_crc(&header);
    begin_chunk(chunk, &header);
    w->chunk = chunk;
    w->size = size;
    w->used = sizeof(header);
    w->lost = 0;
    w->next_size = size * 2 < er_files[file].chunk_max ? size * 2
                                                       : er_files[file].chunk_max;
    codec_start(&w->codec, ticks >> er_files[file].time_shift, 0);
    return 1;
}

unsigned char *
writer_begin(struct chunk_writer *w, enum er_file file, u32 thread, u64 ticks,
             u32 bytes)
{
    if (ER_UNLIKELY(!w->chunk || w->size - w->used < bytes)) {
        writer_seal(w, file);
        if (!next_chunk(w, file, thread, ticks, bytes)) {
            w->lost++;
            return NULL;
        }
    }
    return (unsigned char *)w->chunk + w->used;
}

/*
 * Set *at to the offset at which chunk begins in its file. 1 if it lies in a mapped
 * segment.
 */
static int
offset_of(enum er_file file, const struct er_chunk *chunk, u64 *at)
{
    const unsigned char *p = (const unsigned char *)chunk;
    u32 last = (u32)segment_of(space_ctl->file[file].next);

    for (u32 i = 0; i <= last && i < SPACE_SEGMENTS; i++) {
        const unsigned char *base = space_segments[i][file];

        if (base && p >= base && p < base + ER_SEGMENT) {
            *at = (u64)i * ER_SEGMENT + (u64)(p - base);
            return 1;
        }
    }
    return 0;
}

/* Turn the space after the records into a free chunk. 1; 0 = it is too small. */
static int
split(struct chunk_writer *w, enum er_file file)
{
    struct er_chunk *chunk = w->chunk;
    u32 span = (w->used + 63) & ~63u;
    struct er_chunk *rest = (void *)((unsigned char *)chunk + span);
    struct er_chunk header = { 0 };
    u64 at;

    if (w->size - span < ER_CHUNK_REST || !offset_of(file, chunk, &at))
        return 0;
    header.magic = ER_CHUNK_MAGIC;
    header.version = ER_CHUNK_VERSION;
    header.file = (uint8_t)file;
    header.flags = CHUNK_FREE;
    header.size = w->size - span;
    header.committed = sizeof(header);
    header.owner_gen = chunk->owner_gen;
    begin_chunk(rest, &header);
    __atomic_store_n(&chunk->flags, CHUNK_SEALED | CHUNK_REST, __ATOMIC_RELEASE);
    free_rest(file, rest, at + span);
    return 1;
}

void
writer_seal(struct chunk_writer *w, enum er_file file)
{
    struct er_chunk *chunk = w->chunk;

    if (!chunk)
        return;
    chunk->data_crc = crc32c(0, (const unsigned char *)chunk + sizeof(*chunk),
                             w->used - (u32)sizeof(*chunk));
    if (!split(w, file))
        __atomic_store_n(&chunk->flags, CHUNK_SEALED, __ATOMIC_RELEASE);
    w->chunk = NULL;
}
