/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts its allocations where they survive it: in a page of a shared file. For tests
 * that kill it.
 *
 *   heap-count FILE THREADS [slowly]
 *                             allocates and frees until killed, or for a minute; each
 *                             thread has a size of its own, BASE + its number
 *   heap-count FILE           tells what the one who wrote the file had done: its
 *                             process, and "size N allocs N frees N" for each thread
 *
 * A call is counted when it has returned: what is counted must be recorded.
 */
/* build: -O2 -g -fno-builtin */
/* link: -lpthread */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BASE = 30001, THREADS_MAX = 16, DEPTHS = 8 };

struct counts {
    unsigned long pid;
    struct {
        volatile unsigned long allocs, frees;
        char pad[48];
    } of[THREADS_MAX];
};

static struct counts *counts;
static int slowly;

static __attribute__((noinline)) void *
deep(size_t size, unsigned depth)
{
    void *p = depth ? deep(size, depth - 1) : malloc(size);

    __asm__ volatile("" : "+r"(p));
    return p;
}

static void *
work(void *arg)
{
    size_t me = (size_t)arg;
    void *kept[64] = { NULL };

    for (unsigned long i = 0;; i++) {
        void **slot = &kept[i * 7 % 64];

        if (*slot) {
            free(*slot);
            counts->of[me].frees++;
        }
        *slot = deep(BASE + me, (unsigned)(i % DEPTHS));
        if (!*slot)
            abort();
        counts->of[me].allocs++;
        if (slowly && i % 1000 == 0)
            usleep(2000);
    }
    return NULL;
}

static void
map(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT, 0600);

    if (fd < 0 || ftruncate(fd, sizeof(*counts)) < 0)
        exit(2);
    counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (counts == MAP_FAILED)
        exit(2);
    close(fd);
}

int
main(int argc, char **argv)
{
    size_t threads = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    pthread_t id;

    if (argc < 2 || threads > THREADS_MAX)
        return 2;
    slowly = argc > 3;
    map(argv[1]);
    if (!threads) {
        printf("pid %lu\n", counts->pid);
        for (unsigned i = 0; i < THREADS_MAX && counts->of[i].allocs; i++)
            printf("size %u allocs %lu frees %lu\n", BASE + i, counts->of[i].allocs,
                   counts->of[i].frees);
        return 0;
    }
    alarm(60);
    counts->pid = (unsigned long)getpid();
    for (size_t i = 1; i < threads; i++)
        if (pthread_create(&id, NULL, work, (void *)i))
            return 2;
    work(NULL);
    return 0;
}
