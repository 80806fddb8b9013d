/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which load object holds an address: the collector's own sorted table of executable
 * ranges. objtab_rewrite(), what it needs and objtab_set_...() are for normal context,
 * one writer at a time (the caller serialises). The other functions also run in signal
 * handlers beside a writer, without locks.
 *
 * Ranges come and go by loaded.h, which also keeps the caches in step with the table.
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
 * The version of the table. Read it before a cache entry is computed, and again after
 * the entry was stored and reported to recent.h: if it has changed, remove the entry.
 */
u32 objtab_now(void);

/* Incremented when threads' last walks become invalid. */
extern u32 objtab_generation;

/*
 * Set when a walk has met code in no object of the table: the maps are to be read
 * again.
 */
extern u32 objtab_refresh_wanted;

/*
 * For the writer alone, loaded.c and what it uses: the table, sorted by lo, without
 * overlaps, as it is and as it was before the last objtab_rewrite().
 */
struct objtab_table {
    struct objtab_object *objects;
    u32 count;
    u32 capacity;
};

const struct objtab_table *objtab_present(void);
const struct objtab_table *objtab_previous(void);

/* 1 if the table has this very object. */
int objtab_has(const struct objtab_object *object);

struct objtab_removal {
    u64 lo; /* [lo, hi) */
    u64 hi;
    u32 instance; /* only ranges of this one; 0 = all */
};

/*
 * Publish a new table: the present one after a removal, with `added` unless that is
 * NULL. 0, -ENOMEM. Leaves the caches as they are.
 */
int objtab_rewrite(const struct objtab_removal *removal,
                   const struct objtab_object *added);

#endif
