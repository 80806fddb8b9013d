/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real functions of the IO rows of libc.def: the next ones in the target's search
 * order. Any context; the first call of any of them looks all of them up.
 */
#ifndef ERTOOLS_COLLECTOR_IO_IO_REAL_H
#define ERTOOLS_COLLECTOR_IO_IO_REAL_H

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "share/types.h"

/* libc's header replaces these functions by macros. */
#undef fread_unlocked
#undef fwrite_unlocked

/* Declare each again: the compiler rejects a row that differs from libc's header. */
#define LIBC_FOR_IO
#define ROW(type, name, params, ...) type name params;
#include "collector/libc/libc.def"

struct io_real {
#define LIBC_FOR_IO
#define ROW(type, name, params, ...) type(*name) params;
#include "collector/libc/libc.def"
};

/* All NULL before the first look-up, none afterwards. */
extern struct io_real io_real;

/* Look them all up. Keeps errno. */
void io_real_start(void);

#define IO_REAL(name) \
    (ER_LIKELY(io_real.name) ? io_real.name : (io_real_start(), io_real.name))

/*
 * The range of libcollector.so, whose own calls are not to be recorded; 0 bytes = not
 * known yet.
 */
extern u64 io_own_lo, io_own_bytes;

static inline int
io_is_own(const void *pc)
{
    return (u64)(uintptr_t)pc - io_own_lo < io_own_bytes;
}

#endif
