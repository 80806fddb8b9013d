/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-count: does nothing but wait, twice for a line; after the first it allocates,
 * frees, writes and takes locks so often as it then says, also in a thread that it
 * makes, and of what it had allocated before that it frees some:
 * `allocs N frees N early N writes N bytes N`.
 */
/* build: -O2 -g -fno-builtin */
/* build: name=lazy -O2 -g -fno-builtin -no-pie -fno-pie */
/* link: -lpthread -Wl,-z,lazy */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ALLOCS = 1000, FREED = 700, EARLY = 300, WRITES = 50, BYTES = 10 };

static char *before[EARLY], *kept[2][ALLOCS];
static int null;

static void *
work(void *arg)
{
    char **block = arg;

    for (int i = 0; i < ALLOCS; i++)
        block[i] = malloc(100 + (size_t)i);
    for (int i = 0; i < FREED; i++)
        free(block[i]);
    for (int i = 0; i < WRITES; i++)
        if (write(null, "0123456789", BYTES) != BYTES)
            abort();
    return NULL;
}

static void
await_line(void)
{
    char byte = 0;

    while (byte != '\n' && read(STDIN_FILENO, &byte, 1) == 1)
        continue;
}

int
main(void)
{
    pthread_t thread;

    null = open("/dev/null", O_WRONLY);
    for (int i = 0; i < EARLY; i++)
        before[i] = malloc(50);
    setvbuf(stdout, NULL, _IONBF, 0);
    puts("ready");
    await_line();
    for (int i = 0; i < EARLY; i++)
        free(before[i]);
    work(kept[0]);
    pthread_create(&thread, NULL, work, kept[1]);
    pthread_join(thread, NULL);
    printf("allocs %d frees %d early %d writes %d bytes %d\n", 2 * ALLOCS, 2 * FREED,
           EARLY, 2 * WRITES, 2 * WRITES * BYTES);
    await_line();
    return 0;
}
