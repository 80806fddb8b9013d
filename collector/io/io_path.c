/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/io/io_path.h"

#include <fcntl.h>

#include "collector/io/io_name.h"

enum {
    ROWS = 1024,
    WAYS = 4,
};

/*
 * A row has two words, written without a lock. The value is mixed into the key, so that
 * a row does not match if two threads have written a word each.
 */
struct row {
    u64 key;   /* hash ^ value */
    u64 value; /* id << 32 | more of the hash */
};

static struct row rows[ROWS][WAYS];
static u32 moves; /* how often the working directory has changed */

struct key {
    u64 hash;
    u32 more;
};

static u64
mix(u64 v)
{
    v ^= v >> 32;
    v *= 0xd6e8feb86659fd93ull;
    v ^= v >> 29;
    return v;
}

/* The key of a path depends on the directory that the path is relative to. */
static struct key
key_of(const char *path, u64 base)
{
    u64 a = 0xcbf29ce484222325ull ^ mix(base + 1), b = base * 31 + 7;

    for (; *path; path++) {
        a = (a ^ (unsigned char)*path) * 0x100000001b3ull;
        b = b * 0x9e3779b97f4a7c15ull + (unsigned char)*path;
    }
    return (struct key){ mix(a), (u32)mix(b) };
}

static u32
find_row(const struct key *k)
{
    for (u32 i = 0; i < WAYS; i++) {
        struct row *r = &rows[k->hash % ROWS][i];
        u64 value = __atomic_load_n(&r->value, __ATOMIC_ACQUIRE);
        u64 key = __atomic_load_n(&r->key, __ATOMIC_RELAXED);

        if (value && (key ^ value) == k->hash && (u32)value == k->more)
            return (u32)(value >> 32);
    }
    return 0;
}

static void
keep(const struct key *k, u32 id)
{
    struct row *r = &rows[k->hash % ROWS][id % WAYS];
    u64 value = (u64)id << 32 | k->more;

    __atomic_store_n(&r->key, k->hash ^ value, __ATOMIC_RELAXED);
    __atomic_store_n(&r->value, value, __ATOMIC_RELEASE);
}

/* A path that is to be recorded, and the id that it gets. */
struct addition {
    struct io_event *e;
    const char *path;
    int dir;
    u32 id;
};

static void
put_path(void *arg)
{
    struct addition *a = arg;
    struct io_name n;
    struct rec_file r = { .kind = FILE_KIND_PATH, .how = FILE_PATH_ONLY };

    io_name_path(&n, a->dir, a->path);
    r.name.s = n.text;
    r.name.len = n.len;
    a->id = io_file_add(a->e, &r);
}

static __attribute__((noinline)) u32
add(struct io_event *e, int dir, const char *path)
{
    struct addition a = { e, path, dir, 0 };

    trace_services->stack_run(put_path, &a);
    return a.id;
}

u32
io_path_of(struct io_event *e, int dir, const char *path)
{
    u64 base = 0;
    struct key k;
    u32 id;

    if (path[0] != '/')
        base = dir == AT_FDCWD
                   ? (u64)__atomic_load_n(&moves, __ATOMIC_RELAXED) << 32 | 1
                   : (u64)io_file_of(e, dir, 1) << 32 | 2;
    k = key_of(path, base);
    id = find_row(&k);
    if (!id) {
        id = add(e, dir, path);
        keep(&k, id);
    }
    return id;
}

void
io_path_moved(void)
{
    __atomic_fetch_add(&moves, 1, __ATOMIC_RELAXED);
}

void
io_path_forget_all(void)
{
    for (u32 i = 0; i < ROWS; i++)
        for (u32 k = 0; k < WAYS; k++)
            rows[i][k].value = 0;
}
