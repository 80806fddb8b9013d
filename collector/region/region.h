/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The regions that a thread is in, and their records. Normal context of any thread and
 * of the target's signal handlers. Nothing here changes errno.
 *
 * A signal handler may interrupt any of this, and begin and end regions of its own: it
 * finds the depth as the interrupted call has set it, and leaves it so. Data that
 * change rarely (names, the start of the file) are written with signals blocked.
 */
#ifndef ERTOOLS_COLLECTOR_REGION_REGION_H
#define ERTOOLS_COLLECTOR_REGION_REGION_H

#include "collector/hook/trace.h"
#include "collector/sig/gate.h"
#include "collector/sig/space.h"
#include "share/types.h"

enum {
    REGION_DEPTH = 256, /* deeper regions are only counted */
    REGION_WORDS = 8,   /* words of a name that are compared; the rest has a hash */
    REGION_SETS = 128,  /* sets of the cache of paths */
    REGION_WAYS = 4,
    REGION_PLACES = 16, /* entries of a cache by pc: the path that last began there */
};

/* The name of a region, as the program passes it. */
struct region_name {
    const char *s;
    u32 later; /* 1 = only s is set so far */
    u64 hash; /* hash of the whole name */
    u64 rest; /* hash of the name's bytes that do not fit into `word` */
    u32 len;
    u64 word[REGION_WORDS];
};

/*
 * A path: a name, the path around it, and the place where the region begins. The cache
 * evicts paths that have not been used lately; such a path gets a new id when it is
 * used again, and the reader merges them.
 */
struct region_path {
    u32 id; /* 0 = free */
    u32 parent;
    u32 len;
    u32 users; /* open regions with this path */
    u64 rest;
    u64 pc; /* where the region begins, and with which stack pointer */
    u64 sp;
    u64 walked; /* ticks when the stack was walked the last time */
    u64 mean;   /* mean ticks of recent instances, roughly */
    u32 node;
    u64 word[REGION_WORDS];
};

enum region_flag {
    REGION_PAUSED = 1, /* recording was paused or had ended when it began */
    REGION_NOTED = 2,  /* a record `notice` says that it is open */
    REGION_PASSED = 4, /* the function that began it has returned */
};

/* A region that has not ended. */
struct region_open {
    u64 ticks;
    u64 sp; /* stack pointer of the function that began it */
    struct region_path *path; /* NULL = none could be made */
    u32 id; /* id of its path; without one, id of the path around the region */
    u32 flags;
    u64 task; /* hash of the ITT task's id; 0 = none */
};

/* State of a thread. Made at its first call; a forked child inherits it. */
struct region_thread {
    struct thread *thread;
    u32 pid;    /* space_pid of the process that has given the ids of paths */
    u32 depth;
    u32 over;   /* open regions beyond REGION_DEPTH */
    u32 victim; /* the way of the cache that is evicted next */
    u32 phase;  /* depth of the region that MPI_Pcontrol() has begun, 0 = none */
    u32 in_pcontrol; /* calls of MPI_Pcontrol() that have not returned */
    u64 usage_at; /* ticks when to read the thread's resource usage again */
    struct region_path *at[REGION_PLACES]; /* by pc; NULL = none */
    struct region_open open[REGION_DEPTH];
    struct region_path path[REGION_SETS][REGION_WAYS];
};

/*
 * This thread's state, or NULL: nothing is recorded, or the thread is not recorded.
 * Slow only at a thread's first call.
 */
struct region_thread *region_first(void);

static inline struct region_thread *
region_thread(void)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;
    struct region_thread *r = t ? t->region.own : NULL;

    if (ER_UNLIKELY(!r || r->pid != space_pid))
        return t ? region_first() : NULL;
    return r;
}

/*
 * Set a name from a string that ends with a zero (NULL is the empty name); the second
 * function takes a length.
 */
void region_name(struct region_name *name, const char *s);
void region_name_cut(struct region_name *name, const char *s, size_t len);

/*
 * Set only the pointer, for region_begin(): in most cases the pc finds the path, and
 * the name need not be hashed.
 */
static inline void
region_name_later(struct region_name *name, const char *s)
{
    name->s = s ? s : "";
    name->later = 1;
}

/*
 * The path that last began at this place, if it has this name and parent; or NULL. NULL
 * also for a name that does not fit into `word`.
 */
struct region_path *region_path_again(const struct region_thread *r, const char *s,
                                      u32 parent, const struct walk_start *start);

/* The index in `at` of the path that last began at this pc. */
static inline u32
region_place(u64 pc)
{
    return (pc ^ pc >> 5) % REGION_PLACES;
}

/* The path of this name below `parent`, made if it is new; NULL = there was no room. */
struct region_path *region_path(struct region_thread *r, const struct region_name *name,
                                u32 parent, const struct walk_start *start);

/* Walk the stack again. A path whose stack has changed gets another id. */
void region_path_walk(struct region_thread *r, struct region_path *path,
                      const struct region_name *name, const struct walk_start *start);

/*
 * Call in a forked child: gives the paths of open regions new ids, and forgets all
 * others.
 */
void region_paths_renew(struct region_thread *r);

/*
 * Begin a region, and end the innermost one. start: from TRACE_CAPTURE() in the
 * function that the program calls. ticks, of region_begin(): when the region before it
 * ended, to begin this one at the same time; 0 = read the clock. sp: the stack pointer
 * of the program's function that ends the region.
 */
void region_begin(struct region_thread *r, struct region_name *name,
                  const struct walk_start *start, u64 ticks);
void region_end(struct region_thread *r, u64 ticks, u64 sp);

/*
 * Call when longjmp() leaves the stack between these addresses: ends the regions that
 * began there.
 */
void region_jumped(u64 from, u64 to);

/*
 * Record the thread's resource usage, and notices of the regions that have been open
 * for more than a second.
 */
void region_usage(struct region_thread *r);

/*
 * Record notices of open regions, so that these are known even if the process is killed
 * before they end. all: 1 = of all; 0 = of those that began more than a second ago.
 */
void region_notice_open(struct region_thread *r, int all);

/*
 * The program or the recording ends: record notices of the regions that are open in a
 * thread, which may be another one.
 */
void region_notice_last(struct thread *t);

/*
 * Record a notice, which belongs to the innermost region, if there is one. While
 * recording is paused, nothing is recorded. start: NULL records no stack. The beginning
 * and the end of an interval have the same value.
 */
void region_notice(struct region_thread *r, enum er_notice what, u64 value,
                   const char *text, size_t len, const struct walk_start *start);

/* Like region_notice(), at an earlier time, `ticks`. */
void region_notice_at(struct region_thread *r, u64 ticks, enum er_notice what,
                      u64 value, const char *text, size_t len,
                      const struct walk_start *start);

/*
 * Call when the program uses regions: from now on, those that OpenMP runtimes announce
 * by ITT are recorded, too.
 */
void region_itt_wanted(void);

/* Set this thread's name, cut to 15 bytes; the program has named it. */
void region_thread_name(const char *name);

/* A number for an interval, unique in this process. */
u64 region_interval(void);

#endif
