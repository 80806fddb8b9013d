/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles of ITT for names and domains, which a program requests once and then passes
 * to other calls. They live as long as the process. Normal context of any thread;
 * nothing here waits.
 */
#ifndef ERTOOLS_COLLECTOR_REGION_REGION_HANDLE_H
#define ERTOOLS_COLLECTOR_REGION_REGION_HANDLE_H

/* The layouts of ittnotify.h. */
struct itt_domain {
    int flags; /* 0 = the domain is switched off, and ITT does not call its functions */
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

/*
 * Equal names give the same handle. Returns NULL if the name is NULL, or without
 * memory.
 */
struct itt_domain *region_handle_domain(const char *name);
struct itt_string *region_handle_string(const char *text);

#endif
