/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of an experiment: compares what its threads have recorded with what the
 * kernel has counted. With a filter, it has only the records that pass, and not what
 * the kernel has counted.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_ACCOUNT_H
#define ERTOOLS_PRINT_MODEL_VIEWS_ACCOUNT_H

#include "print/model/session.h"
#include "share/record.h"

enum {
    ACCOUNT_RESIDUALS = RESIDUAL_PAUSED + 1,
};

/*
 * A thread's part. CPU times are in ns; those that can be below 0, as residuals can,
 * are signed.
 */
struct account_row {
    u32 thread; /* id; 0: the launcher, or no thread */
    u32 index;  /* in threads.row; UINT32_MAX = the thread is not in there */
    u64 clock_records; /* records of clock hits */
    u64 count_records;     /* records in the file of counters */
    u64 off_records;       /* records of time in which it did not run */
    u64 hits[ER_COUNTERS]; /* by counter: the events for which its hits stand */
    u64 trace_records[TRACE_COUNT]; /* by family: records in its file */
    u64 records;       /* all kinds, all files */
    u64 chunk_dropped; /* records dropped, as chunk headers say; traces excluded */
    u64 trace_dropped[TRACE_COUNT]; /* the same of traces, by family */
    int64_t user;      /* CPU time that hits stand for */
    int64_t system;
    int64_t own_user;  /* part of `user` in the collector's code, or for it */
    int64_t own_system;
    int64_t residual_user[ACCOUNT_RESIDUALS]; /* by enum er_residual; 0 = other kinds */
    int64_t residual_system[ACCOUNT_RESIDUALS];
};

struct account {
    struct account_row *row; /* by thread id */
    u32 count;
    struct account_row total;
    bool has_kernel;
    int64_t kernel_user; /* CPU time that the kernel accounts to the process */
    int64_t kernel_system;
    int64_t rest_user; /* kernel_user less all records: <exit>, <unattributed> */
    int64_t rest_system;
    u64 chunks;
    u64 bad_chunks;
    u64 profile_bytes; /* in chunks with records, headers included */
    u64 nodes;         /* number of stack nodes in the experiment */
    u64 handlers; /* CPU ns of the handlers of hits; contained in rows' times */
    bool has_handlers; /* false: not recorded, or there is a filter */
};

/*
 * CPU time that measuring has used in the target's threads, ns: that of <collector> and
 * of handlers of hits. Not included: the kernel's work to deliver signals, and cache
 * misses that measuring has caused.
 */
static inline u64
account_cost(const struct account *account)
{
    return (u64)(account->total.own_user + account->total.own_system) +
           account->handlers;
}

/*
 * Get the account of experiment `index`, for account_free(). The session keeps a copy
 * until experiments or the filter change, so records are read only once. 0; -ENOENT: no
 * such experiment; or another -errno.
 */
int account_build(struct session *session, u32 index, struct account *out);
void account_free(struct account *account);

#endif
