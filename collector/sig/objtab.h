/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which load object holds an address: the collector's own sorted table of executable
 * ranges. objtab_find() runs in signal handlers beside a writer, without locks. All
 * else is normal context, one writer at a time (the caller serialises).
 *
 * The table is the master of the caches: a range that is removed, or that was unknown
 * so far and becomes known, loses its rules and cached nodes, and the generation
 * moves, so that no thread trusts its last walk. A removal of an object that was not
 * seen in a stack costs none of this, others as much as the caches got since it was.
 * An object that comes back at its base with the same instance id gets its nodes back.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_OBJTAB_H
#define ERTOOLS_COLLECTOR_SIG_OBJTAB_H

#include "share/types.h"

enum objtab_flag {
    OBJTAB_OURS = 1,      /* the collector itself: its frames are not shown */
    OBJTAB_VDSO = 2,
    OBJTAB_JIT = 4,       /* code made at run time, registered by its maker */
    OBJTAB_ANONYMOUS = 8, /* an executable mapping without a file */
};

struct objtab_object {
    u64 lo; /* [lo, hi): executable addresses */
    u64 hi;
    u64 hdr; /* address of .eh_frame_hdr (PT_GNU_EH_FRAME) in memory, 0 = none */
    u64 hdr_size;
    u64 tables_lo; /* [tables_lo, tables_hi): the mapped part that hdr is in */
    u64 tables_hi;
    u32 instance; /* load instance id of map.xml, 0 = unknown */
    u32 flags;    /* enum objtab_flag */
};

/*
 * Add a range; what it overlaps is removed first. The same range with the same content
 * again costs nothing. 0, -EINVAL (empty range, above user space), -ENOMEM.
 */
int objtab_add(const struct objtab_object *object);

/* Remove what is of this instance in [lo, hi), also out of its middle. 0, -ENOMEM. */
int objtab_remove(u64 lo, u64 hi, u32 instance);

/* Number of ranges. */
u32 objtab_count(void);

/*
 * The function _dl_find_object, for addresses that are not in the table, or NULL. Type:
 * int (*)(void *, struct dl_find_object *); libc has had it since 2.35.
 */
void objtab_set_finder(void *function);

/*
 * The object that holds pc. 1, with *object set; 0 when nobody knows the address. An
 * object that only the finder knows has instance 0, and sets the refresh word.
 */
int objtab_find(u64 pc, struct objtab_object *object);

/*
 * Where to look for code that is in no object: count words of ctl_code_word(), which
 * the launcher changes. Until then, or with NULL, there is none.
 */
void objtab_set_code(const u64 *words, u32 count);

enum objtab_code {
    CODE_NONE,   /* no code, as far as anybody knows */
    CODE_MADE,   /* made at run time: in a mapping without a file */
    CODE_OBJECT, /* in a load object */
};

/* What an address is in. For words that may be anything. */
enum objtab_code objtab_code(u64 pc);

/*
 * Note that a cache gets something of this object, or of a pc in none (instance 0);
 * see the opening comment. Before it gets it.
 */
void objtab_note_use(u32 instance, u64 pc);

/*
 * Changes with the table. What was found out from the table as it was is not to be kept
 * when it has changed meanwhile: stored, reported to recent.h, and then removed.
 */
u32 objtab_now(void);

/* 1 if code was met at any time that was in no object then. */
int objtab_met_unknown(void);

/* Moves whenever last walks and cached rules of some range became void. */
extern u32 objtab_generation;

/* Set when code ran that is in no object of the table: look at the maps. */
extern u32 objtab_refresh_wanted;

#endif
