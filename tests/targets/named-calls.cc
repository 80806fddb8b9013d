/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls functions of a library by each way there is, and prints what they returned, and
 * "count NAME N" for each: calls from one object to another. The argument is how often.
 */
/* build: out=libcalls.so -O2 -g -shared -fPIC -DLIBRARY */
/* build: out=libcalls-late.so -O2 -g -shared -fPIC -DLATE -Wl,-z,lazy */
/* build: -O2 -g -L@D@ -Wl,-rpath,$ORIGIN,--no-as-needed -lcalls */
/* build: name=lazy -O2 -L@D@ -Wl,-rpath,$ORIGIN,--no-as-needed,-z,lazy -lcalls */
/* build: name=fixed -no-pie -fno-pie -L@D@ -Wl,-rpath,$ORIGIN,--no-as-needed -lcalls */
/* link: -ldl -lpthread */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "named-calls.h"

#if defined(LATE)

extern "C" int
late(int n)
{
    return twice(n) + 1;
}

extern "C" int
own(int n)
{
    return n + 200;
}

#elif defined(LIBRARY)

extern "C" {

int
twice(int n)
{
    return 2 * n;
}

int
own(int n)
{
    return n + 100;
}

double
mixed(int i, double d, const char *s, float f, long a, long b, long c, long e, short h,
      char k)
{
    return i + d + (double)strlen(s) + (double)f + (double)(a + b + c + e + h + k);
}

struct pair
make_pair(int n)
{
    return { n / 2.0, n };
}

long
sum_pair(struct pair p, struct triple t)
{
    return (long)p.x + p.n + t.a + t.b + t.c;
}

struct triple
make_triple(long n)
{
    return { n, n + 1, n + 2 };
}

long double
thirds(long double x)
{
    return x / 3;
}

_Complex long double
turn(_Complex long double z)
{
    return -z;
}

int
format(char *to, size_t size, const char *how, ...)
{
    va_list list;
    int n;

    va_start(list, how);
    n = vsnprintf(to, size, how, list);
    va_end(list);
    return n;
}

int
fails(int error)
{
    errno = error;
    return error ? -1 : 0;
}

long
back(long (*f)(long), long n)
{
    return f(n);
}

long
recurse(long n)
{
    return n ? 1 + recurse_again(n - 1) : 0;
}

int
fill(int n, int *out, struct pair *pair)
{
    *out = n + 1;
    pair->x = n + 0.5;
    pair->n = n;
    return 0;
}

void
jump(jmp_buf where, int value)
{
    longjmp(where, value);
}

void
password(const char *, const char *)
{
}

size_t
bytes(const char *p, size_t n)
{
    return p ? n : 0;
}

int
bad_text(const char *text)
{
    return text != nullptr;
}
}

#else

static struct {
    const char *name;
    long count;
} counts[32];

static long
count(const char *name, long n = 1)
{
    for (auto &c : counts) {
        if (!c.name)
            c.name = name;
        if (!strcmp(c.name, name))
            return c.count += n;
    }
    abort();
}

static long
thrower(long n)
{
    if (n % 2)
        throw std::runtime_error("odd");
    return n;
}

/* Its callee is in the library, which calls this one by its own slot. */
long
recurse_again(long n)
{
    count("recurse");
    return recurse(n);
}

static void
plain(int rounds)
{
    double sum = 0;
    long whole = 0;

    for (int i = 0; i < rounds; i++) {
        char text[64];
        struct pair p = make_pair(i), q;
        struct triple t = make_triple(i);
        int out;

        whole += twice(i) + own(i);
        sum += mixed(i, 0.5, "text", 0.25f, 1, 2, 3, 4, -5, 'a');
        whole += sum_pair(p, t);
        sum += (double)thirds(3.0L * i);
        sum += (double)__real__ turn(i);
        whole += format(text, sizeof(text), "%d %s %g %d %d %d %d %g", i, "x", i / 4.0,
                        1, 2, 3, 4, 5.5);
        whole += fill(i, &out, &q) + out + (long)q.x + q.n;
        password("user", "PASSWORD");
        whole += (long)bytes("abc", 3);
    }
    for (const char *name : { "twice", "own", "make_pair", "make_triple", "mixed",
                              "sum_pair", "thirds", "turn", "format", "fill",
                              "password", "bytes" })
        count(name, rounds);
    printf("plain %ld %g\n", whole, sum);
}

static void
errors(int rounds)
{
    int failed = 0;

    for (int i = 0; i < rounds; i++) {
        errno = 7;
        failed += fails(i % 3 ? ENOENT : 0) < 0 && errno == ENOENT;
    }
    count("fails", rounds);
    printf("errors %d\n", failed);
}

static void
exceptions(int rounds)
{
    int caught = 0;

    for (int i = 0; i < rounds; i++)
        try {
            back(thrower, i);
        } catch (const std::exception &) {
            caught++;
        }
    count("back", rounds);
    printf("exceptions %d\n", caught);
}

static void
jumps(int rounds)
{
    volatile int back_again = 0;
    jmp_buf where;

    for (volatile int i = 0; i < rounds; i++)
        if (setjmp(where))
            back_again = back_again + 1;
        else
            jump(where, 1);
    count("jump", rounds);
    printf("jumps %d\n", back_again);
}

static void
texts()
{
    char *page = (char *)mmap(nullptr, 8192, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int good = 0;

    munmap(page + 4096, 4096);
    memset(page, 'x', 4096);
    good += bad_text((const char *)8);
    good += bad_text(page + 4096);
    good += bad_text(page + 4090);
    good += bad_text((const char *)~0ul);
    good += bad_text((const char *)0x8000000000000000);
    good += bad_text(nullptr);
    page[4095] = 0;
    good += bad_text(page + 4090);
    count("bad_text", 7);
    printf("texts %d\n", good);
}

static void
later(int rounds)
{
    void *handle = dlopen("libcalls-late.so", RTLD_LAZY | RTLD_LOCAL);
    auto f = (int (*)(int))dlsym(handle, "late");
    auto g = (int (*)(int))dlsym(handle, "own");
    long sum = 0;

    for (int i = 0; i < rounds; i++)
        sum += f(i) + g(i);
    count("late", rounds);
    count("own", rounds);
    count("twice", rounds);
    printf("later %ld\n", sum);
}

static void *
thread(void *rounds)
{
    long sum = 0;

    for (int i = 0; i < *(int *)rounds; i++)
        sum += twice(i);
    if (sum >= 0)
        back([](long) -> long { pthread_exit(nullptr); }, 1);
    return nullptr;
}

static void
threads(int rounds)
{
    pthread_t t[4];

    for (auto &i : t)
        pthread_create(&i, nullptr, thread, &rounds);
    for (auto &i : t)
        pthread_join(i, nullptr);
    count("twice", 4l * rounds);
    count("back", 4);
    puts("threads 4");
}

static void
forks()
{
    int status = 0;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        password("child", "PASSWORD");
        _exit(twice(3));
    }
    waitpid(pid, &status, 0);
    printf("forks %d\n", WEXITSTATUS(status));
}

/* At the end, from within a call: it does not return. */
static long
leave(long)
{
    for (auto &c : counts)
        if (c.name)
            printf("count %s %ld\n", c.name, c.count);
    exit(3);
}

int
main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 100;

    plain(rounds);
    errors(rounds);
    exceptions(rounds);
    jumps(rounds);
    texts();
    count("recurse");
    printf("recurse %ld\n", recurse(20));
    later(rounds);
    threads(rounds);
    forks();
    count("back");
    return (int)back(leave, 1);
}
#endif
