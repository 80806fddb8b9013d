/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reconciles the hits of a thread with the kernel's account. In that account, the sum
 * of user and system time is exact; but the kernel divides the sum by sampling at
 * ticks, as hits do. By chance, the hits may add up to more than the thread has used.
 * Then the system time of its hits is reduced, and after that their user time. If only
 * one of the two is larger than in the kernel's account, but not the sum, the hits are
 * not changed. A hit after a thread's last residual may stand for time that the
 * residual includes, too: the residual is reduced if the threads together would have
 * more than the process. So no residual is negative, and all records together equal
 * what the kernel accounts.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_RECONCILE_H
#define ERTOOLS_PRINT_LOAD_RECORD_RECONCILE_H

#include "print/load/record/scan.h"
#include "share/types.h"

/*
 * The time in which the kernel sampled: [from, to). In this time, kernel hits
 * (MSTATE_KERNEL) replace the hits of CPU-time timers in system mode; a thread without
 * kernel hits keeps those of timers. Kernel hits show where the time was spent; timers
 * show how much it was, as they follow the kernel's account. So kernel hits are scaled
 * to the sum of the hits they replace, by a factor of at most 2.
 */
struct reconcile_span {
    u64 from;
    u64 to;
};

/* How a thread's records are changed. */
struct reconcile_row {
    u32 thread;
    bool has_kernel; /* it has kernel hits: hits of timers in the span are left out */
    u64 replaced;    /* how many hits of timers are left out */
    double kernel;   /* factor for the weights of kernel hits */
    bool scaled;     /* multiply the weights of all hits by the next two */
    double user;     /* factor for hits in user mode */
    double system;   /* factor for hits in system mode, kernel hits included */
    /*
     * record time of its last residual, which gets the sums below (ns); its others
     * become 0. UINT64_MAX = do not change residuals
     */
    u64 last;
    u64 residual_user;
    u64 residual_system;
};

/* The indices of a record's fields; -1 = it has no such field. */
struct reconcile_fields {
    int mstate, weight;
    int time, kind, user, system;
    bool clock;    /* the record is a clock hit, with the fields that are needed */
    bool residual; /* it is a residual, with the fields that are needed */
};

struct reconcile {
    struct reconcile_fields fields[SCHEMA_KINDS]; /* by the record's number */
    struct reconcile_row *row; /* sorted by thread; only of threads to change */
    u32 count;
    u32 kinds; /* records that the file has: a bit for each record's number */
    bool made; /* all this was computed */
    struct reconcile_span span; /* in record times: ticks >> time_shift */
};

/*
 * The changes for the file of clock hits; they are computed at the first call. threads:
 * the largest thread id. process: the CPU time (ns) of the process while it was
 * recorded, UINT64_MAX = not known. span: in ticks; empty if the kernel did not sample.
 * NULL: no record need be changed, as in all other files, or memory ran out.
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

/* Pass a batch on to the sink, with its records changed as its thread's row says. */
void reconcile_batch(const struct reconcile *reconcile, const struct batch *batch,
                     const struct record_sink *sink);

/* How many of a thread's hits are left out, as kernel hits have replaced them. */
u64 reconcile_replaced(const struct reconcile *reconcile, u32 thread);

/*
 * If one of the two is negative, make it 0 and the other one their sum; if the sum is
 * negative, too, make both 0.
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
