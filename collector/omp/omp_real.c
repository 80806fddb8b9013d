/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/omp/omp_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "collector/libc/real.h"
#include "collector/sig/sys.h"

enum {
    PATHS = 16, /* runtimes that are searched for code that belongs to no object */
    CALLERS = 256, /* size of a cache, by pc */
    CALLER_MIX = 2654435761u,
};

static const struct {
    const char *name;
    size_t offset;
} table[] = {
#define WRAP(type, name, params, need) { #name, offsetof(struct omp_real, name) },
#include "collector/omp/omp.def"
#undef WRAP
};

struct runtime {
    const struct runtime *next; /* the runtime that was found before it */
    struct omp_real real;
};

/* All runtimes that were found. An entry never changes, and is never removed. */
static const struct runtime *runtimes;

/*
 * The runtime in the loader's global scope: it serves all callers of functions that it
 * has.
 */
static const struct omp_real *global;

static struct {
    const void *pc;
    const struct omp_real *real;
} callers[CALLERS];

/*
 * Keep the library loaded for ever, as the pointer to its function is never looked up
 * again.
 */
static void
keep(const void *function)
{
    Dl_info info;

    if (dladdr(function, &info) && info.dli_fname)
        (void)REAL(dlopen)(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/*
 * Add a runtime. NULL: there is no memory. Two threads may add the same one at once:
 * then it has two entries.
 */
static const struct omp_real *
add(const struct omp_real *found)
{
    struct runtime *r = sys_map(sizeof(*r));

    if (!r)
        return NULL;
    r->real = *found;
    r->next = __atomic_load_n(&runtimes, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&runtimes, &r->next, r, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
        ;
    return &r->real;
}

/*
 * The runtime that dlsym() finds with this handle; NULL: there is none, or no memory
 * for it. No locks: see preload/map.h.
 */
static const struct omp_real *
runtime_of(void *handle)
{
    const struct runtime *r = __atomic_load_n(&runtimes, __ATOMIC_ACQUIRE);
    struct omp_real new;
    void *any = NULL, *function;

    for (size_t i = 0; i < ER_COUNT(table); i++) {
        function = REAL(dlsym)(handle, table[i].name);
        *(void **)(void *)((char *)&new + table[i].offset) = function;
        any = any ? any : function;
    }
    if (!any)
        return NULL;
    while (r && memcmp(&r->real, &new, sizeof(new)))
        r = r->next;
    if (r)
        return &r->real;
    if (handle != RTLD_NEXT)
        keep(any);
    return add(&new);
}

int
omp_is_runtime(const char *path)
{
    static const char *const names[] = { "libgomp", "libomp", "libiomp5" };
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;

    for (size_t i = 0; i < ER_COUNT(names); i++)
        if (!strncmp(base, names[i], strlen(names[i])))
            return 1;
    return 0;
}

/* Paths of the runtimes that are loaded. */
struct paths {
    const char *path[PATHS];
    u32 count;
};

static int
each_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct paths *paths = arg;

    (void)size;
    if (info->dlpi_name && omp_is_runtime(info->dlpi_name) && paths->count < PATHS)
        paths->path[paths->count++] = info->dlpi_name;
    return 0;
}

/* Does the runtime have the function at that offset? */
static int
has(const struct omp_real *r, size_t offset)
{
    return r && *(void *const *)(const void *)((const char *)r + offset);
}

/*
 * A runtime that has this function: the last resort for a caller whose own runtime was
 * not found. With none at all, an entry that is empty, and the call fails.
 */
static const struct omp_real *
any_with(size_t offset)
{
    static const struct omp_real none;
    const struct runtime *r = __atomic_load_n(&runtimes, __ATOMIC_ACQUIRE);

    while (r && !has(&r->real, offset))
        r = r->next;
    return r ? &r->real : &none;
}

static const struct omp_real *
runtime_of_file(const char *path)
{
    void *handle = path ? REAL(dlopen)(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    const struct omp_real *found = handle ? runtime_of(handle) : NULL;

    if (handle)
        dlclose(handle);
    return found;
}

/*
 * Search as the loader does: first the global scope, then that of the caller's object.
 * The two may contain different runtimes, GCC's and Clang's.
 */
static const struct omp_real *
find_runtime(const void *pc, size_t offset)
{
    const struct omp_real *found = runtime_of(RTLD_NEXT);
    struct paths paths = { .count = 0 };
    Dl_info info;

    if (has(found, offset)) {
        __atomic_store_n(&global, found, __ATOMIC_RELEASE);
        return found;
    }
    if (dladdr(pc, &info))
        found = runtime_of_file(info.dli_fname);
    /*
     * If the caller is code made at run time, it belongs to no object: search all
     * OpenMP runtimes.
     */
    if (!has(found, offset))
        dl_iterate_phdr(each_object, &paths);
    for (u32 i = 0; i < paths.count && !has(found, offset); i++)
        found = runtime_of_file(paths.path[i]);
    (void)dlerror();
    return found ? found : any_with(offset);
}

const struct omp_real *
omp_real_of(const void *pc, size_t offset)
{
    const struct omp_real *found = __atomic_load_n(&global, __ATOMIC_ACQUIRE);
    u32 at = (u32)(u64)(uintptr_t)pc * CALLER_MIX >> 24;
    int saved;

    if (ER_LIKELY(has(found, offset)))
        return found;
    found = __atomic_load_n(&callers[at].real, __ATOMIC_ACQUIRE);
    if (found && __atomic_load_n(&callers[at].pc, __ATOMIC_ACQUIRE) == pc &&
        __atomic_load_n(&callers[at].real, __ATOMIC_RELAXED) == found)
        return found;
    saved = errno;
    found = find_runtime(pc, offset);
    omp_check_for_tool(found);
    errno = saved;
    __atomic_store_n(&callers[at].pc, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&callers[at].real, found, __ATOMIC_RELEASE);
    __atomic_store_n(&callers[at].pc, pc, __ATOMIC_RELEASE);
    return found;
}

/*
 * Look for the program's own tool when recording begins. libc may not be initialized
 * yet, and a look-up that fails would allocate. So functions are looked up only if
 * there is a runtime that supports tools, and a tool.
 */
void
omp_real_begin(void)
{
    const struct omp_real *found = NULL;
    struct paths paths = { .count = 0 };
    int saved = errno, any = 0;

    dl_iterate_phdr(each_object, &paths);
    for (u32 i = 0; i < paths.count; i++)
        any |= !strstr(paths.path[i], "libgomp");
    if (any && omp_find_tool())
        found = runtime_of(RTLD_NEXT);
    if (found)
        omp_check_for_tool(found);
    errno = saved;
}
