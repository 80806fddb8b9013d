/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/frame.h"

#include <stddef.h>

#include "collector/sig/chain.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/sys.h"

enum {
    SIGSET_BYTES = 8,
    RED_ZONE = 128, /* System V ABI, AMD64 supplement, 3.2.2 */
};

void *frame_handlers[ACTION_SIGNALS + 1];
u32 frame_views;

static int
is_in(u64 address, const stack_t *stack)
{
    return address - (u64)(uintptr_t)stack->ss_sp < stack->ss_size;
}

void
frame_set_stack(struct thread *t, const stack_t *now)
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

    /*
     * If there is no alternate stack now, do not record that: this may be a child of a
     * raw clone() that uses its parent's thread pointer, so t would be the parent.
     */
    if (t && !(stack->ss_flags & SS_DISABLE))
        frame_set_stack(t, stack);
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

/*
 * A moved handler returns here. The word above the return address keeps the stack
 * aligned; after it comes the kernel's frame.
 */
void frame_return(void) __attribute__((visibility("hidden")));
void frame_close(ucontext_t *uc) __attribute__((used, visibility("hidden")));

__asm__(".pushsection .text\n"
        ".type frame_return, @function\n"
        ".hidden frame_return\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa %rsp, 16\n"
        "nop\n" /* unwinders look at the byte before a return address */
        "frame_return:\n"
        "lea 16(%rsp), %rdi\n"
        "call frame_close\n"
        "add $8, %rsp\n .cfi_adjust_cfa_offset -8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size frame_return, . - frame_return\n"
        ".popsection\n");

/* The fixed-size part of the signal frame that the kernel builds on the stack. */
struct sig_frame {
    u64 closer; /* frame_return, if the move is `closed` */
    u64 aligned;
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
           const siginfo_t *info, const ucontext_t *uc, int closed)
{
    char *fp = (char *)uc->uc_mcontext.fpregs;
    u64 fp_to = (place->top - fp_bytes(fp)) & ~63ull;
    u64 to = ((fp_to - sizeof(struct sig_frame) + 8) & ~15ull) - 8, entry = to;
    struct sig_frame *frame = (struct sig_frame *)(uintptr_t)to;
    ucontext_t *uc_to = (ucontext_t *)(void *)frame->uc;

    if (to < place->floor || to > place->top)
        return;
    frame->closer = (u64)(uintptr_t)frame_return;
    frame->restorer = ((const u64 *)(const void *)uc)[-1];
    if (!closed)
        entry = (u64)(uintptr_t)&frame->restorer;
    __builtin_memcpy(frame->uc, uc, sizeof(frame->uc));
    __builtin_memcpy(&frame->info, info, sizeof(frame->info));
    if (fp) {
        __builtin_memcpy((void *)(uintptr_t)fp_to, fp, fp_bytes(fp));
        uc_to->uc_mcontext.fpregs = (fpregset_t)(uintptr_t)fp_to;
    }
    /*
     * Set the frame pointer to the interrupted code's, as the kernel does: some
     * programs unwind by it.
     */
    __asm__ volatile("movq %%rcx, %%rsp\n\t"
                     "movq %%rbx, %%rbp\n\t"
                     "jmp *%%rax"
                     :
                     : "c"(entry), "a"(function), "b"(uc->uc_mcontext.gregs[REG_RBP]),
                       "D"(first), "S"(&frame->info), "d"(uc_to)
                     : "memory");
    __builtin_unreachable();
}

/*
 * The current thread, if we keep for the target whether our signal is blocked in it:
 * then the context that its handlers get must agree with what sigprocmask() reports.
 * NULL also in a child that shares its parent's memory, where the kept state is the
 * parent's.
 */
static struct thread *
viewed(void)
{
    struct thread *t = thread_in_handler();

    if (!t || t->given_up || !gate_is_open() || gate_limited ||
        (u32)sys_call4(SYS_gettid, 0, 0, 0, 0) != t->tid)
        return NULL;
    return t;
}

static u64 *
mask_of(ucontext_t *uc)
{
    return (u64 *)(void *)&uc->uc_sigmask;
}

static u64
own_bit(void)
{
    return 1ull << (hit_signal - 1);
}

/*
 * 1 if the target wants our signal blocked in this handler, but the kernel does not
 * block it.
 */
static int
is_masked(int signo)
{
    return __atomic_load_n(&action_wanted[signo].mask, __ATOMIC_RELAXED) & own_bit() &&
           !action_is_function(chain_action()->handler);
}

/*
 * Set the bit of our signal in the context's mask as the target has set it. 1 if
 * frame_close() must be called afterwards. That needs one more frame, which the
 * target's backtraces show; so it is not done for a target that never blocks our
 * signal.
 */
static int
open_view(int signo, ucontext_t *uc)
{
    struct thread *t;

    if (ER_LIKELY(!__atomic_load_n(&frame_views, __ATOMIC_RELAXED)))
        return 0;
    t = viewed();
    if (!t)
        return 0;
    if (t->blocked)
        *mask_of(uc) |= own_bit();
    if (is_masked(signo))
        t->blocked = 1;
    return 1;
}

/* Called when a handler returns: sets t->blocked from the mask in the context. */
void
frame_close(ucontext_t *uc)
{
    struct thread *t = viewed();

    if (!t)
        return;
    t->blocked = (*mask_of(uc) & own_bit()) != 0;
    *mask_of(uc) &= ~own_bit();
    if (!t->blocked && chain_held(t))
        chain_nudge(t->tid);
}

void
frame_pass(struct thread *t, frame_handler *handler, int signo, siginfo_t *info,
           void *context)
{
    struct frame_place place = frame_place(t, context, 1);
    int closed = open_view(signo, context);

    /*
     * Both kinds of function get signo in the same register, whether it is an int or a
     * long.
     */
    if (place.top)
        frame_move(&place, (frame_function *)(void *)handler, signo, info, context,
                   closed);
    if (!closed) {
        handler(signo, info, context);
        return;
    }
    handler(signo, info, context);
    frame_close(context);
}

void
sig_frame(int signo, siginfo_t *info, void *context)
{
    void *target = __atomic_load_n(&frame_handlers[signo], __ATOMIC_ACQUIRE);
    frame_handler *handler;

    __builtin_memcpy(&handler, &target, sizeof(handler));
    frame_pass(thread_in_handler(), handler, signo, info, context);
}
