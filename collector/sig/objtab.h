/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which load object holds an address: the collector's own sorted table of executable
 * ranges. objtab_add(), objtab_remove() and objtab_set_...() are for normal context,
 * one writer at a time (the caller serialises). The other functions also run in signal
 * handlers beside a writer, without locks.
 *
 * The table controls the caches: when a range is removed, or an unknown range becomes
 * known, its rules and cached nodes are flushed and the generation is incremented, so
 * that no thread reuses its last walk. If the removed object was in no stack, all this
 * is skipped; otherwise the cost is proportional to the entries that the caches got
 * since the object was first seen. An object that is loaded again at its base with the
 * same instance id gets its nodes back.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_OBJTAB_H
#define ERTOOLS_COLLECTOR_SIG_OBJTAB_H

#include "share/types.h"

enum objtab_flag {
    OBJTAB_OURS = 1,      /* libcollector.so or a family's: its frames are not shown */
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
 * Add a range; what it overlaps is removed first. If the same object is there already,
 * nothing is done. 0, -EINVAL (empty range, above user space), -ENOMEM.
 */
int objtab_add(const struct objtab_object *object);

/*
 * Remove [lo, hi) from the ranges of this instance, which may split one in two. 0, also
 * if it has nothing there; -ENOMEM.
 */
int objtab_remove(u64 lo, u64 hi, u32 instance);

/* Number of ranges in the table. */
u32 objtab_count(void);

/*
 * Set the function that finds objects which are not in the table, or NULL. It is
 * _dl_find_object(), which libc has had since 2.35:
 *
 * int (*)(void *, struct dl_find_object *)
 */
void objtab_set_finder(void *function);

/*
 * Find the object that holds pc. 1, with *object set; 0 = unknown address. An object
 * that only the finder knows has instance 0, and sets objtab_refresh_wanted.
 */
int objtab_find(u64 pc, struct objtab_object *object);

/*
 * Set where objtab_code() looks for code that is in no object: count words of
 * ctl_code_word(), which the launcher changes. Before that, or with NULL, it knows of
 * none.
 */
void objtab_set_code(const u64 *words, u32 count);

enum objtab_code {
    CODE_NONE,   /* not code, as far as is known */
    CODE_MADE,   /* code made at run time: in a mapping without a file */
    CODE_OBJECT, /* code of a load object */
};

/* The kind of code at an address; pc may also be a word that is not an address. */
enum objtab_code objtab_code(u64 pc);

/*
 * Call before a cache gets an entry for this object, or for a pc in no object (instance
 * 0); see the top of this file.
 */
void objtab_mark_use(u32 instance, u64 pc);

/*
 * The version of the table. Read it before a cache entry is computed, and again after
 * the entry was stored and reported to recent.h: if it has changed, remove the entry.
 */
u32 objtab_now(void);

/* 1 if objtab_mark_use() was ever called for a pc in no object. */
int objtab_saw_unknown(void);

/* Incremented when threads' last walks become invalid. */
extern u32 objtab_generation;

/*
 * Set when a walk has met code in no object of the table: the maps are to be read
 * again.
 */
extern u32 objtab_refresh_wanted;

#endif
