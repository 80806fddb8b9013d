/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dlopen, dlmopen and dlsym depend on their return address: for RUNPATH, the namespace,
 * and RTLD_NEXT. So our hooks run some code and then jump to the real function. They
 * cannot run code after dlopen; new objects are recorded in the next dlsym, before a
 * function found by it can be called.
 */
#include "collector/got/got.h"
#include "collector/hook/stub.h"
#include "collector/libc/real.h"
#include "collector/preload/callbacks.h"
#include "collector/preload/map.h"
#include "collector/preload/room.h"
#include "collector/preload/clients.h"
#include "collector/sig/gate.h"

static u32 loading; /* 1 = dlopen or dlmopen was ever called */

/*
 * The number of calls of dlmopen() so far, and that number when record_loaded() ran
 * last: dl_iterate_phdr() does not list the objects in dlmopen()'s namespaces for us.
 */
static u32 elsewhere, elsewhere_looked;

void *dl_on_load(void **function) __attribute__((used));
void *dl_on_namespace(void **function) __attribute__((used));
void *dl_on_symbol(void **function, const char *name, void *handle)
    __attribute__((used));

/* Called by the stubs; all return the address to which the stub jumps. */
void *
dl_on_load(void **function)
{
    map_call_loader();
    __atomic_store_n(&loading, 1, __ATOMIC_RELEASE);
    return real_at(function);
}

void *
dl_on_namespace(void **function)
{
    map_call_loader();
    __atomic_fetch_add(&elsewhere, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&loading, 1, __ATOMIC_RELEASE);
    return real_at(function);
}

/*
 * Record objects that were loaded, maybe by another thread that is still loading. The
 * loader's counters show whether there are new ones, except in the namespaces of
 * dlmopen(): after a call of it, all mappings are read.
 */
static void
record_loaded(void)
{
    u32 now = __atomic_load_n(&elsewhere, __ATOMIC_ACQUIRE);

    map_trust_loader();
    got_update();
    if (clients_calls.loaded)
        clients_calls.loaded();
    if (now == __atomic_load_n(&elsewhere_looked, __ATOMIC_ACQUIRE)) {
        map_refresh_if_changed();
        return;
    }
    map_refresh(1);
    __atomic_store_n(&elsewhere_looked, now, __ATOMIC_RELEASE);
}

/*
 * Called in place of the real dlsym(), if libcall.so is loaded: it may return a
 * trampoline instead of the function (collect -T). Only for a handle that dlopen()
 * returned: for RTLD_NEXT and RTLD_DEFAULT, the result depends on who calls dlsym().
 */
static void *
find_named(void *handle, const char *name)
{
    return clients_calls.symbol(name, REAL(dlsym)(handle, name));
}

void *
dl_on_symbol(void **function, const char *name, void *handle)
{
    void *instead;

    if (gate_is_open())
        room_extend_files();
    if (gate_is_open() && __atomic_load_n(&loading, __ATOMIC_ACQUIRE))
        record_loaded();
    instead = callbacks.symbol(handle, name);
    if (!instead && clients_calls.symbol && handle != RTLD_NEXT &&
        handle != RTLD_DEFAULT)
        instead = (void *)(uintptr_t)find_named;
    return instead ? instead : real_at(function);
}

/*
 * Define a stub: it saves the arguments, calls `note`, which returns the real function,
 * and jumps there. note gets the second argument as its first one, and the first as its
 * third.
 */
#define STUB(name, note)                                      \
    __asm__(STUB_BEGIN(#name)                                 \
            STUB_PUSH("rdi") STUB_PUSH("rsi") STUB_PUSH("rdx") \
            "mov %rdi, %rdx\n"                                \
            "lea dl_real_" #name "(%rip), %rdi\n"             \
            "mov (%rdi), %rdi\n"                              \
            "call " #note "\n"                                \
            STUB_POP("rdx") STUB_POP("rsi") STUB_POP("rdi")   \
            "jmp *%rax\n"                                     \
            STUB_END(#name));                                 \
    void *const dl_real_##name __attribute__((used)) = (void *)&real.name

STUB(dlopen, dl_on_load);
STUB(dlmopen, dl_on_namespace);
STUB(dlsym, dl_on_symbol);

/*
 * Update the map both before the call, while the object is still there, and after it.
 */
WRAPPER int
dlclose(void *handle)
{
    int open = gate_is_open();
    int result;

    if (open)
        map_refresh_if_changed();
    result = REAL(dlclose)(handle);
    if (open)
        map_refresh_if_changed();
    return result;
}
