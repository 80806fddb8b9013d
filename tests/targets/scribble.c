/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -I@S@/../.. */
/*
 * usage: scribble escape|torn|wild [SEED]: writes what it likes to the collector's
 * control page, as far as there is one, and prints "done".
 *
 * escape: asks for experiments whose creators have names that lead elsewhere.
 * torn: asks for some whose creators' names change, and have no end, meanwhile.
 * wild: random words all over the page.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "share/ctl.h"

enum { ROUNDS = 60 };

/* NULL where nobody records. */
static struct ctl *
find_page(void)
{
    char line[8192];
    unsigned long lo;
    struct ctl *page = NULL;
    FILE *maps = fopen("/proc/self/maps", "r");

    while (maps && fgets(line, sizeof(line), maps))
        if (strstr(line, "/.control") && sscanf(line, "%lx", &lo) == 1)
            page = (struct ctl *)lo;
    if (maps)
        fclose(maps);
    return page;
}

static void
nap(long us)
{
    struct timespec time = { 0, us * 1000 };

    syscall(SYS_nanosleep, &time, NULL);
}

static void
ask(struct ctl *page, struct ctl_request *r, unsigned how)
{
    unsigned pid = (unsigned)syscall(SYS_getpid);

    r->how = how;
    __atomic_store_n(&r->state, pid << REQUEST_BITS | REQUEST_ASKED, __ATOMIC_RELEASE);
    __atomic_fetch_or(&page->want, WANT_FAMILY, __ATOMIC_RELEASE);
    syscall(SYS_futex, &page->want, 1, 1, NULL, NULL, 0);
}

static void
await(struct ctl_request *r)
{
    for (int i = 0; i < 1000; i++) {
        if ((__atomic_load_n(&r->state, __ATOMIC_ACQUIRE) & REQUEST_STATE) !=
            REQUEST_ASKED)
            break;
        nap(1000);
    }
    __atomic_store_n(&r->state, REQUEST_FREE, __ATOMIC_RELEASE);
}

static void
escape(struct ctl *page)
{
    static const char *const names[] = {
        "../escaped.er", "/tmp/escaped.er", "../../../escaped.er", ".", "..",
        "_x1.er/../../escaped.er",
    };

    for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
        for (unsigned how = 0; how < HOW_COUNT + 2; how++) {
            strcpy(page->request[0].creator, names[i]);
            ask(page, &page->request[0], how);
            await(&page->request[0]);
        }
}

static void
torn(struct ctl *page)
{
    struct ctl_request *r = &page->request[0];

    for (int i = 0; i < ROUNDS; i++) {
        memset(r->creator, 'a', sizeof(r->creator) - 4);
        memcpy(r->creator + 100, ".er", 4);
        ask(page, r, HOW_EXEC);
        for (int k = 0; k < 2000; k++)
            r->creator[100] = k & 1 ? '.' : '/';
        memset(r->creator, 'b', sizeof(r->creator) + sizeof(r->name));
        await(r);
    }
}

static void
wild(struct ctl *page, unsigned random)
{
    unsigned *word = (unsigned *)page;

    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < 10; k++) {
            random = random * 1664525 + 1013904223;
            word[random % (sizeof(*page) / sizeof(*word))] =
                random & 256 ? random * 2654435761u : random >> 24;
        }
        page->want = ~0u;
        syscall(SYS_futex, &page->want, 1, 1, NULL, NULL, 0);
        nap(300);
    }
}

__attribute__((noipa)) static unsigned
work(void)
{
    unsigned sum = 0;
    clock_t end = clock() + CLOCKS_PER_SEC / 5;

    while (clock() < end)
        for (unsigned i = 0; i < 100000; i++)
            sum = sum * 31 + i;
    return sum;
}

int
main(int argc, char **argv)
{
    const char *act = argc > 1 ? argv[1] : "";
    struct ctl *page = find_page();
    volatile unsigned sink = work();

    (void)sink;
    if (page && !strcmp(act, "escape"))
        escape(page);
    if (page && !strcmp(act, "torn"))
        torn(page);
    /* From here on nothing of the collector's in this process can be relied on. */
    if (write(STDOUT_FILENO, "done\n", 5) != 5)
        return 1;
    if (page && !strcmp(act, "wild"))
        wild(page, argc > 2 ? (unsigned)atoi(argv[2]) : 0);
    syscall(SYS_exit_group, 7);
}
