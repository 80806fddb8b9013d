/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Position-independent code for the target. A thread that runs stub_call makes one call
 * and then waits in ppoll(), which leaves the kernel's restart block unchanged: the
 * system call in which the thread was stopped may need that. The launcher stops the
 * thread there and restores it. If the launcher does not, the thread restores itself
 * after some seconds.
 */
#include "collector/attach/stub.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "share/attach.h"

#define AT(member) [member] "i"(offsetof(struct attach_page, member))
#define CALL_AT(name, member) [name] "i"(offsetof(struct attach_page, call.member))

/* What both ways to make a call need. */
#define CALL_OPERANDS                                                              \
    CALL_AT(a0, arg[0]), CALL_AT(a1, arg[1]), CALL_AT(a2, arg[2]),                 \
        CALL_AT(a3, arg[3]), CALL_AT(function, function), CALL_AT(result, result), \
        CALL_AT(done, done), CALL_AT(taken, taken), CALL_AT(mask, mask),           \
        CALL_AT(r, r), [sigprocmask] "i"(SYS_rt_sigprocmask)

/* Call the function that struct attach_page (rbx) names, and store its result there. */
#define MAKE_CALL                         \
    "movq %c[a0](%%rbx), %%rdi\n"         \
    "movq %c[a1](%%rbx), %%rsi\n"         \
    "movq %c[a2](%%rbx), %%rdx\n"         \
    "movq %c[a3](%%rbx), %%rcx\n"         \
    "xorl %%eax, %%eax\n"                 \
    "call *%c[function](%%rbx)\n"         \
    "movq %%rax, %c[result](%%rbx)\n"

/*
 * The functions below are never called; they exist so that the assembly text can have
 * operands. Numbered subsections keep the texts in order, whatever order the compiler
 * chooses.
 */
__attribute__((used, noinline)) static void
bounds_text(void)
{
    __asm__ volatile(
        ".pushsection .rodata.stub, 0, \"a\"\n"
        ".balign 16\n"
        ".globl stub_start\n.hidden stub_start\nstub_start:\n"
        ".popsection\n"
        ".pushsection .rodata.stub, 3, \"a\"\n"
        ".globl stub_end\n.hidden stub_end\nstub_end:\n"
        ".popsection\n");
}

__attribute__((used, noinline)) static void
call_text(void)
{
    __asm__ volatile(
        ".pushsection .rodata.stub, 1, \"a\"\n"
        /* rbx points to struct attach_page; rsp is on the stack in the pages. */
        ".globl stub_call\n.hidden stub_call\nstub_call:\n"
        "cld\n"
        MAKE_CALL
        "movl $1, %c[done](%%rbx)\n"
        "leaq %c[done](%%rbx), %%rdi\n"
        "movl $1, %%esi\n" /* FUTEX_WAKE */
        "movl $1, %%edx\n"
        "movl %[futex], %%eax\n"
        "syscall\n"
        "movl $100, %%r12d\n"
        "1:\n"
        "subq $16, %%rsp\n"
        "movq $0, (%%rsp)\n"
        "movq $50000000, 8(%%rsp)\n"
        "xorl %%edi, %%edi\n"
        "xorl %%esi, %%esi\n"
        "movq %%rsp, %%rdx\n"
        "xorl %%r10d, %%r10d\n"
        "movl $8, %%r8d\n"
        "movl %[ppoll], %%eax\n"
        "syscall\n"
        "addq $16, %%rsp\n"
        "decl %%r12d\n"
        "jnz 1b\n"
        "movl $100, %%r12d\n"
        "xorl %%eax, %%eax\n"
        "movl $2, %%ecx\n"
        "lock cmpxchgl %%ecx, %c[taken](%%rbx)\n"
        "jnz 1b\n"
        /*
         * The thread restores itself: the signal mask, the vector registers, the other
         * registers.
         */
        "leaq %c[mask](%%rbx), %%rsi\n"
        "movl $2, %%edi\n" /* SIG_SETMASK */
        "xorl %%edx, %%edx\n"
        "movl $8, %%r10d\n"
        "movl %[sigprocmask], %%eax\n"
        "syscall\n"
        "movq %c[xstate](%%rbx), %%rcx\n"
        "movl $-1, %%eax\n"
        "movl $-1, %%edx\n"
        "xrstor64 (%%rcx)\n"
        "movq %c[r]+16(%%rbx), %%rcx\n"
        "movq %c[r]+24(%%rbx), %%rdx\n"
        "movq %c[r]+32(%%rbx), %%rsi\n"
        "movq %c[r]+40(%%rbx), %%rdi\n"
        "movq %c[r]+48(%%rbx), %%rbp\n"
        "movq %c[r]+56(%%rbx), %%r8\n"
        "movq %c[r]+64(%%rbx), %%r9\n"
        "movq %c[r]+72(%%rbx), %%r10\n"
        "movq %c[r]+80(%%rbx), %%r11\n"
        "movq %c[r]+88(%%rbx), %%r12\n"
        "movq %c[r]+96(%%rbx), %%r13\n"
        "movq %c[r]+104(%%rbx), %%r14\n"
        "movq %c[r]+112(%%rbx), %%r15\n"
        "movq %c[r](%%rbx), %%rax\n"
        /*
         * The launcher has written two words below the red zone of the target's own
         * stack: the flags, and the address at which to continue. r[15] points to them.
         */
        "movq %c[r]+120(%%rbx), %%rsp\n"
        "movq %c[r]+8(%%rbx), %%rbx\n"
        "popfq\n"
        "ret $128\n"
        ".popsection\n"
        :
        : CALL_OPERANDS, CALL_AT(xstate, xstate), [futex] "i"(SYS_futex),
          [ppoll] "i"(SYS_ppoll));
}

/*
 * A function whose argument is struct attach_page. It makes the call with the signals
 * of call.r[0] blocked. Afterwards the signal mask is the one from before, or, if
 * call.taken is set, the one that the call has returned.
 */
__attribute__((used, noinline)) static void
quiet_text(void)
{
    __asm__ volatile(
        ".pushsection .rodata.stub, 1, \"a\"\n"
        ".globl stub_quiet\n.hidden stub_quiet\nstub_quiet:\n"
        "pushq %%rbx\n"
        "pushq %%rbp\n"
        "movq %%rdi, %%rbx\n"
        "movq %%rsp, %%rbp\n"
        "leaq %c[stack](%%rbx), %%rsp\n"
        "cld\n"
        "movl $2, %%edi\n" /* SIG_SETMASK */
        "leaq %c[r](%%rbx), %%rsi\n"
        "leaq %c[mask](%%rbx), %%rdx\n"
        "movl $8, %%r10d\n"
        "movl %[sigprocmask], %%eax\n"
        "syscall\n"
        MAKE_CALL
        "cmpl $0, %c[taken](%%rbx)\n"
        "je 1f\n"
        "movq %%rax, %c[mask](%%rbx)\n"
        "1:\n"
        "movl $1, %c[done](%%rbx)\n"
        "movl $2, %%edi\n"
        "leaq %c[mask](%%rbx), %%rsi\n"
        "xorl %%edx, %%edx\n"
        "movl $8, %%r10d\n"
        "movl %[sigprocmask], %%eax\n"
        "syscall\n"
        "movq %%rbp, %%rsp\n"
        "popq %%rbp\n"
        "popq %%rbx\n"
        "ret\n"
        ".popsection\n"
        :
        : CALL_OPERANDS,
          [stack] "i"(ATTACH_STACK + ATTACH_STACK_BYTES - 64 - ATTACH_CODE_BYTES));
}

__attribute__((used, noinline)) static void
agent_text(void)
{
    __asm__ volatile(
        ".pushsection .rodata.stub, 2, \"a\"\n"
        ".globl stub_agent\n.hidden stub_agent\nstub_agent:\n"
        "pushq %%rbx\n"
        "movq %%rdi, %%rbx\n"
        "movl %[gettid], %%eax\n"
        "syscall\n"
        "movl %%eax, %c[agent](%%rbx)\n"
        "movq %%fs:0x10, %%rdi\n"
        "call *%c[detach](%%rbx)\n"
        "movq %c[resident](%%rbx), %%rax\n"
        "testq %%rax, %%rax\n"
        "jnz 5f\n"
        "leaq %c[library](%%rbx), %%rdi\n"
        "movl $0x102, %%esi\n" /* RTLD_NOW | RTLD_GLOBAL */
        "call *%c[open](%%rbx)\n"
        "testq %%rax, %%rax\n"
        "jz 2f\n"
        "movq %%rax, %%rdi\n"
        "leaq %c[entry](%%rbx), %%rsi\n"
        "call *%c[find](%%rbx)\n"
        "testq %%rax, %%rax\n"
        "jz 2f\n"
        "5:\n"
        "movq %%rbx, %%rdi\n"
        "call *%%rax\n"
        "jmp 4f\n"
        "2:\n"
        "movl $-2, %c[error](%%rbx)\n"
        "call *%c[why](%%rbx)\n"
        "testq %%rax, %%rax\n"
        "jz 4f\n"
        "xorl %%ecx, %%ecx\n"
        "3:\n"
        "movb (%%rax,%%rcx), %%dl\n"
        "movb %%dl, %c[words](%%rbx,%%rcx)\n"
        "testb %%dl, %%dl\n"
        "jz 4f\n"
        "incl %%ecx\n"
        "cmpl $500, %%ecx\n"
        "jb 3b\n"
        "4:\n"
        "movl $1, %c[gone](%%rbx)\n"
        "leaq %c[gone](%%rbx), %%rdi\n"
        "movl $1, %%esi\n"
        "movl $1, %%edx\n"
        "movl %[futex], %%eax\n"
        "syscall\n"
        "leaq %c[answered](%%rbx), %%rdi\n"
        "movl $1, %%esi\n"
        "movl $1, %%edx\n"
        "movl %[futex], %%eax\n"
        "syscall\n"
        "xorl %%eax, %%eax\n"
        "popq %%rbx\n"
        "ret\n"
        ".popsection\n"
        :
        : AT(detach), AT(library), AT(open), AT(entry), AT(find), AT(error), AT(why),
          AT(words), AT(gone), AT(answered), AT(agent), AT(resident),
          [gettid] "i"(SYS_gettid), [futex] "i"(SYS_futex));
}
