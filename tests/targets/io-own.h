/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target's own account of its I/O calls, printed as tell-io prints the recorded one.
 * The printing itself goes past libc.
 */
#ifndef ERTOOLS_TESTS_TARGETS_IO_OWN_H
#define ERTOOLS_TESTS_TARGETS_IO_OWN_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "share/iocall.h"

static struct {
    unsigned long count, bytes, failed;
} own_call[IOCALL_END];

static unsigned long own_error[4096];

/* One call that moved n bytes, or failed with an error. Returns n. */
static inline long
own_did(int call, long n, int error)
{
    __atomic_add_fetch(&own_call[call].count, 1, __ATOMIC_RELAXED);
    if (error) {
        __atomic_add_fetch(&own_call[call].failed, 1, __ATOMIC_RELAXED);
        __atomic_add_fetch(&own_error[error], 1, __ATOMIC_RELAXED);
    } else {
        __atomic_add_fetch(&own_call[call].bytes, (unsigned long)n, __ATOMIC_RELAXED);
    }
    return n;
}

/* MOVED: the result is bytes. DONE: less than 0 is a failure. GOT: a pointer. */
#define MOVED(call, expr)                                             \
    __extension__({                                                   \
        long n_ = (long)(expr);                                       \
        own_did(IOCALL_##call, n_ < 0 ? 0 : n_, n_ < 0 ? errno : 0);  \
        n_;                                                           \
    })
/* The same, and as much was read: from another descriptor. */
#define BETWEEN(call, expr)                                                \
    __extension__({                                                        \
        long b_ = MOVED(call, expr);                                       \
        b_ < 0 ? b_ : own_did(IOCALL_##call##_from, b_, 0);                \
    })
#define DONE(call, expr)                                   \
    __extension__({                                        \
        long n_ = (long)(expr);                            \
        own_did(IOCALL_##call, 0, n_ < 0 ? errno : 0);     \
        n_;                                                \
    })
#define GOT(call, expr)                                    \
    __extension__({                                        \
        __typeof__(expr) p_ = (expr);                      \
        own_did(IOCALL_##call, 0, p_ ? 0 : errno);         \
        p_;                                                \
    })
#define VOID(call, expr) ((void)(expr), (void)own_did(IOCALL_##call, 0, 0))
/* So many bytes, whatever the result says. */
#define BYTES(call, bytes, expr)                            \
    __extension__({                                         \
        long n_ = (long)(expr);                             \
        (void)n_;                                           \
        own_did(IOCALL_##call, (bytes), 0);                 \
    })

static int own_fd = 1;

static inline void
own_line(const char *text, int len)
{
    if (syscall(SYS_write, own_fd, text, len) != len)
        _exit(9);
}

static inline void
own_tell(void)
{
    char line[200];

    for (int i = 0; i < IOCALL_END; i++)
        if (own_call[i].count)
            own_line(line, snprintf(line, sizeof(line), "call %s %lu %lu %lu\n",
                                    iocall_name((u32)i), own_call[i].count,
                                    own_call[i].bytes, own_call[i].failed));
    for (int i = 0; i < 4096; i++)
        if (own_error[i])
            own_line(line, snprintf(line, sizeof(line), "error %d %lu\n", i,
                                    own_error[i]));
}

/* What cannot go wrong went wrong. */
#define MUST(condition)                                                    \
    do {                                                                   \
        if (!(condition)) {                                                \
            char line_[200];                                               \
            own_line(line_, snprintf(line_, sizeof(line_), "line %d: %s\n", \
                                     __LINE__, #condition));               \
            _exit(8);                                                      \
        }                                                                  \
    } while (0)

#endif
