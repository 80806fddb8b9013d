/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything at once, ROUNDS times in each of THREADS threads: they allocate,
 * throw and catch through libraries' frames, load and unload libraries, fork children
 * that work and end, make threads. Prints "rounds" when all of them ended well.
 *
 *   stress THREADS ROUNDS
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

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static volatile unsigned long sink;

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
forks(unsigned round)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        try {
            thrower(round % 5);
        } catch (const std::exception &) {
        }
        free(malloc(round));
        _exit(7);
    }
    if (pid < 0)
        return;
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 7) {
        printf("a child ended with %x\n", (unsigned)status);
        exit(1);
    }
}

static void
work(unsigned me, unsigned rounds)
{
    std::vector<char *> blocks;

    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned k = 0; k < 200; k++) {
            blocks.push_back(new char[k + i % 100 + 1]);
            sink += (unsigned long)strlen(strcpy(blocks.back(), ""));
        }
        while (blocks.size() > 50) {
            delete[] blocks.back();
            blocks.pop_back();
        }
        try {
            thrower((i + me) % 20);
        } catch (const std::exception &e) {
            sink += e.what()[0];
        }
        sorts();
        if (i % 4 == me % 4)
            load(i + me);
        if (i % 16 == me % 16)
            forks(i);
        if (i % 8 == me % 8)
            std::thread([i] { free(malloc(i)); }).join();
    }
    for (char *p : blocks)
        delete[] p;
}

int
main(int argc, char **argv)
{
    unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], nullptr, 10) : 0;

    if (rounds && !strcmp(argv[1], "dl")) {
        for (unsigned i = 0; i < rounds; i++) {
            load(i);
            free(malloc(i % 1000));
        }
    } else if (rounds) {
        std::vector<std::thread> all;

        for (unsigned i = 0; i < strtoul(argv[1], nullptr, 10); i++)
            all.emplace_back(work, i, rounds);
        for (std::thread &t : all)
            t.join();
    } else {
        return 2;
    }
    printf("rounds %u\n", rounds);
    return 0;
}
