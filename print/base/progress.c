/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/progress.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    TEXT_MAX = 200,
    PERIOD_NS = 100000000, /* between two changes of the line */
};

static struct {
    int fd;
    bool running, paused, shown;
    u64 delay, start; /* ns, as all times here; `start`: of the command */
    u64 next; /* when the line is due; 0 = never; atomic */
    u64 done; /* steps; atomic */
    u64 total; /* 0 = not known */
    char text[TEXT_MAX];
    pthread_mutex_t lock;
} progress = { .fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER };

static u64
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static bool
is_on(void)
{
    return progress.fd >= 0 && progress.running && !progress.paused;
}

void
progress_open(int fd, u64 delay_ns)
{
    progress.fd = fd;
    progress.delay = delay_ns;
}

void
progress_turn(bool begins)
{
    if (progress.fd < 0)
        return;
    progress.running = begins;
    progress.start = now();
    __atomic_store_n(&progress.next, 0, __ATOMIC_RELEASE);
    if (!begins)
        progress_erase();
}

/* Replace bytes that could move the cursor by "?". */
static void
make_harmless(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f ||
            ((unsigned char)text[0] == 0xc2 && (unsigned char)text[1] < 0xa0))
            *text = '?';
}

void
progress_begin(const char *what, const char *of, u64 total)
{
    u64 due = progress.start + progress.delay;

    if (!is_on())
        return;
    snprintf(progress.text, sizeof(progress.text), "%s %s", what, of);
    make_harmless(progress.text);
    progress.total = total;
    __atomic_store_n(&progress.done, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&progress.next, due ? due : 1, __ATOMIC_RELEASE);
    progress_add(0);
}

static u32
columns(void)
{
    struct winsize w;

    return ioctl(progress.fd, TIOCGWINSZ, &w) || w.ws_col < 8 ? 80 : w.ws_col;
}

/*
 * How many bytes of a text to show: at most `room`, without a character that would be
 * cut in two.
 */
static size_t
cut(const char *text, size_t room)
{
    size_t n = strlen(text);

    if (n <= room)
        return n;
    while (room && ((unsigned char)text[room] & 0xc0) == 0x80)
        room--;
    return room;
}

static void
show(void)
{
    u64 done = __atomic_load_n(&progress.done, __ATOMIC_RELAXED);
    char line[TEXT_MAX + 32], share[16] = "";
    size_t room = columns() - 1;
    int n;

    if (progress.total)
        snprintf(share, sizeof(share), " %u %%",
                 (u32)(done < progress.total ? 100 * (double)done /
                                                   (double)progress.total
                                             : 100));
    room -= room > strlen(share) ? strlen(share) : room;
    n = snprintf(line, sizeof(line), "\r%.*s%s\033[K", (int)cut(progress.text, room),
                 progress.text, share);
    progress.shown = write(progress.fd, line, (size_t)n) > 0;
}

void
progress_add(u64 steps)
{
    u64 next = __atomic_load_n(&progress.next, __ATOMIC_ACQUIRE), time;

    if (!next)
        return;
    __atomic_fetch_add(&progress.done, steps, __ATOMIC_RELAXED);
    time = now();
    if (time < next || pthread_mutex_trylock(&progress.lock))
        return;
    if (is_on())
        show();
    __atomic_store_n(&progress.next, time + PERIOD_NS, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&progress.lock);
}

void
progress_erase(void)
{
    static const char erase[] = "\r\033[K";

    if (progress.shown && write(progress.fd, erase, sizeof(erase) - 1) > 0)
        progress.shown = false;
}

void
progress_pause(bool pause)
{
    progress.paused = pause;
    if (pause)
        __atomic_store_n(&progress.next, 0, __ATOMIC_RELEASE);
}
