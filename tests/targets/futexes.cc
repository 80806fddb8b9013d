// SPDX-License-Identifier: Apache-2.0
// Threads that wait by futex(): std::atomic, std::counting_semaphore, std::latch, and a
// lock by the kernel's PI rules. Prints what was waited for, and for how long: ns.
// build: -O1 -g -std=c++20
// link: -lpthread
#include <atomic>
#include <chrono>
#include <cstdio>
#include <latch>
#include <linux/futex.h>
#include <semaphore>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

std::atomic<int> turn{0};
std::counting_semaphore<4> room{0};
std::latch gate{1};
unsigned owned;

long long
now()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

template <typename F>
void
timed(const char *name, F wait)
{
    long long since = now();

    wait();
    printf("%s %lld\n", name, now() - since);
}

void
lock_owned()
{
    unsigned none = 0, self = (unsigned)gettid();

    if (!__atomic_compare_exchange_n(&owned, &none, self, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        syscall(SYS_futex, &owned, FUTEX_LOCK_PI_PRIVATE, 0, nullptr, nullptr, 0);
}

void
unlock_owned()
{
    unsigned self = (unsigned)gettid();

    if (!__atomic_compare_exchange_n(&owned, &self, 0u, false, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED))
        syscall(SYS_futex, &owned, FUTEX_UNLOCK_PI_PRIVATE, 0, nullptr, nullptr, 0);
}

void
waiter()
{
    timed("turn", [] { turn.wait(0); });
    timed("room", [] { room.acquire(); });
    timed("gate", [] { gate.wait(); });
    timed("owned", lock_owned);
    unlock_owned();
}

void
rest()
{
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
}

} // namespace

extern "C" __attribute__((noinline)) void
wake_all()
{
    rest();
    turn = 1;
    turn.notify_all();
    rest();
    room.release();
    rest();
    gate.count_down();
    rest();
    unlock_owned();
}

int
main()
{
    lock_owned();
    std::thread thread(waiter);
    wake_all();
    thread.join();
    return 0;
}
