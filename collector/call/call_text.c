/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of arguments and results. Each distinct text is recorded once, and gets a
 * number. The known texts are in a cache of fixed size; a text that was evicted gets
 * another number, and the reader merges the two. Texts with the same length and hash
 * (64 bits) are taken for equal.
 */
#include <string.h>

#include "collector/call/call.h"
#include "collector/sig/guard.h"
#include "collector/sig/sys.h"
#include "collector/sig/walk_state.h"

enum {
    SETS = 4096,
    WAYS = 4,
    PAGE = 4096,
    PAGE_SHIFT = 12,
    /* a page that could be read is not tested again for 1/TRUST_HZ s */
    TRUST_HZ = 1000,
    NO_TEXT = 0,
    UNREADABLE = 1,
    FIRST = 2,
};

#define FACTOR 0x9e3779b97f4a7c15ull
#define LOW_BITS 0x0101010101010101ull
#define HIGH_BITS 0x8080808080808080ull

struct text {
    u64 hash;
    u32 len;
    u32 id; /* 0 = free; written last */
};

static struct text (*texts)[WAYS];
static u32 last_id = FIRST - 1;

void
call_text_forget(void)
{
    for (u32 i = 0; texts && i < SETS; i++)
        for (u32 k = 0; k < WAYS; k++)
            texts[i][k].id = 0;
}

static __attribute__((noinline)) int
make_texts(void)
{
    struct text(*none)[WAYS] = NULL;
    struct text(*made)[WAYS] = sys_map(SETS * sizeof(*texts));

    if (!made)
        return 0;
    if (!__atomic_compare_exchange_n(&texts, &none, made, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        sys_unmap(made, SETS * sizeof(*texts));
    return 1;
}

static u64
trust_ticks(void)
{
    const struct er_params *p = trace_services->params;

    return (*trace_services->by_tsc && p && p->tsc ? p->tsc : 1000000000) / TRUST_HZ;
}

static int
page_readable(struct trace_scope *s, u64 page)
{
    struct call_thread *c = s->stray ? NULL : call_thread_of(s);
    u64 here = (u64)(uintptr_t)__builtin_frame_address(0), now;
    u32 i = page % CALL_PAGES;

    if (*trace_services->no_probe || page << PAGE_SHIFT < PAGE ||
        page >> (REGS_PC_BITS - PAGE_SHIFT))
        return 0;
    if (!c)
        return sys_readable(page << PAGE_SHIFT);
    if (page >= here >> PAGE_SHIFT && page < s->t->walk->hi >> PAGE_SHIFT &&
        here >= s->t->walk->lo)
        return 1;
    now = trace_before();
    if (c->page[i].page == page && now - c->page[i].ticks < trust_ticks())
        return 1;
    if (!sys_readable(page << PAGE_SHIFT))
        return 0;
    c->page[i].page = page;
    c->page[i].ticks = now;
    return 1;
}

int
call_text_readable(struct trace_scope *s, u64 address, u32 len)
{
    u64 last = (address + len - 1) >> PAGE_SHIFT;

    if (address + len < address)
        return 0;
    for (u64 page = address >> PAGE_SHIFT; page <= last; page++)
        if (!page_readable(s, page))
            return 0;
    return 1;
}

/*
 * The length of a string in bytes, at most limit; -1 = some byte of it cannot be read.
 */
static long
length_of(struct trace_scope *s, u64 address, u32 limit)
{
    const char *p = (const char *)(uintptr_t)address;
    u32 at = 0;

    while (at < limit) {
        u32 left = PAGE - (u32)((address + at) & (PAGE - 1));
        u32 end = limit - at < left ? limit : at + left;

        if (!page_readable(s, (address + at) >> PAGE_SHIFT))
            return -1;
        for (; at + 8 <= end; at += 8) {
            u64 word, zeros;

            memcpy(&word, p + at, sizeof(word));
            zeros = (word - LOW_BITS) & ~word & HIGH_BITS;
            if (zeros)
                return at + __builtin_ctzll(zeros) / 8;
        }
        for (; at < end; at++)
            if (!p[at])
                return at;
    }
    return limit;
}

static inline u64
mix(u64 hash, u64 word)
{
    hash = (hash ^ word) * FACTOR;
    return hash ^ hash >> 32;
}

static u64
hash_of(const char *p, u32 len)
{
    u64 hash = len * FACTOR, word;

    for (; len >= 8; p += 8, len -= 8) {
        memcpy(&word, p, sizeof(word));
        hash = mix(hash, word);
    }
    word = 0;
    for (u32 i = 0; i < len; i++)
        word |= (u64)(unsigned char)p[i] << 8 * i;
    return mix(hash, word);
}

/*
 * Write a record with the first len bytes of a text. cut: 1 = the text is longer than
 * that. Returns 1; 0: there is no room for the record.
 */
static int
put(struct trace_scope *s, u32 id, const char *p, u32 len, u32 cut)
{
    struct trace *trace = &s->t->trace[TRACE_call];
    u64 ticks = trace_before();
    struct rec_calltext r = { .time = ticks >> SHIFT_calltrace, .id = id, .cut = cut,
                              .text = { p, len } };
    struct chunk_writer *w =
        trace_open_for(s, trace, FILE_calltrace, ticks, TRACE_BYTES + len);

    if (w)
        trace_close_as(s, trace, w, rec_put_calltext(&w->codec, trace_at(w), &r), 0);
    return w != NULL;
}

static __attribute__((noinline)) u32
add(struct trace_scope *s, struct text *set, const struct text *like, const char *p,
    u32 cut)
{
    static u32 turn, busy;
    u32 id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
    struct text *to = &set[0];

    if (!put(s, id, p, like->len, cut))
        return UNREADABLE;
    /*
     * Only one thread at a time adds to the cache. If another one is doing so, this
     * text is not kept in it.
     */
    if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        return id;
    for (u32 i = 0; i < WAYS; i++)
        if (!set[i].id)
            to = &set[i];
    if (to->id)
        to = &set[turn++ % WAYS];
    __atomic_store_n(&to->id, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&to->hash, like->hash, __ATOMIC_RELAXED);
    __atomic_store_n(&to->len, like->len, __ATOMIC_RELAXED);
    __atomic_store_n(&to->id, id, __ATOMIC_RELEASE);
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
    return id;
}

static u32
number_of(struct trace_scope *s, u64 address, u32 len, u32 cut)
{
    const char *p = (const char *)(uintptr_t)address;
    struct text like = { hash_of(p, len) ^ cut, len, 0 };
    struct text *set;

    if (ER_UNLIKELY(!texts) && !make_texts())
        return UNREADABLE;
    set = texts[like.hash % SETS];
    for (u32 i = 0; i < WAYS; i++) {
        u32 id = __atomic_load_n(&set[i].id, __ATOMIC_ACQUIRE);

        if (id && set[i].hash == like.hash && set[i].len == len &&
            __atomic_load_n(&set[i].id, __ATOMIC_ACQUIRE) == id)
            return id;
    }
    return add(s, set, &like, p, cut);
}

u32
call_text_string(struct trace_scope *s, u64 address, u32 limit)
{
    long len;

    if (!address)
        return NO_TEXT;
    len = length_of(s, address, limit + 1);
    if (len < 0)
        return UNREADABLE;
    return len > limit ? number_of(s, address, limit, 1)
                       : number_of(s, address, (u32)len, 0);
}

u32
call_text_bytes(struct trace_scope *s, u64 address, u64 len, u32 limit)
{
    u32 cut = len > limit;

    if (!address)
        return NO_TEXT;
    if (cut)
        len = limit;
    if (len && !call_text_readable(s, address, (u32)len))
        return UNREADABLE;
    return number_of(s, address, (u32)len, cut);
}
