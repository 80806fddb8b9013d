/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/hook/real.h"

#include "collector/got/got.h"
#include "collector/sig/objtab.h"

struct real real;

enum need {
    OPTIONAL,
    REQUIRED,
};

/* A row must say what libc's header says: a declaration that differs is an error. */
#define WRAP(type, name, params, need) type name params;
#include "collector/hook/dl.def"
#include "collector/hook/process.def"
#include "collector/signals/signal.def"
#include "collector/hook/thread.def"
#undef WRAP

static const struct {
    const char *name;
    size_t offset;
    enum need need;
} table[] = {
#define WRAP(type, name, params, need) { #name, offsetof(struct real, name), need },
#include "collector/hook/dl.def"
#include "collector/hook/process.def"
#include "collector/signals/signal.def"
#include "collector/hook/thread.def"
#undef WRAP
};

/* Not dlsym itself: that name is a wrapper of ours. */
static void *(*
look_up(void))(void *, const char *)
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
    void *(*find)(void *, const char *) = look_up();

    for (size_t i = 0; i < ER_COUNT(table); i++) {
        void *function = find ? find(RTLD_NEXT, table[i].name) : NULL;

        __atomic_store_n((void **)(void *)((char *)&real + table[i].offset), function,
                         __ATOMIC_RELEASE);
    }
    objtab_set_finder(find ? find(RTLD_NEXT, "_dl_find_object") : NULL);
}

void
real_start_late(void)
{
    for (size_t i = 0; i < ER_COUNT(table); i++) {
        void *function = got_find(table[i].name, "");

        if (function)
            __atomic_store_n((void **)(void *)((char *)&real + table[i].offset),
                             function, __ATOMIC_RELEASE);
    }
}
