/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slots are words that relocations have filled with the address of a named function:
 * the real function that the loader has chosen. Each real function has a trampoline of
 * its own. If a slot is bound lazily, at its first call, the function is looked up as
 * the loader would do it: first in the global scope, then in the scope of the slot's
 * own object.
 *
 * In a process that runs already, slots are redirected after the other families have
 * redirected theirs, and are restored before those.
 *
 * The loader's list of objects is walked under the loader's lock, when no symbol can be
 * looked up; so lazily bound slots are only listed, and looked up afterwards. One
 * thread does this at a time. If another thread comes in the meantime, it returns at
 * once, and the first thread repeats the search.
 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/call/call.h"
#include "collector/got/object.h"
#include "collector/got/slots.h"
#include "collector/libc/resolve.h"
#include "collector/sig/guard.h"
#include "collector/sig/sys.h"

enum {
    TEXTS = 1024, /* most load objects whose code range is kept */
    UNBOUND = 2048, /* most lazily bound slots in one search */
    NAME_BYTES = 512,
};

/* A slot that is bound at its first call. */
struct unbound {
    u64 *at;
    u64 before;
    const struct call_function *function;
    char version[48];
    u32 object; /* index in scan.object */
};

struct call_target call_targets[CALL_TARGETS];
u32 call_target_count;

static struct {
    u64 lo, hi;
} texts[TEXTS];

static struct scan {
    struct unbound *unbound;
    char (*object)[NAME_BYTES]; /* names of objects with unbound slots */
    u32 unbounds, objects, texts;
    char own[NAME_BYTES]; /* directory of our libraries */
} scan;

static u64 adds_seen;
static u32 looking, again;
static int waits; /* 1 = attached by -P, and call_slots_redirect(1) is yet to come */
static struct slots changed; /* what to restore, in a process that ran before us */
static u64 canonical[CALL_FUNCTIONS]; /* for each function, see add_canonical() */

static void *(*real_open)(const char *, int);
static int (*real_close)(void *);
static void *(*real_symbol)(void *, const char *);

static void *
next_of(const char *name)
{
    static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.2.5" };
    void *found = NULL;

    for (u32 i = 0; i < ER_COUNT(versions) && !found; i++)
        found = dlvsym(RTLD_NEXT, name, versions[i]);
    return found;
}

/*
 * Find libc's own functions: libcollector.so's functions of these names would search
 * for new objects.
 */
static int
find_real(void)
{
    if (!real_symbol) {
        real_open = (void *(*)(const char *, int))next_of("dlopen");
        real_close = (int (*)(void *))next_of("dlclose");
        real_symbol = (void *(*)(void *, const char *))next_of("dlsym");
    }
    return real_open && real_close && real_symbol;
}

static u64
trampoline(const struct call_target *target)
{
    return (u64)(uintptr_t)call_trampolines + 16ul * (u64)(target - call_targets);
}

static int
is_trampoline(u64 address)
{
    return address - (u64)(uintptr_t)call_trampolines < 16ul * CALL_TARGETS;
}

static int
is_code(u64 address)
{
    for (u32 i = 0; i < scan.texts; i++)
        if (address >= texts[i].lo && address < texts[i].hi)
            return 1;
    return 0;
}

/*
 * Find the target of an earlier recording with this real function, or NULL: the program
 * may still have a pointer to its trampoline.
 */
static struct call_target *
idle_target(u64 real)
{
    for (u32 i = 0; i < call_target_count; i++)
        if (call_targets[i].real == real && !call_targets[i].function)
            return &call_targets[i];
    return NULL;
}

static struct call_target *
target_for(const struct call_function *f, u64 real)
{
    struct call_function *function = &call_functions[f - call_functions];
    struct call_target *t;

    for (u32 i = f->first; i; i = call_targets[i - 1].next)
        if (call_targets[i - 1].real == real)
            return &call_targets[i - 1];
    t = idle_target(real);
    if (!t && call_target_count < CALL_TARGETS)
        t = &call_targets[call_target_count++];
    if (!t)
        return NULL;
    t->real = real;
    t->slots = t->noted = 0;
    t->next = f->first;
    function->first = (u32)(t - call_targets) + 1;
    __atomic_store_n(&t->function, f, __ATOMIC_RELEASE);
    return t;
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/*
 * Is this one of the collector's libraries? It is if it is in the same directory as
 * this library, and has the name of one.
 */
static int
is_own(const char *name)
{
    const char *base = base_name(name);
    size_t len = (size_t)(base - name);

    if (!len || strncmp(scan.own, name, len) != 0 || scan.own[len])
        return 0;
    for (int i = 0; i < TRACE_COUNT; i++)
        if (!strcmp(base, er_traces[i].library))
            return 1;
    return !strcmp(base, "libcollector.so") || !strcmp(base, "libwait.so");
}

static int
is_loader(const char *name)
{
    return !strncmp(base_name(name), "ld-linux", 8);
}

/*
 * Keep the addresses of the main program's PLT entries that stand for named functions
 * in all objects (canonical PLT entries).
 */
static void
add_canonical(const struct got_object *o)
{
    for (u64 i = 1; i < o->count; i++) {
        const struct call_function *f;

        if (o->symbols[i].st_shndx || !o->symbols[i].st_value)
            continue;
        f = call_table_find(o->strings + o->symbols[i].st_name);
        if (f)
            canonical[f - call_functions] = o->bias + o->symbols[i].st_value;
    }
}

static int
read_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *base = base_name(info->dlpi_name);
    u64 here = (u64)(uintptr_t)call_trampolines;
    struct got_object o;
    u32 *first = arg;

    (void)size;
    adds_seen = info->dlpi_adds;
    if (object_read(&o, info) < 0)
        return 0;
    if (*first)
        add_canonical(&o);
    *first = 0;
    if (here >= o.lo && here < o.hi &&
        (size_t)(base - info->dlpi_name) < sizeof(scan.own)) {
        memcpy(scan.own, info->dlpi_name, (size_t)(base - info->dlpi_name));
        scan.own[base - info->dlpi_name] = '\0';
    }
    if (scan.texts < TEXTS && o.text_hi > o.text_lo) {
        texts[scan.texts].lo = o.text_lo;
        texts[scan.texts++].hi = o.text_hi;
    }
    return 0;
}

static void
redirect(u64 *at, const struct call_function *f, u64 real)
{
    struct call_target *t = target_for(f, real);

    if (!t)
        return;
    if (!resolve_is_late())
        __atomic_store_n(at, trampoline(t), __ATOMIC_RELEASE);
    else if (slots_change(&changed, at, *at, trampoline(t)) < 0)
        return;
    t->slots++;
}

static void
add_unbound(const char *name, const struct call_function *f, u64 *at,
            const char *version)
{
    struct unbound *u = &scan.unbound[scan.unbounds];

    if (scan.unbounds == UNBOUND || strlen(version) >= sizeof(u->version) ||
        strlen(name) >= NAME_BYTES)
        return;
    if (!scan.objects || strcmp(scan.object[scan.objects - 1], name) != 0)
        strcpy(scan.object[scan.objects++], name);
    u->at = at;
    u->before = *at;
    u->function = f;
    strcpy(u->version, version);
    u->object = scan.objects - 1;
    scan.unbounds++;
}

static void
check_slot(const struct got_object *o, const Elf64_Rela *r, const char *name,
           int opened)
{
    u32 type = ELF64_R_TYPE(r->r_info);
    u64 symbol = ELF64_R_SYM(r->r_info), value;
    u64 *at = (u64 *)(uintptr_t)(o->bias + r->r_offset);
    const struct call_function *f;
    const char *version;
    int hidden;

    if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT &&
         type != R_X86_64_64) ||
        !symbol || (type == R_X86_64_64 && r->r_addend) ||
        ELF64_ST_TYPE(o->symbols[symbol].st_info) == STT_OBJECT)
        return;
    f = call_table_find(o->strings + o->symbols[symbol].st_name);
    if (!f)
        return;
    value = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (is_trampoline(value) || !is_code(value) ||
        value == canonical[f - call_functions] ||
        (!opened && slots_is_closed(o, at)))
        return;
    version = object_version(o, symbol, &hidden);
    if (type == R_X86_64_JUMP_SLOT && value >= o->text_lo && value < o->text_hi &&
        object_find(o, f->name, version) != value)
        add_unbound(name, f, at, version);
    else
        redirect(at, f, value);
}

static int
check_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct got_object o;
    int opened;

    (void)size;
    (void)arg;
    if (object_read(&o, info) < 0 || is_own(info->dlpi_name) ||
        is_loader(info->dlpi_name) ||
        (resolve_is_late() && object_names(&o, "ertools_services")))
        return 0;
    opened = slots_open(&o);
    for (int k = 0; k < 2; k++)
        for (u64 i = 0; i < o.rela_count[k]; i++)
            check_slot(&o, &o.rela[k][i], info->dlpi_name, opened);
    if (opened)
        slots_close(&o);
    return 0;
}

static u64
real_of(void *handle, const struct unbound *u)
{
    void *found = *u->version ? dlvsym(RTLD_DEFAULT, u->function->name, u->version)
                              : real_symbol(RTLD_DEFAULT, u->function->name);

    /*
     * In a program that is not position-independent, the address of its own PLT entry
     * stands for the function; the real function is the next definition.
     */
    if (found && (u64)(uintptr_t)found == canonical[u->function - call_functions])
        return (u64)(uintptr_t)real_symbol(RTLD_NEXT, u->function->name);
    if (!found && handle)
        found = *u->version ? dlvsym(handle, u->function->name, u->version)
                            : real_symbol(handle, u->function->name);
    return (u64)(uintptr_t)found;
}

/*
 * Look up the functions of slots that are bound lazily. Keeps a reference to each
 * object while its slots are changed. The main program has an empty name.
 */
static void
redirect_unbound(void)
{
    for (u32 i = 0, object = ~0u; i < scan.unbounds; i++) {
        const struct unbound *u = &scan.unbound[i];
        static void *handle;
        u64 real;

        if (u->object != object) {
            if (handle)
                real_close(handle);
            object = u->object;
            handle = real_open(*scan.object[object] ? scan.object[object] : NULL,
                               RTLD_LAZY | RTLD_NOLOAD);
        }
        if (!handle)
            continue;
        real = real_of(handle, u);
        if (real && !is_trampoline(real) && is_code(real) &&
            __atomic_load_n(u->at, __ATOMIC_RELAXED) == u->before)
            redirect(u->at, u->function, real);
        if (i + 1 == scan.unbounds) {
            real_close(handle);
            handle = NULL;
        }
    }
}

/*
 * Record at once the targets that were found, so that functions that are never called
 * are recorded, too.
 */
static void
record_targets(void)
{
    struct trace_scope s;

    if (!trace_is_on() || !trace_enter(&s))
        return;
    for (u32 i = 0; i < call_target_count; i++)
        if (call_targets[i].function &&
            (call_targets[i].noted != *trace_services->pid ||
             call_targets[i].noted_slots != call_targets[i].slots))
            call_record_target(&s, &call_targets[i]);
    trace_leave(&s);
}

static int
have_memory(void)
{
    if (scan.unbound)
        return 1;
    scan.unbound = sys_map(UNBOUND * (sizeof(*scan.unbound) + NAME_BYTES));
    if (!scan.unbound)
        return 0;
    scan.object = (void *)(scan.unbound + UNBOUND);
    return 1;
}

static int
get_adds(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(u64 *)arg = info->dlpi_adds;
    return 1;
}

static void
update_once(void)
{
    u32 first = 1;
    u64 adds = 0;

    dl_iterate_phdr(get_adds, &adds);
    if (adds == adds_seen || !have_memory() || !find_real())
        return;
    scan.unbounds = scan.objects = scan.texts = 0;
    dl_iterate_phdr(read_object, &first);
    dl_iterate_phdr(check_object, NULL);
    redirect_unbound();
    record_targets();
}

void
call_slots_update(void)
{
    if (!call_function_count || waits)
        return;
    do {
        if (__atomic_exchange_n(&looking, 1, __ATOMIC_ACQUIRE)) {
            __atomic_store_n(&again, 1, __ATOMIC_RELEASE);
            return;
        }
        __atomic_store_n(&again, 0, __ATOMIC_RELAXED);
        update_once();
        __atomic_store_n(&looking, 0, __ATOMIC_RELEASE);
    } while (__atomic_load_n(&again, __ATOMIC_ACQUIRE));
}

void
call_slots_begin(void)
{
    waits = resolve_is_late();
    adds_seen = 0;
    memset(canonical, 0, sizeof(canonical));
    for (u32 i = 0; i < call_target_count; i++)
        call_targets[i].function = NULL;
}

static void
restore(void)
{
    const struct timespec a_ms = { 0, 1000000 };

    while (__atomic_exchange_n(&looking, 1, __ATOMIC_ACQUIRE))
        sys_call4(SYS_nanosleep, (long)(uintptr_t)&a_ms, 0, 0, 0);
    slots_restore(&changed);
    __atomic_store_n(&looking, 0, __ATOMIC_RELEASE);
}

void
call_slots_redirect(int on)
{
    if (!call_function_count)
        return;
    waits = !on;
    if (on)
        call_slots_update();
    else
        restore();
}

void *
call_slots_symbol(const char *name, void *found)
{
    const struct call_function *f;
    struct call_target *t = NULL;

    if (!found || !name || is_trampoline((u64)(uintptr_t)found))
        return found;
    f = waits ? NULL : call_table_find(name);
    if (!f || __atomic_exchange_n(&looking, 1, __ATOMIC_ACQUIRE))
        return found;
    if (is_code((u64)(uintptr_t)found))
        t = target_for(f, (u64)(uintptr_t)found);
    if (t)
        t->slots++;
    __atomic_store_n(&looking, 0, __ATOMIC_RELEASE);
    return t ? (void *)(uintptr_t)trampoline(t) : found;
}
