/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers to the real functions of the rows with CORE in libc.def: those that
 * libcollector.so replaces. Any context after real_start(); a wrapper that may be
 * called earlier uses REAL().
 */
#ifndef ERTOOLS_COLLECTOR_LIBC_REAL_H
#define ERTOOLS_COLLECTOR_LIBC_REAL_H

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/types.h>
#include <threads.h>
#include <unistd.h>

#include "share/types.h"

/*
 * Programs compiled with _FORTIFY_SOURCE call this function for longjmp(); no header
 * declares it.
 */
void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));

/* pthread_atfork() calls this. */
int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);

/* Functions of libgcc that register call frame information of code made at run time. */
void __register_frame(void *);
void __deregister_frame(void *);

/* signal() by other names, declared by some headers for some standards. */
sighandler_t bsd_signal(int, sighandler_t);
sighandler_t ssignal(int, sighandler_t);
sighandler_t __sysv_signal(int, sighandler_t);

/* sigpause() with a signal for its argument. */
int __xpg_sigpause(int);

/*
 * real.NAME: the definition of NAME in the next library of the search order, or NULL.
 */
struct real {
#define LIBC_FOR_CORE
#define ROW(type, name, params, ...) type(*name) params;
#include "collector/libc/libc.def"
};

extern struct real real;

/* Set all pointers in `real`. Safe to call more than once and from several threads. */
void real_start(void);

/*
 * Like real_start(), in a process that ran before the collector was loaded: each
 * function is the first in the order in which objects were loaded.
 */
void real_start_late(void);

/* The real function; looks it up if a constructor called it before ours has run. */
#define REAL(name) (real.name ? real.name : (real_start(), real.name))

/* REAL() for a member of `real` that is known by its address. */
static inline void *
real_at(void **function)
{
    if (!*function)
        real_start();
    return *function;
}

/*
 * A wrapper: a visible function that the target calls instead of the real one. Its
 * frame is not shown on stacks.
 */
#define WRAPPER __attribute__((visibility("default")))

/* A wrapper for a function that libc has in several versions: "name@VERSION". */
#if defined(__has_attribute) && __has_attribute(symver)
#define WRAPPER_VERSION(function, symbol) \
    __attribute__((visibility("default"), symver(symbol)))
#else
#define WRAPPER_VERSION(function, symbol)          \
    __asm__(".symver " #function ", " symbol "\n"); \
    WRAPPER
#endif

#endif
