/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Single-steps itself through libc, libm, the dynamic loader and C++ exceptions, and
 * compares the walk at every instruction with the return addresses that it saw call
 * instructions push. Prints "steps N", "entering N" (see below), "wrong N" and where.
 */
/* build: -O2 -g -std=gnu11 -D_GNU_SOURCE -Wl,-z,lazy -Wl,-rpath,$ORIGIN -I@S@/../.. */
/* link: @S@/../../collector/sig/cfi*.c @S@/../../collector/sig/guess*.c */
/* link: @S@/../../collector/sig/hotspot.c */
/* link: @S@/../../collector/sig/hotspot_rule.c */
/* link: @S@/../../collector/sig/hotspot_x86_64.c */
/* link: @S@/../../collector/sig/[aeijmnor]*.c @S@/../../collector/sig/cache_use.c */
/* link: @S@/../../collector/sig/loaded.c @S@/../../collector/sig/step.c */
/* link: @S@/../../collector/sig/walk*.c -lm -ldl */
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/targets/sig-self.h"

enum {
    DEPTH = 4096,
    TRAP_FLAG = 0x100,
    PLACES = 40,
};

/* Return addresses that calls pushed and where they are, root first. */
static struct slot {
    u64 at;
    u64 pc;
} truth[DEPTH];
static u32 ntruth;
static u64 last_pc, last_sp;

static struct walk *walk;
static u64 steps, wrong, entering;
static struct objtab_object unwinder; /* libgcc */
static u64 places[PLACES];
static u32 nplaces;
static int debug;
static volatile int finished;

/* The stack as the walk sees it at the first step is believed. */
static void
believe(const u64 *pcs, u32 n, const ucontext_t *uc)
{
    u64 sp = (u64)uc->uc_mcontext.gregs[REG_RSP];

    ntruth = n - 1;
    for (u32 i = 1; i < n; i++, sp += 8) {
        while (*(u64 *)sp != pcs[i])
            sp += 8;
        truth[ntruth - i] = (struct slot){ sp, pcs[i] };
    }
}

static int
is_call(u64 pc)
{
    const unsigned char *p = (const unsigned char *)pc;

    if (*p == 0x67 || (*p & 0xf0) == 0x40 || *p == 0x3e || *p == 0xf2)
        p++;
    if (*p == 0x67 || (*p & 0xf0) == 0x40)
        p++;
    return *p == 0xe8 || (*p == 0xff && (p[1] >> 3 & 7) == 2);
}

static int
is_return(u64 pc)
{
    return *(const unsigned char *)pc == 0xc3;
}

/* What is at a place now counts, too: libgcc puts an exception's handler there. */
static int
is_true(u64 pc, u32 i)
{
    return i < ntruth && (pc == truth[ntruth - 1 - i].pc ||
                          pc == *(const u64 *)truth[ntruth - 1 - i].at);
}

/* The first frames that the walk has right, and the last; the leaf is none of them. */
static u32
count_first(const u64 *pcs, u32 n)
{
    u32 i = 0;

    while (i + 1 < n && is_true(pcs[i + 1], i))
        i++;
    return i;
}

static u32
count_last(const u64 *pcs, u32 n)
{
    u32 i = 0;

    while (i + 1 < n && i < ntruth && is_true(pcs[n - 1 - i], ntruth - 1 - i))
        i++;
    return i;
}

/*
 * An exception is entering its handler: from some moment on the walk may go from
 * libgcc to the function that has the handler; all others are right.
 */
static int
is_entering(const u64 *pcs, u32 n)
{
    static const char pop_and_jump[] = "\x59\xff\xe1"; /* pop %rcx; jmp *%rcx */
    u32 first = count_first(pcs, n), last = count_last(pcs, n);

    for (u32 i = 0; i <= first; i++)
        if (i + last >= n - 1 && pcs[i] >= unwinder.lo && pcs[i] < unwinder.hi)
            return 1;
    return last == ntruth && !memcmp((const char *)pcs[0] - 1, pop_and_jump, 3);
}

/*
 * Update the truth for the instruction that ran since the last step. What a return
 * instruction is about to pop is a return address, whoever put it there.
 */
static void
observe(u64 pc, u64 sp)
{
    while (ntruth > 0 && truth[ntruth - 1].at < sp)
        ntruth--;
    if (last_pc && is_call(last_pc) && sp == last_sp - 8)
        truth[ntruth++] = (struct slot){ sp, *(u64 *)sp };
    if (is_return(pc) && (ntruth == 0 || truth[ntruth - 1].at != sp))
        truth[ntruth++] = (struct slot){ sp, *(u64 *)sp };
    last_pc = pc;
    last_sp = sp;
}

static void
complain(u64 pc, const u64 *pcs, u32 n)
{
    wrong++;
    for (u32 i = 0; i < nplaces; i++)
        if (places[i] == pc)
            return;
    if (nplaces == PLACES)
        return;
    places[nplaces++] = pc;
    if (!debug)
        return;
    fprintf(stderr, "at ");
    self_print(stderr, pc);
    for (u32 i = 1; i < n || i <= ntruth; i++) {
        fprintf(stderr, "\n  walk ");
        if (i < n)
            self_print(stderr, pcs[i]);
        fprintf(stderr, "   truth ");
        if (i <= ntruth)
            self_print(stderr, truth[ntruth - i].pc);
    }
    fputc('\n', stderr);
}

/*
 * The last instructions of longjmp are described as belonging where it jumps to: there
 * the walk is right to have fewer frames.
 */
static int
longjmp_done(u64 pc, u32 n)
{
    static const char load_registers[] = "\x48\x8b\x1f\x4c\x8b\x67\x10\x4c";
    static u64 from;

    if (!from && !memcmp((const void *)pc, load_registers, 8))
        from = pc;
    return from && pc - from < 64 && n <= ntruth + 2;
}

static void
on_trap(int sig, siginfo_t *info, void *arg)
{
    static u64 pcs[DEPTH];
    static u32 flags[DEPTH];
    ucontext_t *uc = arg;
    u64 pc = (u64)uc->uc_mcontext.gregs[REG_RIP];
    u64 sp = (u64)uc->uc_mcontext.gregs[REG_RSP];
    u32 n = self_stack(sig_walk(walk, uc), pcs, flags, DEPTH);
    int good;

    (void)sig;
    (void)info;
    if (finished)
        return;
    steps++;
    if (steps == 1)
        believe(pcs, n, uc);
    observe(pc, sp);
    if (longjmp_done(pc, n))
        return;
    good = pcs[0] == pc && (flags[0] & ~NODE_UNKNOWN) == NODE_EXACT;
    if (good && n == ntruth + 1 && count_first(pcs, n) == ntruth)
        return;
    if (good && n > 1 && n <= ntruth + 2 && is_entering(pcs, n))
        entering++;
    else
        complain(pc, pcs, n);
}

static inline __attribute__((always_inline)) void
stepping(int on)
{
    if (on)
        __asm__ volatile("pushfq; orl $0x100, (%%rsp); popfq" ::: "memory", "cc");
    else
        __asm__ volatile("pushfq; andl $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

static int
compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static jmp_buf back;

static __attribute__((noinline)) void
jump_out(int depth)
{
    if (depth == 0)
        longjmp(back, 1);
    jump_out(depth - 1);
    __asm__ volatile("");
}

static double
numbers(void)
{
    double sum = 0;

    for (int i = 1; i < 8; i++)
        sum += sin(i) + pow(i, 1.5) + exp(-i) + log(i) + atan2(i, 3) + fmod(1e9, i) +
               cbrt(i) + lgamma(i + 0.5) + strtod("1234.5678e-3", NULL);
    return sum;
}

static int
texts(void)
{
    static const char subject[] = "the quick brown fox 12345 jumps";
    char out[256], copy[64];
    struct tm tm = { .tm_year = 126, .tm_mon = 3, .tm_mday = 5 };
    regex_t re;
    regmatch_t m[2];
    int n = 0;

    n += snprintf(out, sizeof(out), "%s %d %5.3f %#lx %ls", subject, 42, 3.14, 99L,
                  L"wide");
    n += (int)strftime(out, sizeof(out), "%A %d %B %Y", &tm);
    if (regcomp(&re, "([a-z]+) ([0-9]+)", REG_EXTENDED) == 0) {
        n += regexec(&re, subject, 2, m, 0);
        regfree(&re);
    }
    memcpy(copy, subject, sizeof(subject));
    n += (int)(strlen(copy) + strspn(copy, "the ") + strcspn(copy, "x"));
    n += strstr(copy, "fox") != NULL;
    n += strcasecmp(copy, "THE");
    for (char *save, *t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save))
        n += atoi(t);
    return n;
}

static int
memory(void)
{
    void *blocks[64];
    int values[60], n = 0;

    for (int i = 0; i < 64; i++)
        blocks[i] = malloc((size_t)1 << (i % 18));
    for (int i = 0; i < 64; i++)
        blocks[i] = realloc(blocks[i], (size_t)3 << (i % 15));
    for (int i = 0; i < 64; i++)
        free(blocks[i]);
    for (int i = 0; i < 60; i++)
        values[i] = i * 7919 % 211;
    qsort(values, 60, sizeof(int), compare);
    n += bsearch(&n, values, 60, sizeof(int), compare) != NULL;
    if (setjmp(back) == 0)
        jump_out(12);
    n += getenv("HOME") != NULL;
    n += (int)time(NULL) + (int)clock();
    return n;
}

/* Assembly of libcrypto, with frames found through registers that calls may change. */
static struct {
    int (*update)(void *, unsigned char *, int *, const unsigned char *, int);
    void *context;
} crypto;

static void
prepare_crypto(void)
{
    void *library = dlopen("libcrypto.so.3", RTLD_NOW);
    void *(*new)(void), *(*cipher)(void);
    int (*init)(void *, void *, void *, const void *, const void *);
    static const unsigned char key[16], iv[16];

    if (!library)
        return;
    new = (void *(*)(void))dlsym(library, "EVP_CIPHER_CTX_new");
    cipher = (void *(*)(void))dlsym(library, "EVP_aes_128_gcm");
    *(void **)&init = dlsym(library, "EVP_EncryptInit_ex");
    *(void **)&crypto.update = dlsym(library, "EVP_EncryptUpdate");
    crypto.context = new();
    init(crypto.context, cipher(), NULL, key, iv);
}

static int
encrypt(void)
{
    static unsigned char in[2000], out[2100];
    int n = 0;

    if (crypto.update)
        crypto.update(crypto.context, out, &n, in, sizeof(in));
    return n + out[0];
}

static const char *const libraries[] = { "libsigthrow.so", "libsigthrow-o0.so" };

static __attribute__((noinline)) int
work(int rounds, void *(*open)(const char *, int))
{
    int n = 0;

    stepping(1);
    for (int i = 0; i < rounds; i++) {
        n += (int)numbers() + texts() + memory() + encrypt();
        for (int j = 0; i == 0 && j < 2; j++) {
            void *library = open(libraries[j], RTLD_LAZY);
            int (*f)(int) = (int (*)(int))dlsym(library, "sig_throw");

            n += f(2 - j);
        }
    }
    finished = 1;
    stepping(0);
    return n;
}

int
main(int argc, char **argv)
{
    struct sigaction sa = { .sa_sigaction = on_trap,
                            .sa_flags = SA_SIGINFO | SA_ONSTACK };
    stack_t stack = { .ss_size = 1 << 18 };

    debug = argc > 2;
    dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_GLOBAL);
    stack.ss_sp = self_map(stack.ss_size);
    prepare_crypto();
    self_start();
    objtab_find((u64)(uintptr_t)dlsym(RTLD_DEFAULT, "_Unwind_Resume"), &unwinder);
    walk = self_walk(WALK_FRAMES);
    sigaltstack(&stack, NULL);
    sigaction(SIGTRAP, &sa, NULL);
    work(argc > 1 ? atoi(argv[1]) : 2, dlopen);
    printf("steps %llu\nentering %llu\nwrong %llu\n", (unsigned long long)steps,
           (unsigned long long)entering, (unsigned long long)wrong);
    for (u32 i = 0; i < nplaces; i++) {
        self_print(stdout, places[i]);
        putchar('\n');
    }
    return 0;
}
