/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can the collector be loaded into a program? Looks at files only. Normal context of
 * the launcher.
 */
#ifndef ERTOOLS_LAUNCH_PREFLIGHT_H
#define ERTOOLS_LAUNCH_PREFLIGHT_H

#include <limits.h>

enum preflight_kind {
    PREFLIGHT_DYNAMIC, /* nothing is in the way */
    PREFLIGHT_UNREAD,  /* its file cannot be read: nobody knows */
    PREFLIGHT_STATIC,  /* no dynamic loader */
    PREFLIGHT_NARROW,  /* 32-bit */
    PREFLIGHT_FOREIGN, /* another machine's code */
    PREFLIGHT_SECURE,  /* setuid, setgid or file capabilities */
    PREFLIGHT_MUSL,    /* musl's loader: the collector needs glibc */
    PREFLIGHT_GO,      /* Go without cgo, though with a dynamic loader */
    PREFLIGHT_DAMAGED, /* its ELF headers make no sense */
    PREFLIGHT_KINDS,
};

struct preflight {
    enum preflight_kind kind;
    int shell;              /* the kernel will not know it: /bin/sh runs it */
    int scripts;            /* how many #! were followed */
    char program[PATH_MAX]; /* what really runs: the script's interpreter */
};

/* Look at the file path, following #! as the kernel does. */
void preflight_look(const char *path, struct preflight *result);

/* Will the dynamic loader load the collector? */
int preflight_preload(const struct preflight *p);

/* Why it will not, as part of a sentence ("it is statically linked"). */
const char *preflight_reason(enum preflight_kind kind);

#endif
