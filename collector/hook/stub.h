/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of assembler for replaced functions that jump to the next function instead of
 * calling it, since that depends on its return address, returns twice, or returns on
 * another stack.
 */
#ifndef ERTOOLS_COLLECTOR_HOOK_STUB_H
#define ERTOOLS_COLLECTOR_HOOK_STUB_H

/* The beginning and the end of the function `name`. */
#define STUB_BEGIN(name)       \
    ".pushsection .text\n"     \
    ".globl " name "\n"        \
    ".type " name ", @function\n" \
    name ":\n"                 \
    ".cfi_startproc\n"

#define STUB_END(name)         \
    ".cfi_endproc\n"           \
    ".size " name ", . - " name "\n" \
    ".popsection\n"

#define STUB_PUSH(register) "push %" register "\n .cfi_adjust_cfa_offset 8\n"
#define STUB_POP(register) "pop %" register "\n .cfi_adjust_cfa_offset -8\n"

/*
 * Call `choose` with the six arguments, which it may take, and jump with them to the
 * function that it returns.
 */
#define STUB_CHOOSE(choose)                         \
    STUB_PUSH("rdi") STUB_PUSH("rsi") STUB_PUSH("rdx") \
    STUB_PUSH("rcx") STUB_PUSH("r8") STUB_PUSH("r9") \
    "sub $8, %rsp\n .cfi_adjust_cfa_offset 8\n"     \
    "call " choose "\n"                             \
    "add $8, %rsp\n .cfi_adjust_cfa_offset -8\n"    \
    STUB_POP("r9") STUB_POP("r8") STUB_POP("rcx")   \
    STUB_POP("rdx") STUB_POP("rsi") STUB_POP("rdi") \
    "jmp *%rax\n"

#endif
