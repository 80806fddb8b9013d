/* SPDX-License-Identifier: Apache-2.0 */
#include "html/asset.h"

/* The assembler reads the files; its directory of includes is that of the source. */
#define ASSET(name, file)                                                              \
    __asm__(".section .rodata\n"                                                       \
            ".globl " #name "\n.globl " #name "_end\n" #name ":\n"                     \
            ".incbin \"html/" file "\"\n" #name "_end:\n.byte 0\n.previous\n")

ASSET(asset_head, "head.html");
ASSET(asset_tail, "tail.html");
