/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and unloads libraries while it works; also signal frames, deep recursion, the
 * vdso and what the name service loads. Each part works for 80 ms in functions of its
 * own, and prints what it found.
 */
/* build: out=libdlone.so -O2 -g -shared -fPIC -DPART=one_work */
/* build: out=libdltwo.so -O2 -g -shared -fPIC -DPART=two_work */
/* build: -O2 -g -fno-inline -Wl,-rpath,$ORIGIN */
/* link: -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile unsigned long sink;

static int
over(const struct timespec *start, long ms)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (now.tv_sec - start->tv_sec) * 1000 +
               (now.tv_nsec - start->tv_nsec) / 1000000 >=
           ms;
}

#ifdef PART
void PART(long ms);

void
PART(long ms)
{
    struct timespec start;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    while (!over(&start, ms))
        for (int i = 0; i < 20000; i++)
            sink += (unsigned long)i;
}
#else
typedef void work_function(long);

static void *
call(void *handle, const char *name)
{
    void *found = handle ? dlsym(handle, name) : NULL;
    work_function *work;

    if (!found) {
        printf("no %s\n", name);
        exit(1);
    }
    memcpy(&work, &found, sizeof(work));
    work(80);
    return found;
}

static void
one_after_the_other(const char *dir)
{
    void *at[3], *handle;
    char path[4096];

    /* Found beside the program by its RUNPATH: whoever calls dlopen() counts. */
    handle = dlopen("libdlone.so", RTLD_NOW);
    at[0] = call(handle, "one_work");
    dlclose(handle);
    snprintf(path, sizeof(path), "%s/libdltwo.so", dir);
    handle = dlopen(path, RTLD_NOW);
    at[1] = call(handle, "two_work");
    dlclose(handle);
    handle = dlopen("libdlone.so", RTLD_NOW);
    at[2] = call(handle, "one_work");
    dlclose(handle);
    printf("one address %d, back again %d\n", at[0] == at[1], at[0] == at[2]);
    snprintf(path, sizeof(path), "%s/libdltwo.so", dir);
    handle = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
    call(handle, "two_work");
    handle = dlopen("libnotthere.so", RTLD_NOW);
    printf("missing %d %s\n", handle == NULL, dlerror());
}

/* What main's own puts hides is the next one. */
int
puts(const char *text)
{
    static int (*next)(const char *);
    void *found;

    if (!next) {
        found = dlsym(RTLD_NEXT, "puts");
        memcpy(&next, &found, sizeof(next));
    }
    return next == puts ? -1 : next(text);
}

enum {
    ALARMS = 16,
};

static volatile int alarms, inside;

/* Once: on a loaded machine a period is over before the handler is. */
static void
set_alarm(void)
{
    const struct itimerval it = { .it_value = { 0, 10000 } };

    setitimer(ITIMER_REAL, &it, NULL);
}

void on_alarm(int signo);

void
on_alarm(int signo)
{
    struct timespec start;

    if (inside++)
        printf("on_alarm interrupts itself\n");
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    while (!over(&start, 5))
        for (int i = 0; i < 20000; i++)
            sink += (unsigned long)i;
    alarms += signo == SIGALRM;
    inside--;
    if (alarms < ALARMS)
        set_alarm();
}

void interrupted(void);

void
interrupted(void)
{
    while (alarms < ALARMS)
        for (int i = 0; i < 2000; i++)
            sink += (unsigned long)i;
}

int deep(int n);

int
deep(int n)
{
    struct timespec start;
    int result = n;

    if (n > 0) {
        result += deep(n - 1);
        sink++;
        return result + (int)(sink & 1);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    while (!over(&start, 80))
        for (int i = 0; i < 20000; i++)
            sink += (unsigned long)i;
    return 0;
}

void reads_clock(void);

void
reads_clock(void)
{
    struct timespec start, now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    while (!over(&start, 80))
        for (int i = 0; i < 3000; i++)
            clock_gettime(CLOCK_MONOTONIC, &now);
}

int
main(int argc, char **argv)
{
    struct addrinfo *list = NULL;
    char dir[4096];

    snprintf(dir, sizeof(dir), "%s", argv[0]);
    *strrchr(dir, '/') = 0;
    one_after_the_other(dir);
    printf("puts %d\n", puts("through puts") >= 0);
    printf("user 0 is %s\n", getpwuid(0) ? getpwuid(0)->pw_name : "nobody");
    printf("localhost %s\n", gai_strerror(getaddrinfo("localhost", "80", NULL, &list)));
    signal(SIGALRM, on_alarm);
    set_alarm();
    interrupted();
    fprintf(stderr, "alarms %d\n", alarms);
    deep(3000);
    reads_clock();
    return argc > 9;
}
#endif
