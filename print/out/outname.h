/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unique names of functions, for programs that take all functions with one name for one
 * function: if several have a name, their file, object or address is appended. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_OUT_OUTNAME_H
#define ERTOOLS_PRINT_OUT_OUTNAME_H

#include <stdbool.h>

#include "print/base/pool.h"
#include "print/model/session.h"

struct outname {
    const char **text; /* by function: its name; NULL = it was not asked for */
    u32 count;
    struct pool *pool;
};

/*
 * Make names for the functions for which used[function] is true; `used` has
 * function_count() elements. 0, and *out for outname_close(); or -ENOMEM.
 */
int outname_open(struct session *session, const bool *used, struct outname *out);
void outname_close(struct outname *names);

#endif
