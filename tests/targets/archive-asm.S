/* SPDX-License-Identifier: Apache-2.0 */
/* build: -g */
/* Functions without sizes, without types and without frame information. */
    .text
    .globl main
    .type main, @function
main:
    call sizeless
    call untyped
    xor %eax, %eax
    ret

    .globl sizeless
    .type sizeless, @function
sizeless:
    mov $3, %eax
.Lloop:
    dec %eax
    jnz .Lloop
    ret

untyped:
    mov $1, %eax
    ret

    .type outer, @function
outer:
    nop
    .type entry, @function
entry:
    nop
    ret
    .size entry, . - entry
    nop
    ret
    .size outer, . - outer

    .section .note.GNU-stack, "", @progbits
