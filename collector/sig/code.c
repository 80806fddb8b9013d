/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/code.h"

#include <signal.h>
#include <sys/mman.h>

#include "collector/sig/clock.h"
#include "collector/sig/sys.h"
#include "collector/sig/thread.h"

enum {
    SETS = 4096,
    WAYS = 4,
    SIGSET_BYTES = 8,
    NUMBERS = 40, /* bytes; the numbers of a record take fewer */
    SEEN_SHIFT = 26, /* a unit is 1 << 26 ticks: 20 to 70 ms */
    BELIEVED = 10, /* units for which code is assumed unchanged after it was seen */
};

/*
 * `turn` is a sequence lock: odd while a thread writes the entry, and changed after
 * that. No thread waits for another one's write.
 */
struct entry {
    u32 turn;
    u32 id; /* 0 = empty */
    u64 object;
    u64 check;
    u32 weak;
    u32 first;
    u32 saved;
    u32 hint; /* not consistent with `seen`, which is harmless: both are only hints */
    u32 seen; /* when, in units, made odd; 0 = never */
};

static ER_LARGE struct entry table[SETS][WAYS];
static u32 last_id;

void
code_start(void)
{
    if (!last_id)
        return;
    if (sys_call4(SYS_madvise, (long)(uintptr_t)table, sizeof(table), MADV_DONTNEED,
                  0) < 0)
        memset(table, 0, sizeof(table));
    last_id = 0;
}

static struct entry *
set_of(u64 object)
{
    return table[object * 0x9e3779b97f4a7c15ull >> 52];
}

_Static_assert(SETS == 1 << 12, "set_of() keeps 12 bits");

/* Copy an entry to *out. 0 = not possible, since a thread is writing the entry. */
static int
read_entry(const struct entry *e, struct entry *out)
{
    u32 turn = __atomic_load_n(&e->turn, __ATOMIC_ACQUIRE);

    out->id = __atomic_load_n(&e->id, __ATOMIC_RELAXED);
    out->object = __atomic_load_n(&e->object, __ATOMIC_RELAXED);
    out->check = __atomic_load_n(&e->check, __ATOMIC_RELAXED);
    out->weak = __atomic_load_n(&e->weak, __ATOMIC_RELAXED);
    out->first = __atomic_load_n(&e->first, __ATOMIC_RELAXED);
    out->saved = __atomic_load_n(&e->saved, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return !(turn & 1) && turn == __atomic_load_n(&e->turn, __ATOMIC_RELAXED);
}

/* Find the entry of a code object, and copy it to *out. NULL = there is none. */
static struct entry *
find(u64 object, u64 check, struct entry *out)
{
    struct entry *set = set_of(object);

    for (int i = 0; i < WAYS; i++)
        if (read_entry(&set[i], out) && out->id && out->object == object &&
            out->check == check)
            return &set[i];
    return NULL;
}

void
code_find(u64 object, u64 check, struct code_known *known)
{
    struct entry e;

    *known = (struct code_known){ 0 };
    if (find(object, check, &e))
        *known = (struct code_known){ e.id, e.weak, e.saved, e.first, 0 };
}

static u32
unit_of(u64 ticks)
{
    return (u32)(ticks >> SEEN_SHIFT) | 1;
}

static u32
believed_until(u32 seen)
{
    return (seen + BELIEVED) | 1;
}

int
code_is_believed(u32 end, u64 ticks)
{
    return end && end - unit_of(ticks) <= BELIEVED;
}

int
code_quick(u64 object, u32 hint, u64 ticks, struct code_known *known)
{
    const struct entry *set = set_of(object);

    for (int i = 0; i < WAYS; i++) {
        u32 hinted = __atomic_load_n(&set[i].hint, __ATOMIC_RELAXED);
        u32 seen = __atomic_load_n(&set[i].seen, __ATOMIC_RELAXED);
        struct entry e;

        if (hinted != hint || !seen || !code_is_believed(believed_until(seen), ticks) ||
            !read_entry(&set[i], &e) || e.object != object || !e.id || e.weak ||
            !e.saved)
            continue;
        *known = (struct code_known){ e.id, 0, 1, e.first,
                                        believed_until(seen) };
        return 1;
    }
    return 0;
}

/*
 * Choose the entry of the table for a new code object: the one that it replaces, else
 * an empty one, else any.
 */
static struct entry *
choose(u64 object, u64 check, u32 id)
{
    struct entry *set = set_of(object), e, *empty = find(object, check, &e);

    for (int i = 0; i < WAYS && !empty; i++)
        if (read_entry(&set[i], &e) && !e.id)
            empty = &set[i];
    return empty ? empty : &set[id % WAYS];
}

u32
code_new(u64 object, u64 check, u32 weak, u32 first)
{
    u32 id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
    struct entry *e = choose(object, check, id);
    u32 turn = __atomic_load_n(&e->turn, __ATOMIC_RELAXED);

    /* A node has no room for a higher number. */
    if (id >> CODE_INDEX_BITS)
        return 0;
    if (turn & 1 || !__atomic_compare_exchange_n(&e->turn, &turn, turn + 1, 0,
                                                 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return id;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&e->id, id, __ATOMIC_RELAXED);
    __atomic_store_n(&e->object, object, __ATOMIC_RELAXED);
    __atomic_store_n(&e->check, check, __ATOMIC_RELAXED);
    __atomic_store_n(&e->weak, weak, __ATOMIC_RELAXED);
    __atomic_store_n(&e->first, first, __ATOMIC_RELAXED);
    __atomic_store_n(&e->saved, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&e->seen, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&e->turn, turn + 2, __ATOMIC_RELEASE);
    return id;
}

void
code_saved(u64 object, u64 check)
{
    struct entry out, *e = find(object, check, &out);

    if (e)
        __atomic_store_n(&e->saved, 1, __ATOMIC_RELAXED);
}

u32
code_seen(u64 object, u64 check, u32 hint, u64 ticks)
{
    struct entry out, *e = find(object, check, &out);

    if (!e)
        return 0;
    __atomic_store_n(&e->hint, hint, __ATOMIC_RELAXED);
    __atomic_store_n(&e->seen, unit_of(ticks), __ATOMIC_RELAXED);
    return out.weak || !out.saved ? 0 : believed_until(unit_of(ticks));
}

static unsigned char *
begin(struct thread *t, u64 ticks, u32 text)
{
    return writer_begin(&t->overview, FILE_overview, t->id, ticks, NUMBERS + text);
}

static int
write_lines(struct thread *t, const struct rec_code *what, code_lines *lines, void *arg)
{
    char *piece = t->code_buffer + CODE_BUFFER - CODE_PIECE;

    for (u32 at = 0; at < what->size; at += CODE_PIECE) {
        u32 left = what->size - at, len = left < CODE_PIECE ? left : CODE_PIECE;
        struct rec_codelines rec = { what->time, what->id, at, { piece, len } };
        unsigned char *p;

        if (!lines(arg, at, piece, len))
            return 1; /* no more can be read, but the name is written */
        p = begin(t, what->time, len);
        if (!p)
            return 0;
        writer_commit(&t->overview, rec_put_codelines(&t->overview.codec, p, &rec));
    }
    return 1;
}

int
code_write(struct thread *t, struct rec_code *what, code_lines *lines, void *arg)
{
    unsigned char *p;
    u32 cpu;

    what->time = clock_ticks(&cpu);
    p = begin(t, what->time, what->name.len + what->file.len);
    if (!p)
        return 0;
    writer_commit(&t->overview, rec_put_code(&t->overview.codec, p, what));
    return write_lines(t, what, lines, arg);
}

int
code_block(u64 *before)
{
    u64 all = ~((u64)1 << (SIGBUS - 1));

    return sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&all,
                     (long)(uintptr_t)before, SIGSET_BYTES) >= 0;
}

void
code_unblock(u64 before)
{
    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&before, 0,
              SIGSET_BYTES);
}
