/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 */
/*
 * usage: counted FILE TURNS: does what software counters count: page faults, three of
 * four in fault_most(), one of four in fault_rest(); reads the pages of FILE, which it
 * first asks the kernel to forget, in fault_file(); computes TURNS times, three of four
 * in spin_most(), one of four in spin_rest(); sleeps, and moves from processor to
 * processor. Prints what getrusage(2) says of it: "switches N major N minor N".
 */
#define _GNU_SOURCE /* processors of a thread */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    PAGES = 1000,
    ROUNDS = 50,
    SLEEPS = 200,
    MOVES = 100,
    STEPS = 40000000,
};

static volatile char seen;

__attribute__((noinline)) static void
fault_most(volatile char *p, size_t n)
{
    for (size_t i = 0; i < n; i += PAGE)
        p[i] = 1;
}

__attribute__((noinline)) static void
fault_rest(volatile char *p, size_t n)
{
    for (size_t i = 0; i < n; i += PAGE)
        p[i] = 2;
}

static void
fault_pages(void)
{
    size_t bytes = (size_t)PAGE * PAGES, most = bytes / 4 * 3;

    for (int i = 0; i < ROUNDS; i++) {
        char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (p == MAP_FAILED)
            abort();
        madvise(p, bytes, MADV_NOHUGEPAGE);
        fault_most(p, most);
        fault_rest(p + most, bytes - most);
        munmap(p, bytes);
    }
}

/* Without the kernel's reading of pages around. */
__attribute__((noinline)) static void
fault_file(const char *name)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    struct stat st;
    char *p;

    if (fd < 0 || fstat(fd, &st))
        abort();
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        abort();
    madvise(p, (size_t)st.st_size, MADV_RANDOM);
    for (off_t i = 0; i < st.st_size; i += PAGE)
        seen += ((volatile char *)p)[i];
}

__attribute__((noinline)) static void
spin_most(void)
{
    for (volatile int i = 0; i < 3 * STEPS; i++)
        ;
}

__attribute__((noinline)) static void
spin_rest(void)
{
    for (volatile int i = 0; i < STEPS; i++)
        ;
}

static void
move_about(void)
{
    cpu_set_t all, one;
    int cpu = 0;

    if (sched_getaffinity(0, sizeof(all), &all))
        return;
    for (int i = 0; i < MOVES; i++) {
        do
            cpu = (cpu + 1) % CPU_SETSIZE;
        while (!CPU_ISSET(cpu, &all));
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof(one), &one);
    }
    sched_setaffinity(0, sizeof(all), &all);
}

int
main(int argc, char **argv)
{
    struct rusage r;

    if (argc != 3)
        return 2;
    fault_pages();
    fault_file(argv[1]);
    for (int i = 0; i < atoi(argv[2]); i++) {
        spin_most();
        spin_rest();
    }
    move_about();
    for (int i = 0; i < SLEEPS; i++)
        usleep(100);
    getrusage(RUSAGE_SELF, &r);
    printf("switches %ld major %ld minor %ld\n", r.ru_nvcsw + r.ru_nivcsw, r.ru_majflt,
           r.ru_minflt);
    return 0;
}
