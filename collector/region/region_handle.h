/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles of ITT for names and domains, which a program requests once and then passes
 * to other calls. They live as long as the process. Normal context of any thread;
 * nothing here waits.
 */
#ifndef ERTOOLS_COLLECTOR_REGION_REGION_HANDLE_H
#define ERTOOLS_COLLECTOR_REGION_REGION_HANDLE_H

/* As ittnotify.h has them. */
struct itt_domain {
    int flags; /* 0 = it is switched off, and its marks are not called */
    const char *name;
    const void *wide;
    int extra;
    void *more;
    struct itt_domain *next;
};

struct itt_string {
    const char *text;
    const void *wide;
    int extra;
    void *more;
    struct itt_string *next;
};

/* Equal names give the same handle. NULL for NULL, or without memory. */
struct itt_domain *region_handle_domain(const char *name);
struct itt_string *region_handle_string(const char *text);

#endif
