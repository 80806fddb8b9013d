/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/libc/real.h"

#include "collector/got/got.h"
#include "collector/libc/resolve.h"
#include "collector/sig/objtab.h"

struct real real;

/*
 * Declare each function of the rows again: the compiler rejects a row that differs from
 * libc's header.
 */
#define LIBC_FOR_CORE
#define ROW(type, name, params, ...) type name params;
#include "collector/libc/libc.def"

static const struct resolve_call calls[] = {
#define LIBC_FOR_CORE
#define ROW(type, name, ...) RESOLVE_CALL(real, name),
#include "collector/libc/libc.def"
};

/* Find dlsym() by dlvsym(), since the name dlsym is a wrapper of ours. */
static void *(*
find_dlsym(void))(void *, const char *)
{
    static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.2.5" };
    void *found = NULL;

    for (size_t i = 0; i < ER_COUNT(versions) && !found; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return found;
}

void
real_start(void)
{
    void *(*find)(void *, const char *) = find_dlsym();

    for (size_t i = 0; i < ER_COUNT(calls); i++)
        resolve_set(&real, &calls[i], find ? find(RTLD_NEXT, calls[i].name) : NULL);
    objtab_set_finder(find ? find(RTLD_NEXT, "_dl_find_object") : NULL);
}

void
real_start_late(void)
{
    for (size_t i = 0; i < ER_COUNT(calls); i++) {
        void *function = got_find(calls[i].name, "");

        if (function)
            resolve_set(&real, &calls[i], function);
    }
}
