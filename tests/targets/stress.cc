/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything at once, in each of THREADS threads: they allocate, throw and catch
 * through libraries' frames, load and unload libraries, fork children that work and
 * end, make threads; in an order that SEED makes. When all of them ended well, it tells
 * how often: "rounds", "threads" and "forks", and "marked", the calls of marked() in
 * all processes.
 *
 *   stress THREADS ROUNDS [SEED]
 *   stress THREADS SECONDSs [SEED]     until that time is over
 *   stress dl COUNT     loads and unloads COUNT times, allocating between
 */
/* build: -O2 -g */
/* link: -lpthread -ldl */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static volatile unsigned long sink;
static std::atomic<unsigned long> rounds_done, threads_made, forks_made, marks;

using moment = std::chrono::steady_clock::time_point;

/* Until when, or how often. */
struct until {
    unsigned long rounds;
    moment end;
};

/* A xorshift generator for each thread. */
struct dice {
    unsigned long state;

    unsigned
    roll(unsigned sides)
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return (unsigned)(state >> 32) % sides;
    }
};

/* Allocates, and is counted by its name in what was recorded. */
__attribute__((noinline, noclone)) static void
marked(size_t size)
{
    void *volatile p = malloc(size);

    free(p);
}

/* Small libraries that most systems have and no C program has loaded. */
static const char *const names[] = { "libz.so.1", "libnss_files.so.2", "libutil.so.1",
                                     "librt.so.1", "libanl.so.1" };

static void
load(unsigned which)
{
    void *lib = dlopen(names[which % 5], RTLD_LAZY);

    if (lib)
        dlclose(lib);
}

__attribute__((noinline)) static unsigned
thrower(unsigned depth)
{
    std::string text(depth * 7 + 20, 'x');

    if (!depth)
        throw std::runtime_error(text);
    return thrower(depth - 1) + (unsigned)text.size();
}

static int
compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    if (x == y && x == 5)
        throw 5; /* through libc's qsort */
    return x - y;
}

static void
sorts()
{
    int v[] = { 9, 5, 5, 3, 7, 1, 8 };

    try {
        qsort(v, 7, sizeof(*v), compare);
    } catch (int) {
        sink++;
    }
}

static void
forks(unsigned blocks)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        try {
            thrower(blocks % 5);
        } catch (const std::exception &) {
        }
        for (unsigned i = 0; i < blocks; i++)
            marked(i);
        _exit(7);
    }
    if (pid < 0)
        return;
    forks_made++;
    marks += blocks;
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 7) {
        printf("a child ended with %x\n", (unsigned)status);
        exit(1);
    }
}

static void
brief(unsigned blocks)
{
    for (unsigned i = 0; i < blocks; i++)
        marked(i);
    marks += blocks;
    threads_made++;
}

static void
one_round(std::vector<char *> &blocks, dice &d)
{
    for (unsigned k = 0; k < 200; k++) {
        blocks.push_back(new char[k + d.roll(100) + 1]);
        sink += (unsigned long)strlen(strcpy(blocks.back(), ""));
    }
    while (blocks.size() > 50) {
        delete[] blocks.back();
        blocks.pop_back();
    }
    try {
        thrower(d.roll(20));
    } catch (const std::exception &e) {
        sink += e.what()[0];
    }
    sorts();
    marked(d.roll(3000));
    marks++;
    if (!d.roll(4))
        load(d.roll(5));
    if (!d.roll(16))
        forks(d.roll(20));
    if (!d.roll(8))
        std::thread(brief, d.roll(20)).join();
}

static void
work(unsigned long seed, const until &u)
{
    std::vector<char *> blocks;
    dice d = { (seed + 1) * 0x9e3779b97f4a7c15 };

    for (unsigned long i = 0; i < u.rounds; i++) {
        if (u.end != moment() && std::chrono::steady_clock::now() >= u.end)
            break;
        one_round(blocks, d);
        rounds_done++;
    }
    for (char *p : blocks)
        delete[] p;
    threads_made++;
}

static void
everything(unsigned threads, const until &u, unsigned long seed)
{
    std::vector<std::thread> all;

    for (unsigned i = 0; i < threads; i++)
        all.emplace_back(work, seed * 1000 + i, std::cref(u));
    for (std::thread &t : all)
        t.join();
    printf("rounds %lu\nthreads %lu\nforks %lu\nmarked %lu\n", rounds_done.load(),
           threads_made + 1, forks_made.load(), marks.load());
}

int
main(int argc, char **argv)
{
    char *unit = nullptr;
    until u = { argc > 2 ? strtoul(argv[2], &unit, 10) : 0, moment() };

    if (!u.rounds)
        return 2;
    if (!strcmp(argv[1], "dl")) {
        for (unsigned i = 0; i < u.rounds; i++) {
            load(i);
            free(malloc(i % 1000));
        }
        printf("rounds %lu\n", u.rounds);
        return 0;
    }
    if (*unit == 's') {
        u.end = std::chrono::steady_clock::now() + std::chrono::seconds(u.rounds);
        u.rounds = ~0ul;
    }
    everything((unsigned)strtoul(argv[1], nullptr, 10), u,
               argc > 3 ? strtoul(argv[3], nullptr, 10) : 0);
    return 0;
}
