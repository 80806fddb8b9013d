// SPDX-License-Identifier: Apache-2.0
// build: -O2 -std=c++17
// link: -lpthread
//
// usage: waits [FILE]: a server and its clients, in C++: they wait for a std::mutex, a
// condition variable, sockets by epoll, a future and a timed wait; one reads a mapped
// FILE that it first asks the kernel to forget. Each thread has a name, and prints what
// it waited by its own clocks, in seconds, less CPU time and run delay: "THREAD STATE
// SECONDS", and "THREAD lived SECONDS", "THREAD cpu SECONDS", "THREAD delay SECONDS".
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <future>
#include <map>
#include <mutex>
#include <pthread.h>
#include <string>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <ctime>
#include <unistd.h>

static double
clock_of(clockid_t id)
{
    timespec ts;

    clock_gettime(id, &ts);
    return double(ts.tv_sec) + double(ts.tv_nsec) * 1e-9;
}

static double
delay()
{
    unsigned long long ns = 0;
    FILE *f = fopen("/proc/thread-self/schedstat", "r");

    if (!f || fscanf(f, "%*u %llu", &ns) != 1)
        ns = 0;
    if (f)
        fclose(f);
    return double(ns) * 1e-9;
}

// What a thread did, told at its end.
class Account {
    struct Moment {
        double wall = clock_of(CLOCK_MONOTONIC);
        double cpu = clock_of(CLOCK_THREAD_CPUTIME_ID), late = delay();
    };
    std::string name;
    Moment born;
    std::map<std::string, double> states;

public:
    explicit Account(const char *who) : name(who)
    {
        pthread_setname_np(pthread_self(), who);
    }

    template <typename F> void
    wait(const char *state, F f)
    {
        Moment a;

        f();
        Moment b;
        states[state] += b.wall - a.wall - (b.cpu - a.cpu) - (b.late - a.late);
    }

    ~Account()
    {
        Moment now;

        states["lived"] = now.wall - born.wall;
        states["cpu"] = now.cpu - born.cpu;
        states["delay"] = now.late - born.late;
        for (auto &s : states)
            printf("%s %s %.6f\n", name.c_str(), s.first.c_str(), s.second);
    }
};

static void
compute(double seconds)
{
    volatile unsigned x = 1;

    for (double end = clock_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
         clock_of(CLOCK_THREAD_CPUTIME_ID) < end;)
        for (int i = 0; i < 20000; i++)
            x = x * 1664525u + 1013904223u;
}

static void
pause_for(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

static std::mutex door, guard;
static std::condition_variable changed;
static int stage;

static void
reach(int n)
{
    std::lock_guard<std::mutex> hold(guard);

    stage = n;
    changed.notify_all();
}

static void
await(int n)
{
    std::unique_lock<std::mutex> hold(guard);

    changed.wait(hold, [n] { return stage >= n; });
}

// Answers what comes, each after a time of computing; ends at the end of the socket.
static void
serve(int fd)
{
    Account account("server");
    int poll = epoll_create1(0);
    epoll_event event = {}, got = {};
    char c;

    event.events = EPOLLIN;
    epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
    for (;;) {
        account.wait("event", [&] { epoll_wait(poll, &got, 1, -1); });
        if (read(fd, &c, 1) != 1)
            break;
        compute(0.03);
        if (write(fd, &c, 1) != 1)
            break;
    }
    close(poll);
}

static void
ask(int fd)
{
    Account account("client");
    char c = 'x';

    for (int i = 0; i < 6; i++) {
        account.wait("sleep", [] { pause_for(40); });
        if (write(fd, &c, 1) != 1)
            abort();
        account.wait("io", [&] {
            if (recv(fd, &c, 1, 0) != 1)
                abort();
        });
    }
    shutdown(fd, SHUT_RDWR);
}

static void
queue()
{
    Account account("queue");

    account.wait("event", [] { await(1); });
    account.wait("lock", [] { std::lock_guard<std::mutex> hold(door); });
    compute(0.1);
    std::unique_lock<std::mutex> hold(guard);
    account.wait("event", [&] {
        changed.wait_for(hold, std::chrono::milliseconds(150),
                         [] { return stage >= 9; });
    });
}

static volatile char seen;

// Pages that come from the disk, if the kernel has forgotten them.
static void
read_mapped(const char *path)
{
    int fd = open(path, O_RDONLY);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
        return;
    char *p = static_cast<char *>(
        mmap(nullptr, size_t(st.st_size), PROT_READ, MAP_PRIVATE, fd, 0));
    if (p == MAP_FAILED)
        return;
    madvise(p, size_t(st.st_size), MADV_RANDOM);
    for (off_t i = 0; i < st.st_size; i += 4096)
        seen = p[i];
    munmap(p, size_t(st.st_size));
    close(fd);
}

int
main(int argc, char **argv)
{
    int fd[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
        return 1;
    {
        Account account("main");
        std::thread server(serve, fd[0]), client(ask, fd[1]), waiter(queue);

        std::future<int> answer = std::async(std::launch::async, [] {
            pthread_setname_np(pthread_self(), "async");
            pause_for(200);
            return 1;
        });
        account.wait("event", [&] { answer.wait(); });
        {
            std::lock_guard<std::mutex> hold(door);

            reach(1);
            account.wait("sleep", [] { pause_for(250); });
        }
        if (argc > 1)
            account.wait("fault", [&] { read_mapped(argv[1]); });
        account.wait("event", [&] {
            waiter.join();
            client.join();
            server.join();
        });
    }
    return 0;
}
