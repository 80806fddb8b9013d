/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trampolines are a fixed table in the text section, so that no page is ever both
 * written and executed. Each loads its index and jumps to the common code.
 *
 * The common code saves every register that can hold an argument; of vector registers
 * only the lower halves, as no code that runs before the call changes the upper halves.
 * The stack arguments are copied to an address with the same alignment (modulo 64
 * bytes). x87 results are stored and loaded again, which is exact. The call frame
 * information is that of an ordinary function, so exceptions and walks pass through;
 * the personality routine only records calls that an exception leaves. The common code
 * is exported for collector/attach: a thread that is in the real function is not in the
 * collector's code.
 */
#include <stddef.h>
#include <unwind.h>

#include "collector/call/call.h"

#define AT(field) offsetof(struct call_frame, field)

_Static_assert(AT(general) == 128 && AT(rax) == 176 && AT(r10) == 184 &&
                   AT(preserved) == 192 && AT(index) == 232 && AT(words) == 240 &&
                   AT(real) == 248 && AT(x87) == 256 && AT(result) == 264 &&
                   AT(result_sse) == 280 && AT(result_x87) == 312,
               "the assembly has these offsets");
_Static_assert(CALL_TARGETS == 4096, "the assembly has this number");

_Unwind_Reason_Code call_personality(int version, _Unwind_Action actions,
                                     _Unwind_Exception_Class class,
                                     struct _Unwind_Exception *exception,
                                     struct _Unwind_Context *context);

#define STR_(x) #x
#define STR(x) STR_(x)

/* Offset of `bp`, to which rbp points. */
#define FRAME 656
_Static_assert(AT(bp) == FRAME, "FRAME is where the caller's rbp is");

/* Restore all registers that can hold an argument. r11: the real function. */
#define LOAD_ARGUMENTS \
    "lea -" STR(FRAME) "(%rbp), %r11\n" \
    "movups (%r11), %xmm0\n" \
    "movups 16(%r11), %xmm1\n" \
    "movups 32(%r11), %xmm2\n" \
    "movups 48(%r11), %xmm3\n" \
    "movups 64(%r11), %xmm4\n" \
    "movups 80(%r11), %xmm5\n" \
    "movups 96(%r11), %xmm6\n" \
    "movups 112(%r11), %xmm7\n" \
    "mov 128(%r11), %rdi\n" \
    "mov 136(%r11), %rsi\n" \
    "mov 144(%r11), %rdx\n" \
    "mov 152(%r11), %rcx\n" \
    "mov 160(%r11), %r8\n" \
    "mov 168(%r11), %r9\n" \
    "mov 176(%r11), %rax\n" \
    "mov 184(%r11), %r10\n" \
    "mov 248(%r11), %r11\n"

__asm__(
    ".pushsection .text\n"
    ".balign 16\n"
    ".globl call_trampolines\n"
    ".hidden call_trampolines\n"
    ".type call_trampolines, @function\n"
    "call_trampolines:\n"
    ".cfi_startproc\n"
    ".set call_number, 0\n"
    ".rept 4096\n"
    "endbr64\n"
    "movl $call_number, %r11d\n"
    "jmp call_common\n"
    ".balign 16\n"
    ".set call_number, call_number + 1\n"
    ".endr\n"
    ".cfi_endproc\n"
    ".size call_trampolines, . - call_trampolines\n"

    ".type call_common, @function\n"
    ".globl ertools_call_common\n"
    ".protected ertools_call_common\n"
    ".type ertools_call_common, @function\n"
    "call_common:\n"
    "ertools_call_common:\n"
    ".cfi_startproc\n"
    ".cfi_personality 0x1b, call_personality\n"
    "push %rbp\n"
    ".cfi_def_cfa_offset 16\n"
    ".cfi_offset %rbp, -16\n"
    "mov %rsp, %rbp\n"
    ".cfi_def_cfa_register %rbp\n"
    "sub $" STR(FRAME) ", %rsp\n"
    "movups %xmm0, (%rsp)\n"
    "movups %xmm1, 16(%rsp)\n"
    "movups %xmm2, 32(%rsp)\n"
    "movups %xmm3, 48(%rsp)\n"
    "movups %xmm4, 64(%rsp)\n"
    "movups %xmm5, 80(%rsp)\n"
    "movups %xmm6, 96(%rsp)\n"
    "movups %xmm7, 112(%rsp)\n"
    "mov %rdi, 128(%rsp)\n"
    "mov %rsi, 136(%rsp)\n"
    "mov %rdx, 144(%rsp)\n"
    "mov %rcx, 152(%rsp)\n"
    "mov %r8, 160(%rsp)\n"
    "mov %r9, 168(%rsp)\n"
    "mov %rax, 176(%rsp)\n"
    "mov %r10, 184(%rsp)\n"
    "mov %rbx, 192(%rsp)\n"
    "mov %r12, 200(%rsp)\n"
    "mov %r13, 208(%rsp)\n"
    "mov %r14, 216(%rsp)\n"
    "mov %r15, 224(%rsp)\n"
    "mov %r11, 232(%rsp)\n"
    "mov %rsp, %rdi\n"
    "and $-16, %rsp\n"
    "call call_enter\n"
    "test %eax, %eax\n"
    "je 4f\n"

    /* Copy the stack's words to an address with the same alignment. */
    "lea -" STR(FRAME) "(%rbp), %rax\n"
    "mov 240(%rax), %rcx\n"
    "lea 16(%rbp), %rsi\n"
    "lea (,%rcx,8), %rdx\n"
    "sub %rdx, %rax\n"
    "mov %rax, %rdx\n"
    "sub %rsi, %rdx\n"
    "and $63, %rdx\n"
    "sub %rdx, %rax\n"
    "mov %rax, %rsp\n"
    "test $1, %cl\n"
    "je 1f\n"
    "mov -8(%rsi,%rcx,8), %rdx\n"
    "mov %rdx, -8(%rax,%rcx,8)\n"
    "dec %rcx\n"
    "1:\n"
    "test %rcx, %rcx\n"
    "je 2f\n"
    "7:\n"
    "movups -16(%rsi,%rcx,8), %xmm0\n"
    "movups %xmm0, -16(%rax,%rcx,8)\n"
    "sub $2, %rcx\n"
    "jne 7b\n"
    "2:\n"
    LOAD_ARGUMENTS
    "call *%r11\n"

    "lea -" STR(FRAME) "(%rbp), %rsp\n"
    "mov %rax, 264(%rsp)\n"
    "mov %rdx, 272(%rsp)\n"
    "movups %xmm0, 280(%rsp)\n"
    "movups %xmm1, 296(%rsp)\n"
    "cmpl $0, 256(%rsp)\n"
    "jne 5f\n"
    "3:\n"
    "mov %rsp, %rdi\n"
    "and $-16, %rsp\n"
    "call call_leave\n"
    "lea -" STR(FRAME) "(%rbp), %r11\n"
    "mov 264(%r11), %rax\n"
    "mov 272(%r11), %rdx\n"
    "movups 280(%r11), %xmm0\n"
    "movups 296(%r11), %xmm1\n"
    ".cfi_remember_state\n"
    "leave\n"
    ".cfi_def_cfa %rsp, 8\n"
    "ret\n"

    /*
     * Nothing is recorded: jump to the real function, as if the caller had called it.
     */
    ".cfi_restore_state\n"
    "4:\n"
    LOAD_ARGUMENTS
    ".cfi_remember_state\n"
    "leave\n"
    ".cfi_def_cfa %rsp, 8\n"
    "jmp *%r11\n"

    ".cfi_restore_state\n"
    "5:\n"
    "fstpt 312(%rsp)\n"
    "cmpl $1, 256(%rsp)\n"
    "je 6f\n"
    "fstpt 328(%rsp)\n"
    "fldt 328(%rsp)\n"
    "6:\n"
    "fldt 312(%rsp)\n"
    "jmp 3b\n"
    ".cfi_endproc\n"
    ".size call_common, . - call_common\n"
    ".size ertools_call_common, . - ertools_call_common\n"
    ".popsection\n");
