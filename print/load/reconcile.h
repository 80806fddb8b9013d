/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reconciles the hits of a thread with the kernel's account. In that account, the sum
 * of user and system time is exact; but the kernel divides the sum by sampling at
 * ticks, as hits do. By chance, the hits may add up to more than the thread has used.
 * Then the system time of its hits is reduced, and after that their user time. If only
 * one of the two is larger than in the kernel's account, but not the sum, the hits are
 * not changed. A hit after a thread's last residual may stand for time that the
 * residual includes, too: it is reduced if the threads together would have more than
 * the process. So no residual is negative, and all rows together equal what the kernel
 * accounts.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECONCILE_H
#define ERTOOLS_PRINT_LOAD_RECONCILE_H

#include "print/load/records.h"
#include "share/types.h"

/*
 * In this time, kernel hits (MSTATE_KERNEL) replace the hits of CPU-time timers in
 * system mode; a thread without kernel hits keeps those of timers. Kernel hits show
 * where the time was spent; timers show how much it was, as they follow the kernel's
 * account. So kernel hits are scaled to the sum of the hits they replace, by a factor
 * of at most 2.
 */

/* The time in which the kernel sampled: kernel hits are at ticks in [from, to). */
struct reconcile_span {
    u64 from;
    u64 to;
};

/* How a thread's records are changed. */
struct reconcile_row {
    u32 thread;
    bool has_kernel; /* it has kernel hits: hits of timers in the span are left out */
    u64 replaced;    /* how many hits are left out */
    double kernel;   /* factor of the weights of kernel hits */
    bool scaled;
    double user; /* factors of its hits' weights */
    double system;
    u64 last; /* time of its last residual, which is set to the sums below */
    u64 residual_user;
    u64 residual_system;
};

/* The indices of a record's fields; -1 = it has no such field. */
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
    u32 kinds; /* of records that the file has: a bit for each number */
    bool made;
    struct reconcile_span span;
};

/*
 * The changes for the file of clock hits; they are computed at the first call. threads:
 * the largest thread id. process: the CPU time (ns) of the process while it was
 * recorded, UINT64_MAX = not known. span: the time in which the kernel sampled; empty
 * if it did not. NULL: no record must be changed, as in all other files.
 */
const struct reconcile *reconcile_once(struct reconcile *reconcile,
                                       const struct record_source *source,
                                       u32 threads, u64 process,
                                       struct reconcile_span span);
void reconcile_free(struct reconcile *reconcile);

/*
 * Is it known that the file of clock hits has no record of this kind? record: of that
 * file's schema.
 */
bool reconcile_lacks(const struct reconcile *reconcile,
                     const struct schema_record *record);

/* Pass a batch on to the sink, changed as its thread requires. */
void reconcile_batch(const struct reconcile *reconcile, const struct batch *batch,
                     const struct record_sink *sink);

/* How many of a thread's hits are left out, as kernel hits have replaced them. */
u64 reconcile_replaced(const struct reconcile *reconcile, u32 thread);

/*
 * If one part is negative, subtract it from the other one; if the sum is, make both 0.
 */
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
