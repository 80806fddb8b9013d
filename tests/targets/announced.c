/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -rdynamic */
/*
 * Makes functions at run time whose frames only call frame information describes: they
 * take as much stack as they are told to, and find back by a register. It gives that to
 * __register_frame(), as LLVM does, and takes it back before other code comes to the
 * same place. Each is called by a function of its own: call_first() and so on.
 *
 *   announced section|alone|none SECONDS
 *
 * section: as a section with a CIE; alone: each FDE for itself, as with LLVM's
 * libunwind; none: not at all. Exits with 1 if libgcc has not heard of it, too.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

struct dwarf_eh_bases {
    void *tbase, *dbase, *function;
};

extern void __register_frame(void *);
extern void __deregister_frame(void *);
extern const void *_Unwind_Find_FDE(void *, struct dwarf_eh_bases *);

/* void f(unsigned rounds, unsigned long bytes); R is where it keeps the stack. */
#define BODY(push, save, restore, pop)                           \
    {                                                                         \
        push, save, 0x48, 0x29, 0xf4, /* sub %rsi,%rsp */                     \
        0xff, 0xcf, 0x75, 0xfc,       /* 1: dec %edi; jnz 1b */               \
        restore, pop, 0xff, 0xe1,     /* pop %rcx; jmp *%rcx */               \
    }
#define COMMA ,
static const unsigned char by_rbx[] =
    BODY(0x53, 0x48 COMMA 0x89 COMMA 0xe3, 0x48 COMMA 0x89 COMMA 0xdc, 0x5b COMMA 0x59);
static const unsigned char by_r14[] =
    BODY(0x41 COMMA 0x56, 0x49 COMMA 0x89 COMMA 0xe6, 0x4c COMMA 0x89 COMMA 0xf4,
         0x41 COMMA 0x5e COMMA 0x59);

/* As the assembler writes it: 8 bytes of address and of length, no augmentation. */
struct __attribute__((packed)) frames {
    uint32_t cie_len, cie_id;
    unsigned char version, augmentation, code_align, data_align, ra;
    unsigned char cie_program[5], cie_rest[2];
    uint32_t len, back;
    uint64_t start, bytes;
    unsigned char program[12];
    uint32_t end;
};

enum { RBX = 3, R14 = 14 };

static unsigned char *area;
static struct frames frames;

static void
describe(uint8_t reg, unsigned size, unsigned pushed)
{
    frames = (struct frames){
        .cie_len = 16, .version = 1, .code_align = 1, .data_align = 0x78, .ra = 16,
        .cie_program = { 0x0c, 7, 8, 0x90, 1 }, /* CFA = rsp + 8, ra at CFA - 8 */
        .len = 32, .start = (uint64_t)(uintptr_t)area, .bytes = size,
        /* Behind the push: 16 bytes, and the register; then CFA is that + 16. */
        .program = { (unsigned char)(0x40 | pushed), 0x0e, 16,
                     (unsigned char)(0x80 | reg), 2, 0x43, 0x0c, reg, 16 },
    };
    frames.back = (uint32_t)((char *)&frames.back - (char *)&frames);
}

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef void made_function(unsigned, unsigned long);

#define CALL(name)                                            \
    __attribute__((noinline)) void call_##name(double until); \
    __attribute__((noinline)) void call_##name(double until)  \
    {                                                         \
        made_function *f = (made_function *)(void *)area;     \
                                                              \
        while (now() < until)                                 \
            f(200000, 16 + (unsigned long)(until * 1e6) % 64 * 16); \
        __asm__ volatile("" ::"i"(#name[0]));                 \
    }
CALL(first)
CALL(second)

static int
is_known(void)
{
    struct dwarf_eh_bases bases;

    return _Unwind_Find_FDE(area + 2, &bases) != NULL;
}

int
main(int argc, char **argv)
{
    double seconds = argc > 2 ? atof(argv[2]) : 0.3;
    int none = argc > 1 && !strcmp(argv[1], "none");
    int alone = argc > 1 && !strcmp(argv[1], "alone");
    void *at = alone ? (void *)&frames.len : (void *)&frames;

    area = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        return 1;
    for (int i = 0; i < 6; i++) {
        memset(area, 0xcc, 64);
        if (i % 2)
            memcpy(area, by_r14, sizeof(by_r14));
        else
            memcpy(area, by_rbx, sizeof(by_rbx));
        describe(i % 2 ? R14 : RBX, i % 2 ? sizeof(by_r14) : sizeof(by_rbx),
                 i % 2 ? 2 : 1);
        if (!none)
            __register_frame(at);
        if (is_known() == none)
            return 1;
        (i % 2 ? call_second : call_first)(now() + seconds / 6);
        if (!none)
            __deregister_frame(at);
        if (is_known())
            return 1;
    }
    return 0;
}
