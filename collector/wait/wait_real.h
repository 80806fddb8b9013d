/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real functions of the WAIT rows of libc.def: the next ones in the target's search
 * order. Any context; the first call of any of them looks all of them up.
 */
#ifndef ERTOOLS_COLLECTOR_WAIT_WAIT_REAL_H
#define ERTOOLS_COLLECTOR_WAIT_WAIT_REAL_H

#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "share/types.h"

/* libc's header replaces these functions by macros. */
#undef fread_unlocked
#undef fwrite_unlocked

/* Declare each again: the compiler rejects a row that differs from libc's header. */
#define LIBC_FOR_WAIT
#define ROW(type, name, params, ...) type name params;
#include "collector/libc/libc.def"

struct wait_real {
#define LIBC_FOR_WAIT
#define ROW(type, name, params, ...) type(*name) params;
#include "collector/libc/libc.def"
};

/* All NULL before the first look-up, none afterwards. */
extern struct wait_real wait_real;

/* Look them all up. Keeps errno. */
void wait_real_start(void);

/*
 * libc's syscall(). Called at the start, too, since a later look-up would change what
 * dlerror() tells the target.
 */
void *wait_real_syscall(void) __attribute__((used, visibility("hidden")));

#define WAIT_REAL(name) \
    (ER_LIKELY(wait_real.name) ? wait_real.name : (wait_real_start(), wait_real.name))

#endif
