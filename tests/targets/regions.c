/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/* build: name=nopie -O2 -g -fno-pie -no-pie */
/* link: -lpthread */
/*
 * Regions of libcollector.h. `regions CASE` prints how many of each it has had, as
 * "count NAME/NAME N", and what else a case knows.
 */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../../collector/preload/libcollector.h"

static volatile unsigned sink;

static void
work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i;
}

static unsigned long long
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (unsigned long long)ts.tv_sec * 1000000000u + (unsigned long long)ts.tv_nsec;
}

static void
step(unsigned n)
{
    collector_region_begin("first");
    work(n);
    collector_region_next("second");
    work(2 * n);
    collector_region_end();
}

static void
run_counts(void)
{
    unsigned long long begin = now();

    collector_region_begin("main loop");
    for (int i = 0; i < 500; i++) {
        collector_region_begin("step");
        collector_region_number(i);
        step(1000);
        collector_region_end();
    }
    collector_region_end();
    printf("count main loop 1\ncount main loop/step 500\n"
           "count main loop/step/first 500\ncount main loop/step/second 500\n");
    printf("wall %llu\n", now() - begin);
}

static void *
in_thread(void *arg)
{
    int n = *(int *)arg;

    for (int i = 0; i < n; i++) {
        collector_region_begin("job");
        work(20000);
        collector_region_end();
    }
    return NULL;
}

static void
run_threads(void)
{
    pthread_t t[4];
    int n[4] = { 10, 20, 30, 40 };

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, in_thread, &n[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    printf("count job 100\nthreads 4\n");
}

static void
run_names(void)
{
    char name[100];
    int of_80 = 0;

    for (int i = 0; i < 20000; i++) {
        sprintf(name, "name %d", i);
        collector_region_begin(name);
        collector_region_end();
        memset(name, 'x', sizeof(name) - 1);
        name[60 + i % 30] = 0;
        of_80 += i % 30 == 20;
        collector_region_begin(name);
        collector_region_end();
    }
    printf("names 20030\ncount name 19999 1\n");
    memset(name, 'x', 80);
    name[80] = 0;
    printf("count %s %d\n", name, of_80);
}

static jmp_buf place;

static __attribute__((noinline)) void
jump_out(void)
{
    collector_region_begin("left");
    collector_region_begin("inner");
    longjmp(place, 1);
}

static void
run_jumps(void)
{
    for (volatile int i = 0; i < 10; i++) {
        collector_region_begin("around");
        if (setjmp(place) == 0)
            jump_out();
        collector_region_end();
    }
    printf("count around 10\ncount around/left 10\ncount around/left/inner 10\n");
}

static void
on_signal(int sig)
{
    (void)sig;
    collector_region_begin("handler");
    collector_region_end();
}

static void
run_signals(void)
{
    timer_t timer;
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
    struct itimerspec often = { { 0, 100000 }, { 0, 100000 } };
    struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    unsigned n = 0;

    sigaction(SIGUSR1, &sa, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &often, NULL);
    for (unsigned long long end = now() + 200000000; now() < end; n++) {
        collector_region_begin("loop");
        collector_region_begin("body");
        collector_region_end();
        collector_region_end();
    }
    timer_delete(timer);
    printf("count loop %u\ncount loop/body %u\n", n, n);
}

static void
run_open(void)
{
    collector_region_end();
    collector_region_begin("outer");
    collector_region_begin("inner");
    collector_region_end();
    collector_region_begin("not ended");
    work(1000);
    printf("stray 1\nopen outer 1\nopen outer/not ended 1\ncount outer/inner 1\n");
}

static void
run_fork(void)
{
    collector_region_begin("before");
    fflush(stdout);
    if (fork() == 0) {
        collector_region_begin("child");
        collector_region_end();
        collector_region_end();
        exit(0);
    }
    wait(NULL);
    collector_region_end();
    printf("count before 2\ncount before/child 1\n");
}

static void
run_pause(void)
{
    collector_region_begin("over");
    collector_pause();
    collector_region_begin("unseen");
    collector_region_begin("unseen too");
    collector_region_end();
    collector_resume();
    collector_region_begin("within");
    collector_region_end();
    collector_region_end();
    collector_region_end();
    printf("count over 1\ncount over/unseen/within 1\n");
}

static void *
paused_thread(void *arg)
{
    (void)arg;
    collector_thread_pause(pthread_self());
    collector_region_begin("unseen");
    collector_region_end();
    collector_thread_resume(pthread_self());
    collector_region_begin("again");
    collector_region_end();
    return NULL;
}

static void
run_pause_one(void)
{
    pthread_t t;

    collector_thread_pause(pthread_self());
    pthread_create(&t, NULL, paused_thread, NULL);
    pthread_join(t, NULL);
    collector_region_begin("not here");
    collector_region_end();
    printf("count again 1\n");
}

static unsigned long long interval[8];

static void *
end_interval(void *arg)
{
    int *n = arg;

    for (int i = 0; i < *n; i++)
        collector_interval_end(interval[i]);
    return NULL;
}

static void
run_intervals(void)
{
    pthread_t t;
    int n = 7;

    for (int i = 0; i < 8; i++)
        interval[i] = collector_interval_begin("request");
    pthread_create(&t, NULL, end_interval, &n);
    pthread_join(t, NULL);
    printf("intervals request 7 open 1\n");
}

static void
run_deep(void)
{
    for (int i = 0; i < 1000; i++)
        collector_region_begin("deep");
    for (int i = 0; i < 1000; i++)
        collector_region_end();
    collector_region_begin("after");
    collector_region_end();
    printf("count after 1\n");
}

static void
run_exec(void)
{
    collector_region_begin("before exec");
    collector_region_begin("ended");
    collector_region_end();
    printf("open before exec 1\ncount before exec/ended 1\n");
    fflush(stdout);
    execl("/proc/self/exe", "regions", "threads", (char *)NULL);
    abort();
}

static void *
leave_open(void *arg)
{
    collector_region_begin("left");
    collector_region_begin("inner");
    collector_region_end();
    pthread_exit(arg);
}

static void
run_thread_end(void)
{
    pthread_t t;

    for (int i = 0; i < 3; i++) {
        pthread_create(&t, NULL, leave_open, NULL);
        pthread_join(t, NULL);
    }
    printf("open left 3\ncount left/inner 3\n");
}

static void
run_detach(void)
{
    collector_region_begin("kept");
    collector_region_end();
    collector_region_begin("cut");
    collector_terminate_expt();
    collector_region_begin("unseen");
    collector_region_number(1);
    collector_region_end();
    collector_region_next("unseen, too");
    collector_region_end();
    collector_region_end();
    printf("count kept 1\nopen cut 1\n");
}

/* Until log.xml says that -t has ended recording; its name is that of the case. */
static void
await_end(void)
{
    char text[1 << 16];
    size_t n;
    FILE *f;

    do {
        usleep(10000);
        f = fopen("cut.er/log.xml", "r");
        n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
        text[n] = 0;
        if (f)
            fclose(f);
    } while (f && !strstr(text, "id=\"terminated\""));
}

static void *
stay_open(void *arg)
{
    collector_region_begin("in thread");
    sem_post(arg);
    for (;;)
        pause();
}

/* Recording ends inside of regions: some end later, one never calls again. */
static void
run_cut(void)
{
    pthread_t t;
    sem_t begun;

    sem_init(&begun, 0, 0);
    pthread_create(&t, NULL, stay_open, &begun);
    sem_wait(&begun);
    collector_region_begin("outer");
    collector_region_begin("before");
    collector_region_next("across");
    await_end();
    collector_region_begin("unseen");
    collector_region_end();
    collector_region_next("unseen, too");
    collector_region_end();
    collector_region_begin("unseen, again");
    usleep(300000);
    printf("count outer/before 1\nopen outer 1\nopen outer/across 1\n"
           "open in thread 1\n");
}

static void
run_pause_open(void)
{
    collector_region_begin("around");
    collector_region_begin("ended");
    collector_pause();
    collector_region_end();
    collector_region_begin("unseen");
    printf("count around/ended 1\nopen around 1\n");
}

static void
run_killed(void)
{
    collector_region_begin("outer");
    for (int i = 0; i < 10; i++) {
        collector_region_begin("inner");
        collector_region_end();
    }
    printf("open outer 1\ncount outer/inner 10\n");
    fflush(stdout);
    kill(getpid(), SIGKILL);
}

static ucontext_t home, away;

static void
coroutine(void)
{
    collector_region_begin("in coroutine");
    swapcontext(&away, &home);
    collector_region_end();
}

/* What is begun last ends first, whoever ends it. */
static void
run_coroutines(void)
{
    size_t size = 1 << 16;
    char *stack = malloc(size);

    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = size;
    away.uc_link = &home;
    makecontext(&away, coroutine, 0);
    collector_region_begin("in main");
    swapcontext(&home, &away);
    collector_region_end();
    swapcontext(&home, &away);
    collector_region_begin("after");
    collector_region_end();
    printf("count in main 1\ncount in main/in coroutine 1\ncount after 1\n");
    free(stack);
}

/* Each name once, in memory that is used again and given back. */
static void
run_million(void)
{
    for (int i = 0; i < 1000000; i++) {
        char *name = malloc(24);

        sprintf(name, "name %d", i);
        collector_region_begin(name);
        free(name);
        collector_region_end();
    }
    printf("names 1000000\n");
}

static void
run_said(void)
{
    for (int i = 1; i <= 100; i++) {
        collector_region_begin("block");
        collector_region_number(i - 50);
        collector_region_text(i % 4 ? "odd" : "fourth");
        collector_region_end();
    }
    printf("numbers 100 sum 50 least -49 most 50\ntexts 75 odd 25 fourth\n");
}

enum {
    BATCH = 1000,
    BATCHES = 2000,
};

/* The least that a call took, over many batches: others may have the processor. */
static void
run_bench(void)
{
    unsigned long long pair = ~0ull, next = ~0ull;

    for (int k = 0; k < BATCHES; k++) {
        unsigned long long t0 = now(), t1, t2;

        for (int i = 0; i < BATCH; i++) {
            collector_region_begin("bench");
            collector_region_end();
        }
        t1 = now();
        collector_region_begin("a");
        for (int i = 0; i < BATCH; i++)
            collector_region_next("b");
        collector_region_end();
        t2 = now();
        pair = t1 - t0 < pair ? t1 - t0 : pair;
        next = t2 - t1 < next ? t2 - t1 : next;
    }
    printf("pair %.2f ns\nnext %.2f ns\n", (double)pair / BATCH, (double)next / BATCH);
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        { "counts", run_counts },   { "threads", run_threads },
        { "names", run_names },     { "jumps", run_jumps },
        { "signals", run_signals }, { "open", run_open },
        { "fork", run_fork },       { "pause", run_pause },
        { "pause-one", run_pause_one },
        { "deep", run_deep },       { "intervals", run_intervals },
        { "exec", run_exec },       { "thread-end", run_thread_end },
        { "detach", run_detach },   { "killed", run_killed },
        { "coroutines", run_coroutines }, { "million", run_million },
        { "said", run_said },       { "bench", run_bench },
        { "cut", run_cut },         { "pause-open", run_pause_open },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (argc > 1 && !strcmp(argv[1], cases[i].name)) {
            cases[i].run();
            return 0;
        }
    return 2;
}
