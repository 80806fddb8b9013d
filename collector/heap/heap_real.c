/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/heap/heap_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "collector/heap/arena.h"
#include "collector/hook/trace.h"
#include "collector/libc/resolve.h"
#include "collector/preload/dynsym.h"

static const struct resolve_call table[] = {
#define LIBC_FOR_HEAP
#define ROW(type, name, ...) RESOLVE_CALL(heap_real, name),
#include "collector/libc/libc.def"
};

/*
 * C++ runtimes. They may be loaded with RTLD_LOCAL, where RTLD_NEXT does not find their
 * functions.
 */
static const char *const runtimes[] = {
    "libstdc++.so.6",
    "libc++abi.so.1",
    "libc++.so.1",
};

static u32 state; /* of the look-up: 0 not begun, 1 under way, 2 done */
static u64 allocator_lo, allocator_hi;
u64 heap_loader, heap_loader_size;

/*
 * 1 = the real functions are known; 0 = they are being looked up, and the arena serves
 * allocations. The first call looks them up.
 */
static int
is_done(void)
{
    heap_real_start();
    return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == 2;
}

static void *
first_malloc(size_t size)
{
    return is_done() ? heap_real.malloc(size) : arena_zalloc(size, 16);
}

static void *
first_calloc(size_t count, size_t size)
{
    size_t bytes;

    if (is_done())
        return heap_real.calloc(count, size);
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : arena_zalloc(bytes, 16);
}

static void *
first_realloc(void *old, size_t size)
{
    return is_done() ? heap_real.realloc(old, size) : arena_zalloc(size, 16);
}

static void *
first_aligned(size_t align, size_t size)
{
    return is_done() ? heap_real.memalign(align, size) : arena_zalloc(size, align);
}

static int
first_posix_memalign(void **block, size_t align, size_t size)
{
    void *p;

    if (is_done())
        return heap_real.posix_memalign(block, align, size);
    p = arena_zalloc(size, align);
    if (p)
        *block = p;
    return p ? 0 : ENOMEM;
}

/*
 * free() while the real functions are being looked up: a block that is not the arena's
 * is leaked.
 */
static void
first_free(void *block)
{
    if (is_done())
        heap_real.free(block);
}

struct heap_real heap_real = {
    .malloc = first_malloc,
    .calloc = first_calloc,
    .realloc = first_realloc,
    .free = first_free,
    .aligned_alloc = first_aligned,
    .memalign = first_aligned,
    .posix_memalign = first_posix_memalign,
};

static void
set(size_t i, void *function)
{
    resolve_set(&heap_real, &table[i], function);
}

static void *
get(size_t i)
{
    return *(void **)(void *)((char *)&heap_real + table[i].offset);
}

/*
 * Callback for each object. Stops at the one that contains the real malloc(), and keeps
 * its range as the allocator's, unless it is libc.
 */
static int
each_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    u64 lo, hi, libc = (u64)(uintptr_t)arg;
    u64 at = (u64)(uintptr_t)heap_real.malloc;

    (void)size;
    trace_extent(info, &lo, &hi);
    if (at < lo || at >= hi)
        return 0;
    if (libc < lo || libc >= hi) {
        allocator_lo = lo;
        allocator_hi = hi;
    }
    return 1;
}

static void
find_allocator(void)
{
    void *libc = dlsym(RTLD_NEXT, "gnu_get_libc_version");

    dl_iterate_phdr(each_object, libc);
}

int
heap_real_is_allocator(const void *pc)
{
    return (u64)(uintptr_t)pc - allocator_lo < allocator_hi - allocator_lo;
}

/* Does the object that contains an address define a function of that name? */
struct definer {
    u64 at;
    const char *name;
    int defines; /* 1 = it does, or that is not known; 0 = it has only a PLT stub */
};

static int
is_definer(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct definer *d = arg;
    struct dynsym symbols;
    u64 lo, hi;

    (void)size;
    trace_extent(info, &lo, &hi);
    if (d->at < lo || d->at >= hi)
        return 0;
    d->defines = dynsym_open(&symbols, info) < 0 || dynsym_find(&symbols, d->name);
    return 1;
}

/*
 * Log if the target calls its own definition of a function: an object that comes before
 * us in the search order defines it. In a program that is not position-independent, the
 * address of a PLT stub stands for the function in all objects.
 */
static void
log_if_own(const char *name, const void *ours, const char *what)
{
    const void *found = dlsym(RTLD_DEFAULT, name);
    struct definer d = { (u64)(uintptr_t)found, name, 1 };

    if (found == ours)
        return;
    dl_iterate_phdr(is_definer, &d);
    if (d.defines)
        trace_services->event(EVENT_heap_own, what, NULL, NULL, 0);
}

static void
log_own(void)
{
    if (resolve_is_late())
        return;
    log_if_own("malloc", (void *)heap_malloc, "malloc");
    log_if_own("_Znwm", (void *)heap_new, "operator new");
}

static int
is_operator(size_t i)
{
    return !strncmp(table[i].name, "_Z", 2);
}

/*
 * 1 for a function that libc may lack. It is not looked up, since a look-up that fails
 * would allocate an error message, which would be recorded as the target's. plain() can
 * replace any of these functions.
 */
static int
is_rare(size_t i)
{
    static const char *const names[] = {
        "free_sized",
        "free_aligned_sized",
        "cfree",
        "reallocf",
    };

    for (size_t k = 0; k < ER_COUNT(names); k++)
        if (!strcmp(table[i].name, names[k]))
            return 1;
    return 0;
}

static void
find_functions(void)
{
    for (size_t i = 0; i < ER_COUNT(table); i++) {
        int late = is_operator(i) || is_rare(i);
        void *function = late ? NULL : resolve_next(table[i].name);

        if (function)
            set(i, function);
    }
}

/*
 * These functions show which sanitizer the program has. ThreadSanitizer's
 * dl_iterate_phdr() allocates, for which it is too early during the look-up: so with
 * it, find_allocator() runs later, in the constructor.
 */
void __tsan_init(void) __attribute__((weak));
void __asan_init(void) __attribute__((weak));
void __lsan_init(void) __attribute__((weak));

static void
find_loader(void)
{
    const ElfW(Ehdr) *head = (const void *)getauxval(AT_BASE);
    const ElfW(Phdr) *p;
    u64 size = 0;

    if (!head || !(__asan_init || __lsan_init))
        return;
    p = (const void *)((const char *)head + head->e_phoff);
    for (int i = 0; i < head->e_phnum; i++)
        if (p[i].p_type == PT_LOAD && p[i].p_vaddr + p[i].p_memsz > size)
            size = p[i].p_vaddr + p[i].p_memsz;
    heap_loader = (u64)(uintptr_t)head;
    heap_loader_size = size;
}

void
heap_real_start(void)
{
    u32 nobody = 0;
    int saved = errno;

    if (!__atomic_compare_exchange_n(&state, &nobody, 1, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return;
    find_functions();
    find_loader();
    if (!__tsan_init)
        find_allocator();
    __atomic_store_n(&state, 2, __ATOMIC_RELEASE);
    trace_start((const void *)(uintptr_t)heap_real_start, log_own);
    errno = saved;
}

__attribute__((constructor)) static void
start(void)
{
    heap_real_start();
    if (__tsan_init)
        find_allocator();
}

/*
 * Replacements for operators in a process without a C++ runtime, where they should
 * never be called.
 */
static void *
plain_new(size_t size)
{
    void *p = heap_real.malloc(size ? size : 1);

    if (!p)
        __builtin_trap();
    return p;
}

static void *
plain_aligned_new(size_t size, size_t align)
{
    void *p = heap_real.aligned_alloc(align, size ? size : 1);

    if (!p)
        __builtin_trap();
    return p;
}

static void *
plain_reallocf(void *old, size_t size)
{
    void *p = heap_real.realloc(old, size);

    if (!p && size)
        heap_real.free(old);
    return p;
}

/* The replacement for a function that no object defines. */
static void *
plain(const char *name)
{
    if (!strncmp(name, "_Zn", 3))
        return strstr(name, "align") ? (void *)plain_aligned_new : (void *)plain_new;
    if (!strcmp(name, "reallocf"))
        return (void *)plain_reallocf;
    return (void *)heap_real.free;
}

static void
fill_up(int (*which)(size_t i))
{
    for (size_t i = 0; i < ER_COUNT(table); i++)
        if (!get(i) && which(i))
            set(i, plain(table[i].name));
}

/* Look up the missing operators in a library; returns how many are still missing. */
static u32
find_in(void *library)
{
    u32 missing = 0;

    for (size_t i = 0; i < ER_COUNT(table); i++) {
        if (get(i) || !is_operator(i))
            continue;
        set(i, library == RTLD_NEXT ? resolve_next(table[i].name)
                                    : dlsym(library, table[i].name));
        missing += !get(i);
    }
    return missing;
}

static void
find_operators(void)
{
    u32 missing = find_in(RTLD_NEXT);

    for (size_t i = 0; missing && i < ER_COUNT(runtimes); i++) {
        void *library = dlopen(runtimes[i], RTLD_LAZY | RTLD_NOLOAD);

        if (library)
            missing = find_in(library);
    }
    /*
     * Clear the error of the failed look-up, which the target would see in dlerror().
     */
    if (missing)
        (void)dlerror();
}

void
heap_real_late(const char *name)
{
    int (*which)(size_t i) = strncmp(name, "_Z", 2) ? is_rare : is_operator;
    int saved = errno;

    if (is_done() && which == is_operator)
        find_operators();
    fill_up(which);
    errno = saved;
}
