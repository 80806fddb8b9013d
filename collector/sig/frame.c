/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/frame.h"

#include <stddef.h>

#include "collector/sig/hit.h"

enum {
    SIGSET_BYTES = 8,
    RED_ZONE = 128, /* System V ABI, AMD64 supplement, 3.2.2 */
};

void *frame_handlers[65];

static int
is_in(u64 address, const stack_t *stack)
{
    return address - (u64)(uintptr_t)stack->ss_sp < stack->ss_size;
}

void
frame_note_stack(struct thread *t, const stack_t *now)
{
    int ours = !(now->ss_flags & SS_DISABLE) && now->ss_sp == t->alt;

    if (ours && !t->alt_ours)
        t->alt_instead = t->alt_told.ss_size != 0;
    else if (!ours)
        t->alt_instead = 0;
    t->alt_ours = (u32)ours;
}

struct frame_place
frame_place(struct thread *t, const ucontext_t *uc, int alternate)
{
    const stack_t *stack = &uc->uc_stack;
    u64 sp = (u64)uc->uc_mcontext.gregs[REG_RSP], floor;
    int ours;

    /* Without any, this may be a thread that a raw clone() gave its maker's words. */
    if (t && !(stack->ss_flags & SS_DISABLE))
        frame_note_stack(t, stack);
    ours = t && t->alt_ours;
    if (stack->ss_flags & SS_DISABLE || !is_in((u64)(uintptr_t)uc, stack) ||
        is_in(sp, stack))
        return (struct frame_place){ 0, 0 };
    if (!alternate || (ours && !t->alt_instead && !thread_alt_shared))
        return (struct frame_place){ sp - RED_ZONE, 0 };
    if (!ours || !t->alt_instead)
        return (struct frame_place){ 0, 0 };
    floor = (u64)(uintptr_t)t->alt_told.ss_sp;
    if (is_in(sp, &t->alt_told))
        return (struct frame_place){ sp - RED_ZONE, floor };
    return (struct frame_place){ floor + t->alt_told.ss_size, floor };
}

/* What the kernel lays on the stack for a handler, as far as it is of fixed size. */
struct frame {
    u64 restorer;
    unsigned char uc[offsetof(ucontext_t, uc_sigmask) + SIGSET_BYTES];
    siginfo_t info;
};

/* Bytes of the floating-point state (asm/sigcontext.h: struct _fpx_sw_bytes). */
static u32
fp_bytes(const char *fp)
{
    enum { LEGACY = 512, MAGIC_AT = 464, MAGIC = 0x46505853 };
    u32 magic, bytes;

    if (!fp)
        return 0;
    __builtin_memcpy(&magic, fp + MAGIC_AT, sizeof(magic));
    __builtin_memcpy(&bytes, fp + MAGIC_AT + 4, sizeof(bytes));
    return magic == MAGIC ? bytes : LEGACY;
}

void
frame_move(const struct frame_place *place, frame_function *function, long first,
           const siginfo_t *info, const ucontext_t *uc)
{
    char *fp = (char *)uc->uc_mcontext.fpregs;
    u64 fp_to = (place->top - fp_bytes(fp)) & ~63ull;
    u64 to = ((fp_to - sizeof(struct frame) + 8) & ~15ull) - 8;
    struct frame *frame = (struct frame *)(uintptr_t)to;
    ucontext_t *uc_to = (ucontext_t *)(void *)frame->uc;

    if (to < place->floor || to > place->top)
        return;
    frame->restorer = ((const u64 *)(const void *)uc)[-1];
    __builtin_memcpy(frame->uc, uc, sizeof(frame->uc));
    __builtin_memcpy(&frame->info, info, sizeof(frame->info));
    if (fp) {
        __builtin_memcpy((void *)(uintptr_t)fp_to, fp, fp_bytes(fp));
        uc_to->uc_mcontext.fpregs = (fpregset_t)(uintptr_t)fp_to;
    }
    /* The frame pointer as well, as the kernel leaves it: some unwind by that. */
    __asm__ volatile("movq %%rcx, %%rsp\n\t"
                     "movq %%rbx, %%rbp\n\t"
                     "jmp *%%rax"
                     :
                     : "c"(to), "a"(function), "b"(uc->uc_mcontext.gregs[REG_RBP]),
                       "D"(first), "S"(&frame->info), "d"(uc_to)
                     : "memory");
    __builtin_unreachable();
}

void
frame_pass(struct thread *t, frame_handler *handler, int signo, siginfo_t *info,
           void *context)
{
    struct frame_place place = frame_place(t, context, 1);

    /* The number is passed in the same register, whatever its width. */
    if (place.top)
        frame_move(&place, (frame_function *)(void *)handler, signo, info, context);
    handler(signo, info, context);
}

void
sig_frame(int signo, siginfo_t *info, void *context)
{
    void *target = __atomic_load_n(&frame_handlers[signo], __ATOMIC_ACQUIRE);
    frame_handler *handler;

    __builtin_memcpy(&handler, &target, sizeof(handler));
    frame_pass(sig_self(), handler, signo, info, context);
}
