/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/stack.h"

#include <pthread.h>

#include "collector/sig/guard.h"
#include "collector/sig/gate.h"
#include "collector/sig/space.h"
#include "collector/sig/sys.h"
#include "collector/sig/walk.h"

enum {
    ENOUGH = 65536, /* bytes that the caller's stack must have left */
    OWN_BYTES = 131072,
    PAGE = 4096,
};

/* Call function(arg) with the stack pointer at top. */
void stack_switch(void *arg, void (*function)(void *), void *top)
    __attribute__((visibility("hidden")));

__asm__(".pushsection .text\n"
        ".globl stack_switch\n"
        ".hidden stack_switch\n"
        ".type stack_switch, @function\nstack_switch:\n"
        ".cfi_startproc\n"
        "push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"
        "mov %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
        "mov %rdx, %rsp\n"
        "call *%rsi\n"
        "leave\n .cfi_def_cfa %rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size stack_switch, . - stack_switch\n"
        ".popsection\n");

static u64
here(void)
{
    return (u64)(uintptr_t)__builtin_frame_address(0);
}

/* Is the caller's stack known, and is there enough room left on it? */
static int
is_roomy(const struct thread *t)
{
    return t && walk_on_stack(t->walk, here()) &&
           walk_on_stack(t->walk, here() - ENOUGH);
}

static int
is_on(const char *own)
{
    return own && here() - (u64)(uintptr_t)own < OWN_BYTES;
}

/*
 * 1 = no other thread uses t's memory now. In a vfork child, t is the parent's, but the
 * parent waits until the exec. In a thread made by a raw clone(), t may belong to
 * another thread, which is running.
 */
static int
is_own(const struct thread *t)
{
    return t && ((u32)sys_call4(SYS_gettid, 0, 0, 0, 0) == t->tid ||
                 (u32)sys_call4(SYS_getpid, 0, 0, 0, 0) != space_pid);
}

/*
 * Call function(arg) on a stack of ours; if there is no memory, on the present one. All
 * signals are blocked.
 */
static void
run_elsewhere(struct thread *t, void (*function)(void *), void *arg)
{
    int mine = is_own(t), state;
    char *own = mine ? t->own_stack : NULL;

    if (!own)
        own = sys_map(OWN_BYTES);
    if (mine)
        t->own_stack = own;
    if (!own) {
        function(arg);
        return;
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    stack_switch(arg, function, own + OWN_BYTES);
    pthread_setcancelstate(state, NULL);
    if (!mine)
        sys_unmap(own, OWN_BYTES);
}

void
stack_run(void (*function)(void *), void *arg)
{
    struct thread *t = thread_has_words() ? thread_self : NULL;
    u64 mask;

    /*
     * If the target has restricted its system calls, stay on its stack: a filter may
     * kill us for a system call.
     */
    if (is_roomy(t) || gate_limited || !thread_has_words() ||
        (t && is_on(t->own_stack))) {
        function(arg);
        return;
    }
    mask = guard_enter();
    run_elsewhere(t, function, arg);
    guard_leave(mask);
}

void *
stack_spare(size_t bytes)
{
    struct thread *t = thread_has_words() ? thread_self : NULL;

    if (!t || is_roomy(t) || gate_limited || !is_own(t))
        return NULL;
    if (t->spare_bytes < bytes) {
        if (t->spare)
            sys_unmap(t->spare, t->spare_bytes);
        t->spare_bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
        t->spare = sys_map(t->spare_bytes);
        if (!t->spare)
            t->spare_bytes = 0;
    }
    return t->spare;
}

void
stack_free(struct thread *t)
{
    if (t->own_stack)
        sys_unmap(t->own_stack, OWN_BYTES);
    if (t->spare)
        sys_unmap(t->spare, t->spare_bytes);
    t->own_stack = NULL;
    t->spare = NULL;
    t->spare_bytes = 0;
}
