/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sync/sync_thread.h"

#include <pthread.h>

#include "collector/sig/sys.h"

enum {
    BLOCKS = 1024,
    BLOCK_THREADS = 32,
    SCANNED = 256, /* the most lists that are searched for some holder */
    SETS = 2048,   /* of the table by tid */
    WAYS = 4,
    TID_MASK = 0x3fffffff, /* FUTEX_TID_MASK */
};

void (*sync_thread_forked)(void);

static struct sync_thread *blocks[BLOCKS];
static u32 given;      /* lists taken from the blocks so far */
static u64 free_lists; /* the first free list: changes so far << 32 | index + 1 */
static u32 by_tid[SETS][WAYS]; /* of lists: index + 1, 0 = free */
static u32 process;    /* id of the process to which these lists belong */
static u32 generation; /* 1 = it is the first such process; forked children add 1 */

static struct sync_thread *
at(u32 index)
{
    struct sync_thread *block =
        __atomic_load_n(&blocks[index / BLOCK_THREADS], __ATOMIC_ACQUIRE);

    return block ? &block[index % BLOCK_THREADS] : NULL;
}

static struct sync_thread *
pop_free(void)
{
    u64 head = __atomic_load_n(&free_lists, __ATOMIC_ACQUIRE);
    struct sync_thread *s;
    u64 next;

    do {
        if (!(u32)head)
            return NULL;
        s = at((u32)head - 1);
        next = ((head >> 32) + 1) << 32 | __atomic_load_n(&s->next, __ATOMIC_RELAXED);
    } while (!__atomic_compare_exchange_n(&free_lists, &head, next, 0, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return s;
}

/*
 * Make a block of lists. Several threads may do that at once for the same block; one of
 * them succeeds.
 */
static int
make_block(u32 number)
{
    u64 bytes = BLOCK_THREADS * sizeof(struct sync_thread);
    struct sync_thread *none = NULL;
    struct sync_thread *made = sys_map(bytes);

    if (!made)
        return 0;
    if (!__atomic_compare_exchange_n(&blocks[number], &none, made, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        sys_unmap(made, bytes);
    return 1;
}

static struct sync_thread *
alloc_new(void)
{
    u32 index = __atomic_fetch_add(&given, 1, __ATOMIC_RELAXED);
    struct sync_thread *s = NULL;

    if (index < BLOCKS * BLOCK_THREADS &&
        (at(index) || make_block(index / BLOCK_THREADS)))
        s = at(index);
    if (s)
        s->index = index;
    else
        __atomic_fetch_sub(&given, 1, __ATOMIC_RELAXED);
    return s;
}

static u32 *
set_of(u32 tid)
{
    return by_tid[tid % SETS];
}

static int
is_alive(const struct sync_thread *s)
{
    return __atomic_load_n(&s->tid, __ATOMIC_ACQUIRE) &&
           s->generation == __atomic_load_n(&generation, __ATOMIC_RELAXED);
}

static void
enter_tid(const struct sync_thread *s)
{
    u32 *set = set_of(s->tid);
    u32 way = s->tid / SETS % WAYS;

    for (u32 i = 0; i < WAYS; i++) {
        u32 other = __atomic_load_n(&set[i], __ATOMIC_RELAXED);

        if (!other || !is_alive(at(other - 1)))
            way = i;
    }
    __atomic_store_n(&set[way], s->index + 1, __ATOMIC_RELEASE);
}

/*
 * If this is a forked child, begin a new generation. The child's first thread calls it,
 * before there is another one.
 */
static void
notice_fork(void)
{
    u32 pid = (u32)sys_call4(SYS_getpid, 0, 0, 0, 0);

    if (ER_LIKELY(pid == process))
        return;
    if (process && sync_thread_forked)
        sync_thread_forked();
    process = pid;
    __atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
}

/* The thread ends: put its list among the free ones. */
static void
free_list(void *own)
{
    struct sync_thread *s = own;
    u64 head = __atomic_load_n(&free_lists, __ATOMIC_ACQUIRE);

    __atomic_store_n(&s->tid, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&s->count, 0, __ATOMIC_RELAXED);
    do
        __atomic_store_n(&s->next, (u32)head, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&free_lists, &head,
                                        ((head >> 32) + 1) << 32 | (s->index + 1), 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

struct sync_thread *
sync_thread_make(struct thread *t)
{
    struct trace *trace = &t->trace[TRACE_sync];
    struct sync_thread *s;

    notice_fork();
    s = pop_free();
    if (!s)
        s = alloc_new();
    if (!s)
        return NULL;
    s->count = 0;
    s->id = t->id;
    s->generation = generation;
    s->calls = t->row ? &t->row->sync_calls : &s->unseen;
    s->unheld = t->row ? &t->row->sync_unheld : &s->unseen;
    s->pointer = (u64)(uintptr_t)__builtin_thread_pointer();
    s->ask = NULL;
    __atomic_store_n(&s->tid, t->tid, __ATOMIC_RELEASE);
    enter_tid(s);
    trace->ended = free_list;
    __atomic_store_n(&trace->own, s, __ATOMIC_RELEASE);
    return s;
}

const struct sync_thread *
sync_thread_by_tid(u32 tid)
{
    const u32 *set = set_of(tid);

    for (u32 i = 0; tid && i < WAYS; i++) {
        u32 other = __atomic_load_n(&set[i], __ATOMIC_ACQUIRE);
        const struct sync_thread *s = other ? at(other - 1) : NULL;

        if (s && s->tid == tid && is_alive(s))
            return s;
    }
    return NULL;
}

static u32
scanned(void)
{
    u32 n = __atomic_load_n(&given, __ATOMIC_RELAXED);

    return n < SCANNED ? n : SCANNED;
}

const struct sync_thread *
sync_thread_by_pointer(u64 pointer)
{
    for (u32 i = 0, n = scanned(); i < n; i++) {
        const struct sync_thread *s = at(i);

        if (s && s->pointer == pointer && is_alive(s))
            return s;
    }
    return NULL;
}

int
sync_thread_holds(const struct sync_thread *t, u64 object, struct sync_held *entry)
{
    u32 n = __atomic_load_n(&t->count, __ATOMIC_ACQUIRE);

    for (u32 i = n < SYNC_HELD ? n : SYNC_HELD; i-- > 0;) {
        const struct sync_held *h = &t->held[i];
        struct sync_held read;

        if (__atomic_load_n(&h->object, __ATOMIC_ACQUIRE) != object)
            continue;
        read.object = object;
        read.pc = __atomic_load_n(&h->pc, __ATOMIC_RELAXED);
        read.ticks = __atomic_load_n(&h->ticks, __ATOMIC_RELAXED);
        read.node = __atomic_load_n(&h->node, __ATOMIC_RELAXED);
        read.kind = __atomic_load_n(&h->kind, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&h->object, __ATOMIC_RELAXED) != object)
            continue;
        *entry = read;
        return 1;
    }
    return 0;
}

const struct sync_thread *
sync_thread_find(u64 object, struct sync_held *entry)
{
    for (u32 i = 0, n = scanned(); i < n; i++) {
        const struct sync_thread *s = at(i);

        if (s && is_alive(s) && sync_thread_holds(s, object, entry))
            return s;
    }
    return NULL;
}

/* Remove entry i - 1, and move the later entries down by one. */
static void
remove_entry(struct sync_thread *self, u32 i)
{
    for (; i < self->count; i++) {
        struct sync_held *to = &self->held[i - 1], from = self->held[i];

        __atomic_store_n(&to->object, SYNC_BEGUN, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        to->pc = from.pc;
        to->ticks = from.ticks;
        to->node = from.node;
        to->kind = from.kind;
        __atomic_store_n(&to->object, from.object, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&self->held[i - 1].object, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&self->count, i - 1, __ATOMIC_RELAXED);
}

void
sync_thread_drop(struct sync_thread *self, u64 object, struct sync_held *entry)
{
    u32 i = self->count;

    entry->object = 0;
    while (i > 0 && self->held[i - 1].object != object)
        i--;
    if (i == 0)
        return;
    *entry = self->held[i - 1];
    remove_entry(self, i);
}

/*
 * Does self no longer hold this mutex? Its memory may have been freed and reused; if it
 * cannot be read, assume that self holds it. `taken` was acquired just now, so an older
 * entry for it is stale, unless the mutex is recursive.
 */
static int
is_stale(const struct sync_thread *self, const struct sync_held *h, u64 taken)
{
    enum { TYPE = 3, RECURSIVE = 1 };
    const pthread_mutex_t *m = (const void *)(uintptr_t)h->object;
    const int *owner = &m->__data.__owner;

    if (h->kind != SYNC_MUTEX || h->object <= SYNC_BEGUN)
        return 0;
    if (h->object == taken)
        return (m->__data.__kind & TYPE) != RECURSIVE;
    return sys_readable((u64)(uintptr_t)owner) &&
           ((u32)__atomic_load_n(owner, __ATOMIC_RELAXED) & TID_MASK) != self->tid;
}

void
sync_thread_prune(struct sync_thread *self, u64 taken)
{
    for (u32 i = self->count; i > 0; i--)
        if (is_stale(self, &self->held[i - 1], taken))
            remove_entry(self, i);
}

/*
 * Make room in a full list. Members of the entry are passed, and not its address, so
 * that the compiler need not put the entry into memory.
 */
int
sync_thread_full(struct sync_thread *self, u64 object, u32 kind)
{
    if (*self->unheld % SYNC_HELD == 0) /* not every time, as it is expensive */
        sync_thread_prune(self, kind == SYNC_MUTEX ? object : 0);
    if (self->count < SYNC_HELD)
        return 0;
    ++*self->unheld;
    return 1;
}
