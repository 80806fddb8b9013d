/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and domains of ITT, which a program gets once and then names things by. They
 * live as long as the process. Normal context of any thread; nothing here waits.
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

/* The same name has the same one. NULL for NULL, or where there is no memory. */
struct itt_domain *region_handle_domain(const char *name);
struct itt_string *region_handle_string(const char *text);

#endif
