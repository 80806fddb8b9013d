/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates where it is awkward, and tells what it did.
 *
 *   heap-odd handlers | jumps | fork | exit | tls | pause
 */
/* build: -O1 -g -fno-builtin */
/* build: name=own -O1 -g -fno-builtin -rdynamic -DOWN_MALLOC */
/* link: -lpthread */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "heap-own.h"

#ifdef OWN_MALLOC
static char pool[1 << 20];
static size_t used;

void *
malloc(size_t size)
{
    void *p = pool + used;

    used += (size + 15) & ~(size_t)15;
    return p;
}

void
free(void *p)
{
    (void)p;
}
#endif

void collector_pause(void) __attribute__((weak));
void collector_resume(void) __attribute__((weak));

static void *early;
static sigjmp_buf back;
static volatile int jumps;
static volatile unsigned long hits;

__attribute__((constructor)) static void
construct(void)
{
    early = own_begin(malloc(123), 123);
}

/* Mapping is what a handler may do. */
static void
handler(int signo)
{
    void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)signo;
    hits++;
    own.maps++;
    if (jumps) {
        own.live++; /* it stays */
        siglongjmp(back, 1);
    }
    munmap(p, 4096);
    own.unmaps++;
}

static void
start_timer(void)
{
    struct sigaction action = { .sa_handler = handler };
    struct itimerval every = { { 0, 150 }, { 0, 150 } };

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

static void
stop_timer(void)
{
    struct itimerval never = { { 0, 0 }, { 0, 0 } };

    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
}

static void
handlers(void)
{
    start_timer();
    while (hits < 1000) {
        free(own_begin(malloc(64), 64));
        own_end(64);
    }
    stop_timer();
}

/* Only what may be left at any point: a mapping that is there all the time. */
static void
jump(void)
{
    char *p = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    own.maps++;
    jumps = 1;
    start_timer();
    sigsetjmp(back, 1);
    while (hits < 2000)
        munmap(p + (1 << 19), 4096);
    stop_timer();
    /* Afterwards all is as ever. */
    for (int i = 0; i < 1000; i++) {
        free(own_begin(malloc(64), 64));
        own_end(64);
    }
}

static void
child(void)
{
    for (int i = 0; i < 1000; i++)
        free(malloc(10));
    (void)!malloc(20);
    free(early);
    _exit(0);
}

static void
fork_both(void)
{
    pid_t pid = fork();

    if (pid == 0)
        child();
    waitpid(pid, NULL, 0);
    pid = vfork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    own_begin(malloc(5), 5);
}

static void
at_exit(void)
{
    free(early);
}

__attribute__((destructor)) static void
destruct(void)
{
    if (early)
        (void)!malloc(321);
}

static pthread_key_t keys[3];

/* As many rounds as there are, and then in vain. */
static void
again(void *p)
{
    if (p)
        free(p);
    pthread_setspecific(keys[1], malloc(11));
}

static void *
with_keys(void *arg)
{
    pthread_setspecific(keys[1], malloc(10));
    return arg;
}

static void
tls(void)
{
    pthread_t id;

    for (int i = 0; i < 3; i++)
        pthread_key_create(&keys[i], again);
    for (int i = 0; i < 20; i++) {
        pthread_create(&id, NULL, with_keys, NULL);
        pthread_join(id, NULL);
    }
    /* Four rounds of destructors, each frees one and makes another. */
    own.allocs += 20 * 5;
    own.frees += 20 * 4;
    own.bytes += 20 * (10 + 4 * 11);
    own.live += 20;
    own.live_bytes += 20 * 11;
}

/* A block that ends while nothing is recorded has ended all the same. */
static void
pause_between(void)
{
    void *a = own_begin(malloc(40), 40), *b = own_begin(malloc(50), 50);
    void *c;

    if (collector_pause)
        collector_pause();
    free(a);
    own_end(40);
    c = malloc(60);
    b = realloc(b, 5000);
    own_end(50);
    if (collector_resume)
        collector_resume();
    free(b);
    free(c);
    own.frees += 2;
    own_begin(malloc(70), 70);
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "handlers"))
        handlers();
    else if (!strcmp(what, "jumps"))
        jump();
    else if (!strcmp(what, "fork"))
        fork_both();
    else if (!strcmp(what, "exit"))
        atexit(at_exit), own_end(123), own_begin(NULL, 321);
    else if (!strcmp(what, "tls"))
        tls();
    else if (!strcmp(what, "pause"))
        pause_between();
    own_tell();
    if (strcmp(what, "exit"))
        early = NULL;
    return 0;
}
