/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dlopen, dlmopen and dlsym look at their return address: whose RUNPATH, which
 * namespace, what is "next". So ours are no calls but a look and a jump; what was
 * loaded is found out before its first function can be called by name, in dlsym.
 */
#include "collector/interpose/real.h"
#include "collector/preload/map.h"
#include "collector/preload/room.h"
#include "collector/sig/gate.h"

enum {
    LOADED_HERE = 1,
    LOADED_ELSEWHERE = 2, /* in a namespace that the loader does not list to us */
};

static u32 loading; /* dlopen or dlmopen was called since the last look */

void *dl_note_load(void **function) __attribute__((used));
void *dl_note_namespace(void **function) __attribute__((used));
void *dl_note_symbol(void **function) __attribute__((used));

static void *
real_at(void **function)
{
    if (!*function)
        real_start();
    return *function;
}

/* Called by the stubs; all return where to jump. */
void *
dl_note_load(void **function)
{
    map_call_loader();
    __atomic_fetch_or(&loading, LOADED_HERE, __ATOMIC_RELEASE);
    return real_at(function);
}

void *
dl_note_namespace(void **function)
{
    map_call_loader();
    __atomic_fetch_or(&loading, LOADED_ELSEWHERE, __ATOMIC_RELEASE);
    return real_at(function);
}

void *
dl_note_symbol(void **function)
{
    u32 what = 0;

    if (gate_is_open())
        room_look();
    if (gate_is_open() && __atomic_load_n(&loading, __ATOMIC_ACQUIRE))
        what = __atomic_exchange_n(&loading, 0, __ATOMIC_ACQ_REL);
    if (what)
        map_trust_loader();
    if (what & LOADED_ELSEWHERE)
        map_refresh(1);
    else if (what)
        map_refresh_if_changed();
    return real_at(function);
}

/* Keep the arguments, ask `note` for the real function, jump there. */
#define STUB(name, note)                                      \
    __asm__(".pushsection .text\n"                            \
            ".globl " #name "\n"                              \
            ".type " #name ", @function\n" #name ":\n"        \
            ".cfi_startproc\n"                                \
            "push %rdi\n .cfi_adjust_cfa_offset 8\n"          \
            "push %rsi\n .cfi_adjust_cfa_offset 8\n"          \
            "push %rdx\n .cfi_adjust_cfa_offset 8\n"          \
            "lea dl_real_" #name "(%rip), %rdi\n"             \
            "mov (%rdi), %rdi\n"                              \
            "call " #note "\n"                                \
            "pop %rdx\n .cfi_adjust_cfa_offset -8\n"          \
            "pop %rsi\n .cfi_adjust_cfa_offset -8\n"          \
            "pop %rdi\n .cfi_adjust_cfa_offset -8\n"          \
            "jmp *%rax\n"                                     \
            ".cfi_endproc\n"                                  \
            ".size " #name ", . - " #name "\n"                \
            ".popsection\n");                                 \
    void *const dl_real_##name __attribute__((used)) = (void *)&real.name

STUB(dlopen, dl_note_load);
STUB(dlmopen, dl_note_namespace);
STUB(dlsym, dl_note_symbol);

/* Before, while what goes can still be seen; and after. */
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
