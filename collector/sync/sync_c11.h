/* SPDX-License-Identifier: Apache-2.0 */
/* Convert results of C11's thread functions to errno values and back. Any context. */
#ifndef ERTOOLS_COLLECTOR_SYNC_SYNC_C11_H
#define ERTOOLS_COLLECTOR_SYNC_SYNC_C11_H

#include <errno.h>
#include <threads.h>

static inline int
c11_error(int result)
{
    switch (result) {
    case thrd_success:
        return 0;
    case thrd_busy:
        return EBUSY;
    case thrd_timedout:
        return ETIMEDOUT;
    case thrd_nomem:
        return ENOMEM;
    default:
        return EINVAL;
    }
}

static inline int
c11_result(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

#endif
