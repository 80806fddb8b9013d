/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of an experiment: compares what its threads have recorded with what the
 * kernel has counted. With a filter, only the records that pass, without the kernel's
 * part.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_ACCOUNT_H
#define ERTOOLS_PRINT_MODEL_VIEWS_ACCOUNT_H

#include "print/model/session.h"
#include "share/record.h"

enum {
    ACCOUNT_RESIDUALS = RESIDUAL_PAUSED + 1,
};

/*
 * A thread's part. CPU times are in ns; those that may be residuals below 0 are signed.
 */
struct account_row {
    u32 thread; /* id; 0: the launcher, or of no thread */
    u32 index;  /* in threads.row, UINT32_MAX = it has no row there */
    u64 clock_records;
    u64 count_records;     /* of the file of counters */
    u64 off_records;       /* of time in which it did not run */
    u64 hits[ER_COUNTERS]; /* events that these stand for, by counter */
    u64 trace_records[TRACE_COUNT]; /* of the files of traces */
    u64 records;       /* all kinds, all files */
    u64 chunk_dropped; /* records dropped, by chunk headers; without those of */
    u64 trace_dropped[TRACE_COUNT]; /* the files of traces */
    int64_t user;      /* sum of hits */
    int64_t system;
    int64_t own_user;  /* of these, of <collector>: its hooks' work */
    int64_t own_system;
    int64_t residual_user[ACCOUNT_RESIDUALS]; /* by enum er_residual; 0 = other kinds */
    int64_t residual_system[ACCOUNT_RESIDUALS];
};

struct account {
    struct account_row *row; /* by thread id */
    u32 count;
    struct account_row total;
    bool has_kernel;
    int64_t kernel_user; /* as the kernel accounts to the process */
    int64_t kernel_system;
    int64_t rest_user; /* kernel's less all records': <exit> and <unattributed> */
    int64_t rest_system;
    u64 chunks;
    u64 bad_chunks;
    u64 profile_bytes; /* in chunks with records, headers included */
    u64 nodes;         /* stack nodes written */
    u64 handlers; /* CPU ns of the handlers of hits; within the times of all rows */
    bool has_handlers; /* 0: not recorded, or there is a filter */
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
 * Get the account of experiment `index`; the caller frees *out by account_free(). The
 * records are read once; the account is kept until experiments or the filter change.
 */
int account_build(struct session *session, u32 index, struct account *out);
void account_free(struct account *account);

#endif
