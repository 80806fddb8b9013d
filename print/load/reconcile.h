/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hits of a thread, reconciled with what the kernel accounts to it. The sum of user
 * and system time is exact there; how much of it was in the kernel, ticks have found,
 * as hits did. So hits may be more than all that the thread has used, by chance: then
 * system time gives way, and only then user time. Where just the one is more and the
 * other less than the kernel says, hits are believed. A hit after a thread's last
 * residual may stand for time that the residual has: it gives way where the threads
 * together would have more than the process. So no residual is negative, and what all
 * rows sum up to is what the kernel says.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECONCILE_H
#define ERTOOLS_PRINT_LOAD_RECONCILE_H

#include "print/load/records.h"
#include "share/types.h"

/*
 * Hits of the kernel's own samples (MSTATE_KERNEL) say where system time was spent, in
 * the place of those that CPU-time timers found while there were such samples; of a
 * thread that has none, those are believed. How much system time it was, the timers
 * know, by what the kernel accounts to the thread: the others come to as much, where
 * that is no more than twice their weights.
 */

/* While the kernel sampled: hits at ticks in [from, to). */
struct reconcile_span {
    u64 from;
    u64 to;
};

/* What a thread's records become. */
struct reconcile_row {
    u32 thread;
    bool has_kernel; /* such hits: those of timers in the span are left out */
    u64 replaced;    /* how many these are */
    double kernel;   /* factor of their weights */
    bool scaled;
    double user; /* factors of its hits' weights */
    double system;
    u64 last; /* time of its last residual, which gets the sum of them all: */
    u64 residual_user;
    u64 residual_system;
};

/* Where a kind of record has its fields, -1 = nowhere. */
struct reconcile_fields {
    int mstate, weight;
    int time, kind, user, system;
    bool clock; /* it is a hit of the clock */
    bool residual;
};

struct reconcile {
    struct reconcile_fields fields[SCHEMA_KINDS]; /* by the record's number */
    struct reconcile_row *row; /* by thread; only those that need it */
    u32 count;
    bool made;
    struct reconcile_span span;
};

/*
 * What the file of clock hits needs, found out when first asked for; threads: ids are
 * up to this; process: ns that the process has used in all while it was recorded,
 * UINT64_MAX = not known; span: when the kernel sampled, empty if never. NULL: records
 * are to be taken as they are, as those of all other files.
 */
const struct reconcile *reconcile_once(struct reconcile *reconcile,
                                       const struct record_source *source,
                                       u32 threads, u64 process,
                                       struct reconcile_span span);
void reconcile_free(struct reconcile *reconcile);

/* Hand a batch on to the sink, changed where its thread needs it. */
void reconcile_batch(const struct reconcile *reconcile, const struct batch *batch,
                     const struct record_sink *sink);

/* How many of a thread's hits are left out. */
u64 reconcile_replaced(const struct reconcile *reconcile, u32 thread);

/* What an account leaves of CPU time, if neither part is to be negative. */
static inline void
reconcile_rest(int64_t *user, int64_t *system)
{
    int64_t sum = *user + *system;

    if (sum < 0)
        sum = 0;
    if (*user < 0 || *system < 0) {
        *user = *user > 0 ? sum : 0;
        *system = sum - *user;
    }
}

#endif
