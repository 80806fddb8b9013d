/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the writable memory of another process. Pages that it never touched are
 * skipped: it has stored nothing there. Called by any thread of the launcher.
 */
#ifndef ERTOOLS_COLLECTOR_LEAKS_MEMORY_H
#define ERTOOLS_COLLECTOR_LEAKS_MEMORY_H

#include <sys/types.h>

#include "share/types.h"

enum {
    MEMORY_PAGE = 4096,
    MEMORY_WINDOW = 1 << 20, /* bytes that are read at once, at most */
};

/* A mapping of the process that can be read and written. */
struct memory_area {
    u64 lo, hi;
    int anonymous;
    int main_stack;
    int guarded; /* a guard area without access lies below it, as with thread stacks */
    int libc;    /* data of the C library */
};

struct memory {
    pid_t pid;
    int pages; /* descriptor of /proc/PID/pagemap, -1 = read all pages */
    u64 until; /* CLOCK_MONOTONIC ns after which reading fails with -ETIME, 0 = never */
    struct memory_area *area;
    u32 areas, area_room;
    unsigned char *window;
    u64 map[MEMORY_WINDOW / MEMORY_PAGE + 1];
};

/*
 * Read the list of mappings. skip: prefixes of paths whose mappings are left out, as
 * those of devices are; NULL ends it. 0 or -errno: -ESRCH if no mapping is left.
 */
int memory_open(struct memory *m, pid_t pid, const char *const *skip);
void memory_close(struct memory *m);

/*
 * Read [lo, hi), at most MEMORY_WINDOW bytes. `piece` is called for each run of present
 * pages; its addr is a multiple of 8 if lo is. A result of `piece` other than 0 stops
 * the reading and is returned; else 0 or -errno: -ESRCH when the process is gone,
 * -ETIME after m->until.
 */
typedef int memory_piece(void *context, u64 addr, const u64 *word, u64 words);
int memory_read(struct memory *m, u64 lo, u64 hi, memory_piece *piece, void *context);

/* As memory_read(), for any length, window by window. */
int memory_read_all(struct memory *m, u64 lo, u64 hi, memory_piece *piece,
                    void *context);

/* Read exactly these bytes. 0 or -errno. */
int memory_peek(const struct memory *m, u64 addr, void *to, u64 bytes);

/* The area that contains this byte, or NULL. */
const struct memory_area *memory_area_of(const struct memory *m, u64 addr);

#endif
