/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -g */
/*
 * usage: data FILE: faults known numbers of pages of a static array, a constant one,
 * blocks of the heap from two places, a mapped file, anonymous memory and its stack.
 * Prints a line for each: PAGES NAME; of the constant one pages come several at a time.
 * FILE must have 40 pages.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    TABLE = 100, /* pages of each */
    CONSTANT = 30,
    ONE = 60,
    OTHER = 20,
    FILED = 40,
    ANONYMOUS = 50,
    DEEP = 90,
};

static char table[TABLE * PAGE] __attribute__((aligned(PAGE)));
static const char constant[CONSTANT * PAGE] __attribute__((aligned(PAGE))) = { 1, 2 };

static volatile char seen;
static int stack_pages;

/* Huge pages would be one fault for many of ours. */
__attribute__((noinline)) static void
write_to(char *from, size_t pages)
{
    char *first = (char *)(((unsigned long)from + PAGE - 1) & ~(PAGE - 1ul));

    madvise(first, pages * PAGE, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < pages; i++)
        *(volatile char *)(first + i * PAGE) = 1;
}

/* Without the kernel's reading of pages around. */
__attribute__((noinline)) static void
read_from(const char *from, size_t pages)
{
    madvise((void *)(unsigned long)from, pages * PAGE, MADV_RANDOM);
    for (size_t i = 0; i < pages; i++)
        seen += *(volatile const char *)(from + i * PAGE);
}

__attribute__((noinline)) static char *
make_one(void)
{
    return malloc((ONE + 1) * PAGE);
}

__attribute__((noinline)) static char *
make_other(void)
{
    return malloc((OTHER + 1) * PAGE);
}

__attribute__((noinline)) static void
go_deep(void)
{
    volatile char deep[DEEP * PAGE];

    for (size_t i = DEEP; i-- > 0;) {
        unsigned char in;
        void *page = (void *)((unsigned long)&deep[i * PAGE] & ~(PAGE - 1ul));

        /* Some were used before main; below the stack nothing is mapped yet. */
        stack_pages += mincore(page, PAGE, &in) < 0 || !(in & 1);
        deep[i * PAGE] = 1;
    }
    seen += deep[0];
}

static char *
map(const char *path)
{
    int fd = open(path, O_RDWR);
    char *at = mmap(NULL, FILED * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

    if (fd < 0 || at == MAP_FAILED)
        exit(1);
    close(fd);
    return at;
}

int
main(int argc, char **argv)
{
    char *one, *other, *anonymous;

    if (argc < 2)
        return 2;
    write_to(table, TABLE);
    read_from(constant, CONSTANT);
    one = make_one();
    write_to(one, ONE);
    other = make_other();
    write_to(other, OTHER);
    write_to(map(argv[1]), FILED);
    anonymous = mmap(NULL, ANONYMOUS * PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    write_to(anonymous, ANONYMOUS);
    go_deep();
    printf("%d table\n%d constant\n%d one\n%d other\n%d file\n%d anonymous\n%d stack\n",
           TABLE, CONSTANT, ONE, OTHER, FILED, ANONYMOUS, stack_pages);
    free(one);
    free(other);
    return 0;
}
