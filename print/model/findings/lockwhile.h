/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the holder of a lock did while others waited for it: its input and output. For
 * this room's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_LOCKWHILE_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_LOCKWHILE_H

#include "print/model/session.h"
#include "print/model/sync/locks.h"

/* I/O of holders, of one file, during the waits for one lock. */
struct lockwhile {
    u32 file; /* id, for io_find(); 0 = none */
    u32 kind; /* enum er_io_kind, and */
    u32 call; /* for iocall_name(), of what took most of it */
    u64 time; /* ns: what waits and calls have in common, each wait on its own */
};

/*
 * The file that took most of the waits for `lock`: only calls of the thread that held
 * it when it was asked for count, within the function that had taken it. 0 and *out;
 * -ENOENT when there is no such file or no I/O was recorded; -ENOMEM.
 */
int lockwhile_get(struct session *session, const struct lock *lock,
                  struct lockwhile *out);

#endif
