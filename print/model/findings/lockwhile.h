/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The I/O of one file that the holder of a lock did while others waited for the lock.
 * For the code in print/model/findings alone.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_LOCKWHILE_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_LOCKWHILE_H

#include "print/model/session.h"
#include "print/model/sync/locks.h"

/* The I/O of one file that holders of a lock did while others waited for that lock. */
struct lockwhile {
    u32 file; /* id, for io_find(); 0 = none */
    u32 kind; /* enum er_io_kind of the calls that took most of it */
    u32 call; /* the function of these calls, for iocall_name() */
    u64 time; /* ns in which waits and calls overlap, added up for each wait */
};

/*
 * Get the file whose I/O took most of the waits for `lock`. Only calls count that the
 * holder made within the function in which it had acquired the lock; the holder is the
 * thread that held the lock when the wait began. 0 and *out; -ENOENT: there is no such
 * file, or no I/O was recorded; -ENOMEM.
 */
int lockwhile_get(struct session *session, const struct lock *lock,
                  struct lockwhile *out);

#endif
