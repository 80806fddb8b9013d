/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collector/sig/hit.h"
#include "collector/sig/sys.h"
#include "collector/source/source.h"

static volatile int hits, strange;
static struct thread self;

static void
on_hit(int signo, siginfo_t *info, void *context)
{
    (void)signo;
    (void)context;
    if (sig_is_ours(&self, info))
        hits++;
    else
        strange++;
}

static void
start(u64 clock_ns)
{
    struct sigaction act;

    memset(&act, 0, sizeof(act));
    act.sa_sigaction = on_hit;
    act.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(hit_signal, &act, NULL);
    self.tid = (u32)sys_call4(SYS_gettid, 0, 0, 0, 0);
    self.timer = self.perf.fd = self.perf.number = -1;
    source_start(&(struct er_params){ .clock_ns = clock_ns });
}

static int
needs_perf(void)
{
    int error = perf_arm(&self);

    if (error == -EACCES || error == -EPERM || error == -ENOSYS)
        cr_skip("perf_event_open is refused here");
    return error;
}

static void
work(double seconds)
{
    volatile u64 sink = 0;
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

    while (clock() < end)
        for (int i = 0; i < 10000; i++)
            sink += (u64)i;
}

Test(perf, fires_without_its_descriptors)
{
    start(1000000);
    cr_assert_eq(needs_perf(), 0);
    cr_expect(self.perf.fd == -1 || self.perf.fd >= 1000);
    cr_assert_not_null(self.perf.page);
    close(self.perf.fd);
    work(0.2);
    cr_expect_gt(hits, 50);
    cr_expect_eq(strange, 0);
    perf_disarm(&self);
    cr_expect_eq(self.perf.number, -1);
    hits = 0;
    work(0.05);
    cr_expect_eq(hits, 0, "and no more afterwards");
}

Test(perf, leaves_a_number_that_is_the_targets)
{
    struct rlimit limit = { 4096, 4096 };
    int file;

    setrlimit(RLIMIT_NOFILE, &limit);
    start(1000000);
    cr_assert_eq(needs_perf(), 0);
    cr_assert_geq(self.perf.fd, 1000);
    file = open("/dev/null", O_RDWR);
    cr_assert_eq(dup2(file, self.perf.fd), self.perf.number);
    perf_disarm(&self);
    cr_expect_geq(fcntl(self.perf.number < 0 ? 1000 : self.perf.number, F_GETFD), 0,
                  "the target's file is open");
}

Test(perf, keeps_few_descriptors)
{
    struct rlimit limit = { 256, 256 };

    setrlimit(RLIMIT_NOFILE, &limit);
    start(1000000);
    cr_expect_eq(source_settings.descriptors, 0);
    cr_assert_eq(needs_perf(), 0);
    cr_expect_eq(self.perf.fd, -1);
    cr_expect_eq(self.perf.every, 0, "no descriptor, no variation");
    work(0.1);
    cr_expect_gt(hits, 20);
}

Test(timer, tells_of_ticks)
{
    struct timespec tick;

    start(10000000);
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    cr_expect_eq(hit_settings.tick_ns, (u64)tick.tv_nsec);
    cr_assert_eq(timer_arm(&self, 3000000), 0);
    work(0.3);
    cr_expect_gt(hits, 15);
    cr_expect_eq(strange, 0);
    timer_disarm(&self);
    hits = 0;
    work(0.05);
    cr_expect_eq(hits, 0);
}

Test(source, says_what_runs)
{
    start(997000);
    source_arm(&self);
    cr_expect(self.source & SOURCE_TIMER);
    cr_expect_eq(!!(self.source & SOURCE_PERF), self.perf.number >= 0);
    work(0.1);
    cr_expect_gt(hits, 10);
    source_disarm(&self);
    cr_expect_eq(self.timer, -1);
    hits = 0;
    work(0.05);
    cr_expect_eq(hits, 0);
    start(0);
    self.source = 0;
    source_arm(&self);
    cr_expect_eq(self.source, 0, "an interval of 0 is nothing at all");
}
