/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To be preloaded into any program: samples its first thread's CPU time and counts the
 * stacks that end at a root. At exit it appends "samples N root N depth N.N ns N" to
 * the file that SIG_OUT names; with SIG_TRUNCATED set also where walks ended before.
 */
/* build: out=libsigpreload.so -shared -fPIC -O2 -std=gnu11 -D_GNU_SOURCE -I@S@/../.. */
/* link: @S@/../../collector/sig/cfi*.c @S@/../../collector/sig/guess*.c */
/* link: @S@/../../collector/sig/hotspot.c */
/* link: @S@/../../collector/sig/hotspot_rule.c */
/* link: @S@/../../collector/sig/hotspot_x86_64.c */
/* link: @S@/../../collector/sig/[aeijmnor]*.c @S@/../../collector/sig/cache_use.c */
/* link: @S@/../../collector/sig/loaded.c @S@/../../collector/sig/step.c */
/* link: @S@/../../collector/sig/walk*.c -ldl -lpthread */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/targets/sig-self.h"

enum {
    ALTERNATE = 1 << 16,
    PERIOD_NS = 203000,
    ENDS = 20,
};

static struct walk *walk;
static pid_t owner;
static u64 samples, roots, frames, reused, ticks;
static u64 first_tick, first_ns;
static struct {
    u64 pc;
    u64 count;
} ends[ENDS];

static u64
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* Note the outermost frame of a stack that has no root. */
static void
note_end(u32 id)
{
    u64 pc = 0;

    for (const struct node *n; id && (n = node_at(id)); id = n->parent)
        if (n->pc_flags & NODE_PC_MASK)
            pc = n->pc_flags & NODE_PC_MASK;
    for (u32 i = 0; i < ENDS; i++)
        if (ends[i].pc == pc || ends[i].count == 0) {
            ends[i].pc = pc;
            ends[i].count++;
            return;
        }
}

static void
on_sample(int sig, siginfo_t *info, void *uc)
{
    u64 start = __builtin_ia32_rdtsc();
    u32 id;

    (void)sig;
    (void)info;
    if (gettid() != owner)
        return;
    id = sig_walk(walk, uc);
    ticks += __builtin_ia32_rdtsc() - start;
    samples++;
    frames += walk_info(walk)->depth;
    reused += walk_info(walk)->reused;
    if (walk_info(walk)->end == WALK_ROOT)
        roots++;
    else
        note_end(id);
}

static void
start_clock(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = PERIOD_NS,
        .exclude_kernel = 1,
        .wakeup_events = 1,
    };
    struct f_owner_ex who = { F_OWNER_TID, gettid() };
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG };
    struct itimerspec period = { { 0, 4000000 }, { 0, 4000000 } };
    timer_t timer;
    int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

    if (fd >= 0) {
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        fcntl(fd, F_SETOWN_EX, &who);
        fcntl(fd, F_SETSIG, SIGURG);
        fcntl(fd, F_SETFL, O_ASYNC);
        close(fd);
        return;
    }
    event._sigev_un._tid = gettid();
    if (!timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer))
        timer_settime(timer, 0, &period, NULL);
}

__attribute__((constructor)) static void
begin(void)
{
    struct sigaction sa = { .sa_sigaction = on_sample,
                            .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };
    stack_t stack = { .ss_sp = self_map(ALTERNATE), .ss_size = ALTERNATE };

    if (!getenv("SIG_OUT"))
        return;
    owner = gettid();
    self_start();
    walk = self_walk(WALK_FRAMES);
    sigaltstack(&stack, NULL);
    sigfillset(&sa.sa_mask);
    sigaction(SIGURG, &sa, NULL);
    first_tick = __builtin_ia32_rdtsc();
    first_ns = now_ns();
    start_clock();
}

__attribute__((destructor)) static void
end(void)
{
    const char *name = getenv("SIG_OUT");
    double ns_per_tick = (double)(now_ns() - first_ns) /
                         (double)(__builtin_ia32_rdtsc() - first_tick);
    FILE *out;

    signal(SIGURG, SIG_IGN);
    if (!name || owner != getpid() || samples == 0 || !(out = fopen(name, "a")))
        return;
    fprintf(out, "samples %llu root %llu depth %.1f reused %.1f ns %.0f %s\n",
            (unsigned long long)samples, (unsigned long long)roots,
            (double)frames / (double)samples, (double)reused / (double)samples,
            (double)ticks * ns_per_tick / (double)samples,
            program_invocation_short_name);
    if (getenv("SIG_TRUNCATED"))
        for (u32 i = 0; i < ENDS && ends[i].count; i++) {
            fprintf(out, "  %llu ", (unsigned long long)ends[i].count);
            self_print(out, ends[i].pc);
            fputc('\n', out);
        }
    fclose(out);
}
