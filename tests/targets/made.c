/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 */
/*
 * Makes, moves, replaces and frees functions at run time, up to some 20,000 a second,
 * and reports them by libcollector.h. Each is called by a function of its own, so that
 * each stack says whether its name is right: made_3 by call_3. Prints the ns that each
 * name has used, `made_3 NS`, and how many pieces of code there were.
 *
 *   made SECONDS [plain|described] [fork]
 *
 * plain: the code has no frame pointers. described: nor has it then, but its call frame
 * information is given to __register_frame(). fork: a child runs what its parent has
 * made, and reports nothing.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../collector/preload/libcollector.h"

enum {
    SLOTS = 64,
    SLOT_BYTES = 256,
    NAMES = 8,
};

/* What describes a piece: a CIE, an FDE, the end. */
struct __attribute__((packed)) frames {
    unsigned cie_len, cie_id;
    unsigned char version, augmentation, code_align, data_align, ra, cie_program[5];
    unsigned char cie_rest[2];
    unsigned len, back;
    unsigned long long start, bytes;
    unsigned char program[4];
    unsigned end;
};

extern void __register_frame(void *);
extern void __deregister_frame(void *);

static unsigned char *area;
static int plain, described;
static unsigned long long used[NAMES];

static unsigned long long
cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

/*
 * void f(unsigned rounds, void (*then)(void)): counts down, then calls. `pad` bytes of
 * nothing make the functions differ in where their code is.
 */
static unsigned
emit(unsigned char *p, unsigned pad)
{
    static const unsigned char framed[] = {
        0x55, 0x48, 0x89, 0xe5,       /* push %rbp; mov %rsp,%rbp */
        0xff, 0xcf, 0x75, 0xfc,       /* 1: dec %edi; jnz 1b */
        0xff, 0xd6,                   /* call *%rsi */
        0x5d, 0xc3,                   /* pop %rbp; ret */
    };
    static const unsigned char bare[] = {
        0x48, 0x83, 0xec, 0x08,       /* sub $8,%rsp */
        0xff, 0xcf, 0x75, 0xfc,       /* 1: dec %edi; jnz 1b */
        0xff, 0xd6,                   /* call *%rsi */
        0x48, 0x83, 0xc4, 0x08, 0xc3, /* add $8,%rsp; ret */
    };

    memset(p, 0x90, pad);
    if (plain)
        memcpy(p + pad, bare, sizeof(bare));
    else
        memcpy(p + pad, framed, sizeof(framed));
    return pad + (unsigned)(plain ? sizeof(bare) : sizeof(framed));
}

static void
back(void)
{
    __asm__ volatile("");
}

typedef void made_function(unsigned, void (*)(void));

#define CALL(n)                                                                \
    __attribute__((noinline, noclone)) static void call_##n(made_function *f) \
    {                                                                          \
        f(20000 * (1 + n), back);                                              \
        __asm__ volatile("");                                                  \
    }

CALL(0)
CALL(1)
CALL(2)
CALL(3)
CALL(4)
CALL(5)
CALL(6)
CALL(7)

static void (*const calls[NAMES])(made_function *) = { call_0, call_1, call_2, call_3,
                                                       call_4, call_5, call_6, call_7 };

/* CFA = rsp + 8, ra at CFA - 8; behind the padding and `sub`, CFA = rsp + 16. */
static void
describe(struct frames *to, unsigned char *place, unsigned size, unsigned pad)
{
    *to = (struct frames){
        .cie_len = 16, .version = 1, .code_align = 1, .data_align = 0x78, .ra = 16,
        .cie_program = { 0x0c, 7, 8, 0x90, 1 },
        .len = 24, .start = (unsigned long long)(size_t)place, .bytes = size,
        .program = { (unsigned char)(0x40 | (pad + 4)), 0x0e, 16 },
    };
    to->back = (unsigned)((char *)&to->back - (char *)to);
    __register_frame(to);
}

/* Put a function somewhere, run it, and take it away again. */
static void
one_piece(unsigned n)
{
    unsigned slot = (n >> 8) % SLOTS, name = (n >> 16) % NAMES;
    unsigned char *place = area + slot * SLOT_BYTES + (n >> 20) % 64;
    unsigned size = emit(place, (n >> 26) % 32);
    static struct frames frames[SLOTS];
    Lineno lines[] = { { 0, 10 + name }, { size / 2, 50 + name } };
    char text[32];

    snprintf(text, sizeof(text), "made_%u", name);
    if (described)
        describe(&frames[slot], place, size, (n >> 26) % 32);
    collector_func_load(text, NULL, "/made.src", place, (int)size, 2, lines);
    calls[name]((made_function *)(void *)place);
    collector_func_unload(place);
    if (described)
        __deregister_frame(&frames[slot]);
}

static void
make_many(unsigned long long end)
{
    unsigned n = 0, pieces = 0;

    for (unsigned long long at; (at = cpu_ns()) < end; pieces++) {
        n = n * 1103515245 + 12345;
        one_piece(n);
        used[(n >> 16) % NAMES] += cpu_ns() - at;
    }
    for (unsigned i = 0; i < NAMES; i++)
        printf("made_%u %llu\n", i, used[i]);
    printf("pieces %u\n", pieces);
}

/* The child gets a place where two functions have been: the second one is there. */
static int
run_in_child(unsigned long long ns)
{
    unsigned size = emit(area, 3);
    pid_t child;
    int status;

    collector_func_load("made_1", NULL, NULL, area, (int)size, 0, NULL);
    collector_func_load("made_2", NULL, NULL, area, (int)size, 0, NULL);
    child = fork();
    if (child == 0) {
        for (unsigned long long end = cpu_ns() + ns; cpu_ns() < end;)
            calls[2]((made_function *)(void *)area);
        _exit(0);
    }
    collector_func_unload(area);
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

int
main(int argc, char **argv)
{
    unsigned long long ns = argc > 1 ? (unsigned long long)(atof(argv[1]) * 1e9) : 0;

    described = argc > 2 && !strcmp(argv[2], "described");
    plain = described || (argc > 2 && !strcmp(argv[2], "plain"));
    area = mmap(NULL, SLOTS * SLOT_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        return 1;
    if (argc > 2 && !strcmp(argv[argc - 1], "fork"))
        return run_in_child(ns);
    make_many(cpu_ns() + ns);
    return 0;
}
