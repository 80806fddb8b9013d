/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/io/io_file.h"

#include "collector/io/io_name.h"
#include "collector/sig/guard.h"

enum {
    RECORD_BYTES = ER_RECORD_MAX + ER_STR_MAX + TRACE_BYTES,
};

static u64 first_page[IO_PAGE_FDS];
static u32 last_id;

u64 *io_pages[IO_PAGES] = { first_page };

/*
 * Find the place of a descriptor's entry, in a page that is made if needed. NULL: the
 * descriptor is too large, or there is no memory.
 */
static u64 *
entry_at(int fd)
{
    u32 at = (u32)fd / IO_PAGE_FDS;
    u64 *page, *none = NULL;

    if (at >= IO_PAGES)
        return NULL;
    page = __atomic_load_n(&io_pages[at], __ATOMIC_ACQUIRE);
    if (!page) {
        page = sys_map(IO_PAGE_FDS * sizeof(u64));
        if (!page)
            return NULL;
        if (!__atomic_compare_exchange_n(&io_pages[at], &none, page, 0,
                                         __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            sys_unmap(page, IO_PAGE_FDS * sizeof(u64));
            page = none;
        }
    }
    return &page[(u32)fd % IO_PAGE_FDS];
}

static u32
set(int fd, u64 entry)
{
    u64 *at = entry_at(fd);

    if (at)
        __atomic_store_n(at, entry, __ATOMIC_RELAXED);
    return (u32)(entry >> 32);
}

static u64
new_entry(void)
{
    return (u64)__atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED) << 32;
}

u64
io_file_remove(int fd)
{
    if (!io_file_entry(fd))
        return 0;
    return __atomic_exchange_n(entry_at(fd), 0, __ATOMIC_RELAXED);
}

void
io_file_remove_range(unsigned first, unsigned last)
{
    for (u32 i = first / IO_PAGE_FDS; i < IO_PAGES && i <= last / IO_PAGE_FDS; i++)
        for (u32 k = 0; io_pages[i] && k < IO_PAGE_FDS; k++)
            if (i * IO_PAGE_FDS + k >= first && i * IO_PAGE_FDS + k <= last)
                __atomic_store_n(&io_pages[i][k], 0, __ATOMIC_RELAXED);
}

void
io_file_forget_all(void)
{
    io_file_remove_range(0, ~0u);
}

/*
 * Write a record `file`. Signals are blocked, since a handler of the target could fork
 * while it is written: see trace_renew().
 */
static void
put(struct io_event *e, const struct rec_file *r)
{
    struct trace *trace = &e->s.t->trace[TRACE_io];
    u64 mask = guard_enter();
    struct chunk_writer *w =
        trace_open_for(&e->s, trace, FILE_iotrace, e->ticks, RECORD_BYTES);

    if (w)
        trace_close_as(&e->s, trace, w, rec_put_file(&w->codec, trace_at(w), r), 0);
    guard_leave(mask);
}

static void
add(struct io_event *e, struct rec_file *r, u64 entry)
{
    r->time = e->ticks >> SHIFT_iotrace;
    r->id = (u32)(entry >> 32);
    put(e, r);
}

u32
io_file_add(struct io_event *e, struct rec_file *r)
{
    add(e, r, new_entry());
    return r->id;
}

/* An open descriptor that is to be described; path: NULL = as the kernel names it. */
struct description {
    struct io_event *e;
    u64 entry;
    int fd;
    u32 how;
    const char *path;
    const struct sockaddr *to;
    u32 size;
};

static void
put_description(void *arg)
{
    const struct description *d = arg;
    struct io_name n;
    struct rec_file r = { .fd = (u64)d->fd + 1, .how = d->how };

    io_name_fd(&n, d->fd, d->path, d->to, d->size);
    r.kind = n.kind;
    r.fstype = n.fstype;
    r.name.s = n.text;
    r.name.len = n.len;
    add(d->e, &r, d->entry);
}

static __attribute__((noinline)) void
describe(struct io_event *e, u64 entry, int fd, u32 how, const char *path,
         const struct sockaddr *to, u32 size)
{
    struct description d = { e, entry, fd, how, path, to, size };

    trace_services->stack_run(put_description, &d);
}

u32
io_file_opened(struct io_event *e, int fd, const char *path)
{
    u64 entry = new_entry();

    set(fd, entry);
    describe(e, entry, fd, FILE_OPENED, path, NULL, 0);
    return (u32)(entry >> 32);
}

u32
io_file_pending(int fd)
{
    return set(fd, new_entry() | IO_FILE_PENDING);
}

/*
 * Write the record of a socket that now has a name. If several threads come here, the
 * one that clears the flag does it.
 */
void
io_file_named(struct io_event *e, int fd, const struct sockaddr *to, u32 size)
{
    u64 entry = io_file_entry(fd);
    u64 settled = entry & ~(u64)IO_FILE_PENDING;

    if (entry != settled &&
        __atomic_compare_exchange_n(entry_at(fd), &entry, settled, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        describe(e, settled, fd, FILE_OPENED, NULL, to, size);
}

void
io_file_settle(struct io_event *e, u64 entry, int fd)
{
    describe(e, entry, fd, FILE_OPENED, NULL, NULL, 0);
}

u32
io_file_copied(struct io_event *e, int from, int fd)
{
    u32 id = io_file_of(e, from, 0);

    if (fd >= 0 && fd != from)
        set(fd, (u64)id << 32);
    return id;
}

/*
 * Make the entry of a descriptor that no hook has seen being opened. If several threads
 * use it, the first one makes the entry.
 */
static u32
add_inherited(struct io_event *e, int fd)
{
    u64 *at = entry_at(fd);
    u64 entry = 0, mine = new_entry();

    if (!at || !io_name_is_open(fd))
        return 0;
    if (!__atomic_compare_exchange_n(at, &entry, mine, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return (u32)(entry >> 32);
    describe(e, mine, fd, FILE_INHERITED, NULL, NULL, 0);
    return (u32)(mine >> 32);
}

u32
io_file_find(struct io_event *e, int fd, int may_pend)
{
    u64 entry = io_file_entry(fd);

    if (!entry)
        return add_inherited(e, fd);
    if (!may_pend)
        io_file_named(e, fd, NULL, 0);
    return (u32)(entry >> 32);
}
