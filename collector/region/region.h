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
#include "collector/preload/expt.h"
#include "collector/sig/gate.h"
#include "share/types.h"

enum {
    REGION_DEPTH = 256, /* deeper ones are counted, not recorded */
    REGION_WORDS = 8,   /* of a name, compared as they are; the rest by a hash */
    REGION_SETS = 128,  /* of the cache of paths */
    REGION_WAYS = 4,
    REGION_PLACES = 16, /* slots, by pc, for the path that began there last */
};

/* A name as a call gives it. */
struct region_name {
    const char *s;
    u32 later; /* only s is set yet */
    u64 hash;
    u64 rest; /* hash of the name's bytes after these words */
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
    u32 users; /* regions that are open */
    u64 rest;
    u64 pc; /* where it begins, and with which stack pointer */
    u64 sp;
    u64 walked; /* when the stack was walked the last time */
    u64 mean;   /* mean ticks of recent instances, roughly */
    u32 node;
    u64 word[REGION_WORDS];
};

enum region_flag {
    REGION_PAUSED = 1, /* recording was paused or over as it began */
    REGION_NOTED = 2,  /* a notice says that it is open */
    REGION_PASSED = 4, /* the function that began it has returned */
};

/* A region that has not ended. */
struct region_open {
    u64 ticks;
    u64 sp; /* of its caller */
    struct region_path *path; /* NULL = none could be made */
    u32 id;
    u32 flags;
    u64 task; /* of ITT, by a hash of its number; 0 = none */
};

/* State of a thread. Made at its first call; a forked child inherits it. */
struct region_thread {
    struct thread *thread;
    u32 pid;    /* the process that the ids of paths are of */
    u32 depth;
    u32 over;   /* open regions beyond REGION_DEPTH */
    u32 victim; /* the way of the cache that is evicted next */
    u32 phase;  /* the depth with the region of MPI_Pcontrol(), 0 = there is none */
    u32 in_pcontrol;
    u64 usage_at; /* when the thread's account is to be read again */
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

    if (ER_UNLIKELY(!r || r->pid != expt_pid))
        return t ? region_first() : NULL;
    return r;
}

/* A name that ends with a zero; NULL is empty. The other one has its length. */
void region_name(struct region_name *name, const char *s);
void region_name_cut(struct region_name *name, const char *s, size_t len);

/* One that ends with a zero, for region_begin(): mostly its place says which it is. */
static inline void
region_name_later(struct region_name *name, const char *s)
{
    name->s = s ? s : "";
    name->later = 1;
}

/* The path that last began at this place, if it has this name and parent; or NULL. */
struct region_path *region_path_again(const struct region_thread *r, const char *s,
                                      u32 parent, const struct walk_start *start);

/* Where the path that begins at this place is remembered. */
static inline u32
region_place(u64 pc)
{
    return (pc ^ pc >> 5) % REGION_PLACES;
}

/* Its path below another, made if it is new; NULL = there was no room. */
struct region_path *region_path(struct region_thread *r, const struct region_name *name,
                                u32 parent, const struct walk_start *start);

/* Walk the stack again. A path whose stack has changed gets another id. */
void region_path_walk(struct region_thread *r, struct region_path *path,
                      const struct region_name *name, const struct walk_start *start);

/* In a forked child: the paths that are open get ids of its own, others are void. */
void region_paths_renew(struct region_thread *r);

/*
 * The start is the call's: TRACE_CAPTURE() in the function that the program calls.
 * ticks: when the one before ended, 0 = the beginning is when this is done.
 */
void region_begin(struct region_thread *r, struct region_name *name,
                  const struct walk_start *start, u64 ticks);
void region_end(struct region_thread *r, u64 ticks, u64 sp);

/* A jump leaves the stack between these addresses: end the regions begun there. */
void region_jump(u64 from, u64 to);

/* Read the thread's account, and say which regions have been open for long. */
void region_usage(struct region_thread *r);

/* Say which regions are open; all of them, or those that have been so for a second. */
void region_note_open(struct region_thread *r, int all);

/*
 * The program ends, or recording has ended: say which regions a thread is in, perhaps
 * another one.
 */
void region_note_last(struct thread *t);

/*
 * A notice of the innermost region, or without one of none. start: NULL records no
 * stack. An interval's beginning and end have the same value.
 */
void region_notice(struct region_thread *r, enum er_notice what, u64 value,
                   const char *text, size_t len, const struct walk_start *start);

/* The same at a time in ticks that has passed. */
void region_notice_at(struct region_thread *r, u64 ticks, enum er_notice what,
                      u64 value, const char *text, size_t len,
                      const struct walk_start *start);

/* Something begins a region: those that OpenMP runtimes announce are wanted, too. */
void region_itt_wanted(void);

/* The program has a name for this thread. */
void region_thread_name(const char *name);

/* A number for an interval, unique in this process. */
u64 region_interval(void);

#endif
