/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: call frame information as the signal handlers read it. The input is
 * what .eh_frame_hdr and .eh_frame of an object are in memory, and the stack, whose
 * first two bytes say how far before them the code is. tests/fuzz/run builds it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/cfi.h"
#include "collector/sig/loaded.h"
#include "collector/sig/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CODE = 1 << 20, /* bytes, in front */
    FRAMES = 1 << 16,
    STACK = 256, /* bytes at the input's end */
    PLACES = 24, /* that are asked for */
};

static uint8_t *const base = (uint8_t *)0x300000000000;

static void
start(void)
{
    struct objtab_object o = {
        .lo = (u64)(uintptr_t)base,
        .hi = (u64)(uintptr_t)base + CODE,
        .hdr = (u64)(uintptr_t)base + CODE,
        .hdr_size = 4096,
        .instance = 1,
    };
    void *at = mmap(base, CODE + FRAMES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (at != base || loaded_add(&o) < 0)
        abort();
}

static void
ask(const uint8_t *stack, u64 pc, u32 exact)
{
    u64 lo = (u64)(uintptr_t)stack;
    struct regs regs = { .pc = pc, .known = 0xffff };
    struct mem mem;
    u64 rule;

    mem_init(&mem, lo, lo + STACK);
    rule = cfi_rule(&mem, pc, exact);
    if (rule_kind(rule) == RULE_NONE)
        abort();
    for (u32 i = 0; i < ER_COUNT(regs.r); i++)
        regs.r[i] = lo + 8 * i;
    for (u32 i = 0; i < 4; i++)
        if (cfi_step(&mem, &regs, &exact) < 0)
            break;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t stack[STACK] __attribute__((aligned(16)));
    static size_t was;
    static bool started;
    uint16_t back;

#if defined(__SANITIZE_ADDRESS__)
    /* Its shadow can be read, says the kernel, but not by what it has instrumented. */
    return 0;
#endif
    if (!started)
        start();
    started = true;
    if (size < STACK || size - STACK > FRAMES)
        return 0;
    size -= STACK;
    memcpy(stack, data + size, STACK);
    memcpy(base + CODE, data, size);
    if (was > size)
        memset(base + CODE + size, 0, was - size);
    was = size;
    memcpy(&back, stack, sizeof(back));
    for (u32 i = 0; i < PLACES; i++)
        ask(stack, (u64)(uintptr_t)base + CODE - back + 11 * i, i & 1);
    ask(stack, (u64)(uintptr_t)base, 1);
    return 0;
}
