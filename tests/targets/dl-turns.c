/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that take turns at one place, of other functions with other frames at the
 * same addresses. Each allocates in a function of its own, called by another with a
 * frame of its own. Prints for each "inner_N COUNT", what all allocated; and "places
 * N", at how many places they were.
 *
 *   dl-turns ROUNDS LIBRARY...    the Nth library has the functions outer_N and inner_N
 *   dl-turns -t ROUNDS LIBRARY... the same in two threads at once, for each library
 *   dl-turns -c ROUNDS LIBRARY... all as one file, ./turn.so, written over each time
 */
/* build: out=libturn0.so -O2 -g -shared -fPIC -DTURN=0 -DROOM=8 */
/* build: out=libturn1.so -O2 -g -shared -fPIC -DTURN=1 -DROOM=136 */
/* build: out=libturn2.so -O2 -g -shared -fPIC -DTURN=2 -DROOM=328 */
/* build: out=libturn3.so -O1 -g -shared -fPIC -DTURN=3 -DROOM=72 */
/* build: -O2 -g */
/* link: -ldl -lpthread */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TURN
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
#define INNER NAME(inner_, TURN)
#define OUTER NAME(outer_, TURN)
void OUTER(int n);

static void *volatile kept;

static __attribute__((noinline, noclone)) void
INNER(int n)
{
    char room[ROOM];

    __asm__ volatile("" ::"r"(room) : "memory");
    for (int i = 0; i < n; i++)
        free(kept = malloc((size_t)(i % 50 + 1)));
    __asm__ volatile("" ::"r"(room) : "memory");
}

void
OUTER(int n)
{
    char room[2 * ROOM];

    __asm__ volatile("" ::"r"(room) : "memory");
    for (int i = 0; i < 3; i++)
        INNER(n);
    __asm__ volatile("" ::"r"(room) : "memory");
}
#else
enum { LIBRARIES = 16 };

static unsigned long counts[LIBRARIES];
static void *places[1024];
static int nplaces;
static char **names;
static int libraries;
static unsigned rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int one_file;

static void
note(void *function, int which, int n)
{
    Dl_info info;
    void *at = dladdr(function, &info) ? info.dli_fbase : NULL;
    int i;

    pthread_mutex_lock(&lock);
    counts[which] += 3 * (unsigned long)n;
    for (i = 0; i < nplaces && places[i] != at; i++)
        ;
    if (i == nplaces && i < 1024)
        places[nplaces++] = at;
    pthread_mutex_unlock(&lock);
}

/* It stays the same file, of other content. */
static const char *
write_over(const char *from)
{
    static char bytes[1 << 20];
    FILE *in = fopen(from, "r"), *out = fopen("./turn.so", "w");
    size_t len = in ? fread(bytes, 1, sizeof(bytes), in) : 0;

    if (!out || fwrite(bytes, 1, len, out) != len || fclose(out))
        exit(1);
    fclose(in);
    return "./turn.so";
}

static void
take_turn(int which, int n)
{
    const char *path = one_file ? write_over(names[which]) : names[which];
    void *handle = dlopen(path, RTLD_NOW), *found;
    void (*outer)(int);
    char name[32];

    snprintf(name, sizeof(name), "outer_%d", which);
    found = handle ? dlsym(handle, name) : NULL;
    if (!found) {
        printf("no %s in %s\n", name, names[which]);
        exit(1);
    }
    memcpy(&outer, &found, sizeof(outer));
    outer(n);
    note(found, which, n);
    dlclose(handle);
}

/* NULL: all by turns; else one library again and again, which others may also have. */
static void *
run(void *arg)
{
    for (unsigned i = 0; i < rounds; i++)
        take_turn(arg ? *(int *)arg : (int)(i % (unsigned)libraries),
                  (int)(i % 7) + 1);
    return NULL;
}

int
main(int argc, char **argv)
{
    int threads = argc > 1 && !strcmp(argv[1], "-t"), of[2 * LIBRARIES];
    int option = argc > 1 && argv[1][0] == '-';
    pthread_t all[2 * LIBRARIES];

    one_file = option && !threads;
    rounds = (unsigned)atoi(argv[1 + option]);
    names = argv + 2 + option;
    libraries = argc - 2 - option;
    if (!threads)
        run(NULL);
    for (int i = 0; threads && i < 2 * libraries; i++) {
        of[i] = i % libraries;
        pthread_create(&all[i], NULL, run, &of[i]);
    }
    for (int i = 0; threads && i < 2 * libraries; i++)
        pthread_join(all[i], NULL);
    for (int i = 0; i < libraries; i++)
        printf("inner_%d %lu\n", i, counts[i]);
    printf("places %d\n", nplaces);
    return 0;
}
#endif
