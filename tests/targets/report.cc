// SPDX-License-Identifier: Apache-2.0
// Something of each kind of data, spread over the time, in several threads: what a
// report has to show. Calls are inlined, recursive, and in libraries.
// build: -O2 -g
// link: -lpthread
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fcntl.h>

#include "../../collector/preload/libcollector.h"

static std::mutex lock;
static std::map<std::string, int> seen;

static inline double
poly(double x)
{
    double sum = 0;

    for (int i = 0; i < 40; i++)
        sum = sum * x + i;
    return sum;
}

static double
crunch(int rounds)
{
    double sum = 0;

    for (int i = 0; i < rounds; i++)
        sum += poly(i * 1e-6) + std::sin(i);
    return sum;
}

static int
fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void
count(const std::string &word)
{
    std::lock_guard<std::mutex> guard(lock);

    if (++seen[word] % 16 == 0)
        usleep(200);
}

static void
parse(int id)
{
    for (int i = 0; i < 400; i++)
        count("word" + std::to_string((i * 7919 + id) % 100));
}

static void
save(int id)
{
    std::string name = "report." + std::to_string(id);
    int fd = open(name.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    char text[4096];

    memset(text, 'x', sizeof(text));
    for (int i = 0; i < 20; i++)
        if (write(fd, text, sizeof(text)) < 0)
            break;
    close(fd);
}

static double sums[4];

static void
work(int id)
{
    timespec start, now;

    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        char *lost = (char *)malloc(100 + 10 * (size_t)id);

        collector_region_begin("round");
        collector_region_begin("parse");
        parse(id);
        collector_region_next("compute");
        sums[id] += crunch(40000) + fib(20);
        collector_region_next("save");
        save(id);
        collector_region_end();
        collector_region_end();
        if (lost)
            lost[0] = 1;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / 1e9 < 0.6);
}

int
main()
{
    std::vector<std::thread> threads;
    double sum = 0;

    for (int i = 0; i < 4; i++)
        threads.emplace_back(work, i);
    for (auto &t : threads)
        t.join();
    for (double s : sums)
        sum += s;
    std::printf("%g\n", sum);
    return 0;
}
