/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The labels of an experiment, while er_label changes them. Ordinary process context. A
 * function that returns 1 has printed why, after the experiment's name (shown).
 */
#ifndef ERTOOLS_MANAGE_LABELSET_H
#define ERTOOLS_MANAGE_LABELSET_H

#include "print/load/labels.h"

struct labelset {
    /* Set by the caller before changes: */
    u64 from; /* CLOCK_MONOTONIC ns of the start of the run */
    u64 end;  /* of the run, ns from its start; UINT64_MAX = not ended */
    struct label *row; /* strings are borrowed, or owned by `old` */
    u32 count;
    struct labels old;
};

/*
 * Read the labels; if there is no file, there are none. Print what is wrong in the
 * file. 0, for labelset_free(); or -errno.
 */
int labelset_read(struct labelset *set, int dir, const char *shown);
void labelset_free(struct labelset *set);

/* Write the set as labels.xml, whole or not at all. 0 or -errno. */
int labelset_write(const struct labelset *set, int dir);

/*
 * Add an interval from `start` to `stop` (UINT64_MAX = the end) to a label. The strings
 * must outlive the set. 0 or 1.
 */
int labelset_add(struct labelset *set, const char *shown, const char *name, u64 start,
                 u64 stop);

/*
 * labelset_open(): add an interval without an end, unless the label has one already;
 * labelset_shut(): end that interval. 0 or 1.
 */
int labelset_open(struct labelset *set, const char *shown, const char *name, u64 start);
int labelset_shut(struct labelset *set, const char *shown, const char *name, u64 stop);

/*
 * labelset_remove(): remove a label with all its intervals; labelset_doc(): set a
 * label's description. 0 or 1.
 */
int labelset_remove(struct labelset *set, const char *shown, const char *name);
int labelset_doc(struct labelset *set, const char *shown, const char *name,
                 const char *doc);

/* Print a line for each interval. */
void labelset_print(const struct labelset *set, const char *shown);

#endif
