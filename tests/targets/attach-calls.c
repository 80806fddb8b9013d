/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-calls: for each line that it reads it does what that begins with, and says
 * `done`:
 *
 *   g  calls twice() of its library 1000 times: half of them by a pointer that dlsym()
 *      returns then; and says `wrong N`, how many results were wrong
 *   l  has a thread call last() of the library, which runs
 *   e  until now: says `last N`, what that returned
 *
 * It ends with status 5 when there are no lines. Other functions of the library that it
 * calls: allocates() calls malloc() and free() 100 times.
 */
/* build: out=libattach-calls.so -O2 -g -shared -fPIC -fno-builtin -DLIBRARY */
/* build: -O2 -g -L@D@ -Wl,--no-as-needed -lattach-calls */
/* build: name=lazy -no-pie -L@D@ -Wl,--no-as-needed,-z,lazy -lattach-calls */
/* link: -Wl,-rpath,$ORIGIN -ldl -lpthread */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CALLS = 1000, BLOCKS = 100, LAST = 77 };

int twice(int n);
int last(volatile int *over);
void allocates(void);

#ifdef LIBRARY

int
twice(int n)
{
    return 2 * n;
}

int
last(volatile int *over)
{
    while (!*over)
        continue;
    return LAST;
}

void
allocates(void)
{
    for (int i = 0; i < BLOCKS; i++)
        free(malloc((size_t)i + 1));
}

#else

static volatile int over;
static pthread_t thread;

static void *
call_last(void *arg)
{
    (void)arg;
    return (void *)(intptr_t)last(&over);
}

static void
go(void)
{
    int (*found)(int) = (int (*)(int))dlsym(dlopen("libattach-calls.so", RTLD_LAZY),
                                            "twice");
    int wrong = 0;

    for (int i = 0; i < CALLS / 2; i++)
        wrong += (twice(i) != 2 * i) + (found(i) != 2 * i);
    allocates();
    printf("wrong %d\n", wrong);
}

int
main(void)
{
    char line[64];
    void *result;

    setvbuf(stdout, NULL, _IONBF, 0);
    puts("ready");
    while (fgets(line, sizeof(line), stdin)) {
        switch (*line) {
        case 'g':
            go();
            break;
        case 'l':
            pthread_create(&thread, NULL, call_last, NULL);
            usleep(50000);
            break;
        case 'e':
            over = 1;
            pthread_join(thread, &result);
            printf("last %d\n", (int)(intptr_t)result);
            break;
        }
        puts("done");
    }
    return 5;
}

#endif
