/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table from this process's descriptors to the ids of records `file`. An entry is set
 * when a hook sees the descriptor opened, or at its first use if no hook has seen that.
 * It is removed before the descriptor is closed. If the target closes a descriptor and
 * opens it again by its own system calls, the entry wrongly stays that of the old file.
 *
 * Call the functions between trace_enter() and trace_leave(), except those that only
 * remove entries. No locks.
 */
#ifndef ERTOOLS_COLLECTOR_IO_IO_FILE_H
#define ERTOOLS_COLLECTOR_IO_IO_FILE_H

#include "collector/hook/trace.h"
#include "share/record.h"

struct sockaddr;

enum {
    IO_PAGE_FDS = 1024, /* descriptors in a page of the table */
    IO_PAGES = 1024, /* descriptors from 1 M on have no entry */
    IO_FILE_PENDING = 1, /* the record is yet to be written: a socket without a peer */
};

/* Pages of entries: id of the file << 32 | IO_FILE_PENDING or 0; 0 = no entry. */
extern u64 *io_pages[IO_PAGES];

/*
 * io_file_remove(): remove the entry of fd, and return it; 0 = there is none.
 * io_file_remove_range(): remove the entries of the descriptors from first to last,
 * both included.
 */
u64 io_file_remove(int fd);
void io_file_remove_range(unsigned first, unsigned last);

/* Empty the table: a forked child begins without entries. */
void io_file_forget_all(void);

/* An event that is being recorded. */
struct io_event {
    struct trace_scope s;
    u64 ticks; /* after the call */
    u32 error; /* errno after the call; 0 = it has succeeded */
};

/* Give r a new id and the time of the event, and write the record. Returns the id. */
u32 io_file_add(struct io_event *e, struct rec_file *r);

/*
 * fd refers to another file from now on. path: as the target has given it; if it is
 * NULL or relative, the kernel is asked for the name. Returns the file's id.
 */
u32 io_file_opened(struct io_event *e, int fd, const char *path);

/* fd is a new socket, whose record is not written yet. Returns the file's id. */
u32 io_file_pending(int fd);
/*
 * Write the record of fd, if it is pending: the socket has a name now. to: the address
 * to which it is being connected, of `size` bytes; or NULL.
 */
void io_file_named(struct io_event *e, int fd, const struct sockaddr *to, u32 size);

/* Write the record of a pending entry that was removed; fd is still open. */
void io_file_settle(struct io_event *e, u64 entry, int fd);

/*
 * fd is a copy of the descriptor `from`; less than 0: copying has failed. Returns the
 * id of the file of `from`.
 */
u32 io_file_copied(struct io_event *e, int from, int fd);

/* The slow path of io_file_of(). */
u32 io_file_find(struct io_event *e, int fd, int may_pend);

static inline u64
io_file_entry(int fd)
{
    u32 at = (u32)fd / IO_PAGE_FDS;
    u64 *page = at < IO_PAGES ? __atomic_load_n(&io_pages[at], __ATOMIC_ACQUIRE) : NULL;

    return page ? __atomic_load_n(&page[(u32)fd % IO_PAGE_FDS], __ATOMIC_RELAXED) : 0;
}

/*
 * The id of the file of a descriptor, 0 = none. may_pend: 1 = the record of a pending
 * socket need not be written yet.
 */
static inline u32
io_file_of(struct io_event *e, int fd, int may_pend)
{
    u64 entry = io_file_entry(fd);

    if (ER_LIKELY(entry && !((u32)entry & IO_FILE_PENDING)))
        return (u32)(entry >> 32);
    return fd < 0 ? 0 : io_file_find(e, fd, may_pend);
}

#endif
