/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "collector/sig/guard.h"
#include "collector/region/region.h"

enum {
    PAGE = 4096,
    WORD = 8,
};

#define LOW_BITS 0x0101010101010101ull
#define HIGH_BITS 0x8080808080808080ull
#define FACTOR 0x9e3779b97f4a7c15ull

/*
 * Read the next word of a string; bytes after the string's end are zeros or arbitrary.
 */
static inline u64
word_at(const char *s)
{
    u64 word = 0;

    /* Never read from the next page if the string may end before it. */
    if (ER_UNLIKELY(((uintptr_t)s & (PAGE - 1)) > PAGE - WORD)) {
        for (u32 i = 0; i < WORD && s[i]; i++)
            word |= (u64)(unsigned char)s[i] << (8 * i);
        return word;
    }
    memcpy(&word, s, sizeof(word));
    return word;
}

/* The lowest bit set in the result is in the word's lowest zero byte; 0 = none. */
static inline u64
zeros_of(u64 word)
{
    return (word - LOW_BITS) & ~word & HIGH_BITS;
}

static inline u64
mix(u64 hash, u64 word)
{
    hash = (hash ^ word) * FACTOR;
    return hash ^ hash >> 29;
}

static u64
hash_bytes(const char *s, size_t len)
{
    u64 hash = FACTOR;

    for (size_t i = 0; i < len; i++)
        hash = mix(hash, (unsigned char)s[i]);
    return hash;
}

/* Set the length, and the hash of the bytes that do not fit into the words. */
static void
hash_rest(struct region_name *name, size_t len)
{
    const size_t head = REGION_WORDS * WORD;

    name->len = (u32)(len < ER_STR_MAX ? len : ER_STR_MAX);
    name->rest = hash_bytes(name->s + head, name->len - head);
    name->hash = mix(name->hash, name->rest);
}

void
region_name(struct region_name *name, const char *s)
{
    name->s = s = s ? s : "";
    name->later = 0;
    name->hash = name->rest = 0;
    for (u32 i = 0; i < REGION_WORDS; i++) {
        u64 word = word_at(s + i * WORD), zeros = zeros_of(word);

        if (ER_LIKELY(zeros)) {
            u32 bits = (u32)__builtin_ctzll(zeros) & ~7u;

            word &= ((u64)1 << bits) - 1;
            name->word[i] = word;
            name->len = i * WORD + bits / 8;
            name->hash = mix(name->hash, word);
            return;
        }
        name->word[i] = word;
        name->hash = mix(name->hash, word);
    }
    hash_rest(name, strnlen(s, ER_STR_MAX));
}

void
region_name_cut(struct region_name *name, const char *s, size_t len)
{
    const size_t head = REGION_WORDS * WORD;

    name->s = s;
    name->later = 0;
    name->hash = name->rest = 0;
    for (u32 i = 0; i < REGION_WORDS; i++) {
        size_t at = i * WORD, left = len > at ? len - at : 0;

        name->word[i] = 0;
        memcpy(&name->word[i], s + (left ? at : 0), left < WORD ? left : WORD);
        name->hash = mix(name->hash, name->word[i]);
        if (left < WORD)
            break;
    }
    name->len = (u32)len;
    if (len >= head)
        hash_rest(name, len);
}

static inline int
is_same(const struct region_path *p, const struct region_name *name, u32 parent,
        const struct walk_start *start)
{
    u32 words = name->len / WORD + 1;

    if (p->parent != parent || p->len != name->len || p->rest != name->rest ||
        p->pc != start->pc || p->sp != start->sp)
        return 0;
    for (u32 i = 0; i < words && i < REGION_WORDS; i++)
        if (p->word[i] != name->word[i])
            return 0;
    return 1;
}

/*
 * Is s the path's name, including the zero at its end? Only names that fit into `word`
 * are compared; for longer ones, the answer is 0.
 */
static inline int
has_name(const struct region_path *p, const char *s)
{
    u32 i, bits = p->len % WORD * 8;

    if (ER_UNLIKELY(p->len >= REGION_WORDS * WORD))
        return 0;
    for (i = 0; i < p->len / WORD; i++)
        if (word_at(s + i * WORD) != p->word[i])
            return 0;
    return !((word_at(s + i * WORD) ^ p->word[i]) << (WORD * 8 - 8 - bits));
}

/*
 * A signal handler that interrupts this may replace the path by another one; the id
 * shows that, as in region_path().
 */
struct region_path *
region_path_again(const struct region_thread *r, const char *s, u32 parent,
                  const struct walk_start *start)
{
    struct region_path *p = r->at[region_place(start->pc)];
    u32 id = p ? p->id : 0;

    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!id || p->pc != start->pc || p->sp != start->sp || p->parent != parent ||
        !has_name(p, s))
        return NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return ER_LIKELY(p->id == id) ? p : NULL;
}

static u32
new_id(void)
{
    static u32 last;

    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

/* Write the record of a path. 0 = there is no room, or recording has ended; else 1. */
static int
put_path(struct region_thread *r, u32 id, u32 parent, u32 node, struct er_str name)
{
    struct rec_path path = { .id = id, .parent = parent, .node = node, .name = name };
    struct trace_scope s;
    struct chunk_writer *w;
    u64 ticks = trace_before();

    if (!trace_enter(&s))
        return 0;
    path.time = ticks >> SHIFT_regions;
    w = trace_open_for(&s, &r->thread->region, FILE_regions, ticks,
                       TRACE_BYTES + name.len);
    if (w)
        trace_close_as(&s, &r->thread->region, w,
                       rec_put_path(&w->codec, trace_at(w), &path), 0);
    trace_leave(&s);
    return w != NULL;
}

static struct region_path *
victim(struct region_thread *r, struct region_path *set)
{
    for (u32 i = 0; i < REGION_WAYS; i++)
        if (!set[i].id)
            return &set[i];
    for (u32 i = 0; i < REGION_WAYS; i++) {
        struct region_path *p = &set[(r->victim + i) % REGION_WAYS];

        if (!p->users) {
            r->victim = (u32)(p - set) + 1;
            return p;
        }
    }
    return NULL;
}

static u32
walk(struct region_thread *r, const struct walk_start *start)
{
    struct trace_scope s = { .t = r->thread };

    return trace_walk(&s, start);
}

static __attribute__((noinline)) struct region_path *
make(struct region_thread *r, struct region_path *set, const struct region_name *name,
     u32 parent, const struct walk_start *start)
{
    u64 mask = guard_enter();
    struct region_path *p = victim(r, set);
    u32 id = new_id(), node = walk(r, start);

    if (p && put_path(r, id, parent, node, (struct er_str){ name->s, name->len })) {
        memset(p, 0, sizeof(*p));
        memcpy(p->word, name->word, sizeof(p->word));
        p->parent = parent;
        p->len = name->len;
        p->rest = name->rest;
        p->pc = start->pc;
        p->sp = start->sp;
        p->node = node;
        p->walked = trace_before();
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        p->id = id;
    } else {
        p = NULL;
    }
    guard_leave(mask);
    return p;
}

void
region_path_walk(struct region_thread *r, struct region_path *p,
                 const struct region_name *name, const struct walk_start *start)
{
    u32 node = walk(r, start), id;
    u64 mask;

    p->walked = trace_before();
    if (node == p->node)
        return;
    mask = guard_enter();
    id = new_id();
    if (put_path(r, id, p->parent, node, (struct er_str){ name->s, name->len })) {
        p->node = node;
        p->id = id;
    }
    guard_leave(mask);
}

/*
 * A signal handler that interrupts this may replace the path by another one. The id
 * shows that: it has changed then, since ids are never used again.
 */
struct region_path *
region_path(struct region_thread *r, const struct region_name *name, u32 parent,
            const struct walk_start *start)
{
    u64 hash = mix(name->hash, start->pc ^ start->sp << 20 ^ (u64)parent << 40);
    struct region_path *set = r->path[hash >> 40 & (REGION_SETS - 1)];

    for (u32 i = 0; i < REGION_WAYS; i++) {
        u32 id = set[i].id;

        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (id && is_same(&set[i], name, parent, start)) {
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
            if (ER_LIKELY(set[i].id == id))
                return &set[i];
        }
    }
    return make(r, set, name, parent, start);
}

/* Forget paths without open regions; they get new ids when they are used again. */
static void
forget_unused(struct region_thread *r)
{
    for (u32 i = 0; i < REGION_SETS; i++)
        for (u32 k = 0; k < REGION_WAYS; k++)
            if (!r->path[i][k].users)
                r->path[i][k].id = 0;
}

void
region_paths_renew(struct region_thread *r)
{
    u64 now = trace_before();
    u32 parent = 0;

    forget_unused(r);
    for (u32 i = 0; i < r->depth; i++) {
        struct region_open *o = &r->open[i];
        u32 len = o->path ? o->path->len : 0, id = new_id();

        o->id = parent;
        if (len > sizeof(o->path->word))
            len = sizeof(o->path->word); /* the program may have freed the rest */
        if (o->path &&
            put_path(r, id, parent, 0, (struct er_str){ (char *)o->path->word, len })) {
            o->path->id = o->id = id;
            o->path->parent = parent;
            o->path->walked = 0;
            o->path->node = 0;
        }
        o->ticks = now;
        o->flags &= ~(u32)REGION_NOTED;
        parent = o->id;
    }
}
