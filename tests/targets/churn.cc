/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates in THREADS threads, as C++ programs do, until each has done EVENTS of its
 * own events: thread n gets a block of 40000 + n bytes and gives it back. After each it
 * writes a line "n EVENT" to standard output: what was written was completed.
 *
 *   churn THREADS EVENTS
 */
/* build: -O2 -g */
/* link: -lpthread */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

static void
work(int number, long events)
{
    std::map<unsigned, std::string> words;
    std::vector<std::unique_ptr<char[]>> blocks(64);
    unsigned random = 12345u + (unsigned)number;

    for (long i = 1; i <= events; i++) {
        char line[64], *own = new char[40000 + (size_t)number];

        own[0] = 1;
        for (int k = 0; k < 20; k++) {
            random = random * 1664525u + 1013904223u;
            words[random >> 24] = std::string(random >> 22 & 255, 'x');
            blocks[random >> 16 & 63].reset(new char[(random >> 8 & 4095) + 1]);
            if ((random & 7) == 0)
                words.erase(words.begin());
        }
        delete[] own;
        int len = std::snprintf(line, sizeof(line), "%d %ld\n", number, i);
        if (write(1, line, (size_t)len) != len)
            _exit(3);
    }
}

int
main(int argc, char **argv)
{
    int threads = argc > 2 ? std::atoi(argv[1]) : 1;
    long events = argc > 2 ? std::atol(argv[2]) : 1;
    std::vector<std::thread> all;

    for (int i = 1; i < threads; i++)
        all.emplace_back(work, i, events);
    work(0, events);
    for (auto &t : all)
        t.join();
    return 0;
}
