/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/session/delays.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/inspect/account.h"
#include "collector/session/session.h"

enum {
    KEPT_MAX = 256,   /* descriptors that stay open for a process's threads */
    LOOKS_MAX = 100,  /* give up a row that is still empty after so many looks */
    PERIOD = 100000000, /* ns, at least */
    PERIOD_OF_ONE = 2500000, /* ns per thread: limits the cost to 1/1000 of a CPU */
};

u64
delays_period(u32 threads)
{
    u64 period = (u64)threads * PERIOD_OF_ONE;

    return period > PERIOD ? period : PERIOD;
}

/* Add the threads whose rows were given out since the last look. */
static void
find_new(struct delays *d, const struct recording *s)
{
    const struct ctl_file *file = &s->experiment.ctl->file[FILE_threads];
    u64 next = __atomic_load_n(&file->next, __ATOMIC_ACQUIRE) / ER_THREAD_BYTES;
    struct stat st;

    /* Use the file's size as a bound: a stray store may have changed the page. */
    if (next > d->rows && fstat(s->experiment.file[FILE_threads], &st) == 0 &&
        next > (u64)st.st_size / ER_THREAD_BYTES)
        next = (u64)st.st_size / ER_THREAD_BYTES;
    if (!d->rows)
        d->rows = 1; /* row 0 belongs to no thread */
    for (; d->rows < next; d->rows++) {
        if (d->count == d->room) {
            u32 room = d->room ? 2 * d->room : 16;
            void *grown = realloc(d->thread, room * sizeof(*d->thread));

            if (!grown)
                return;
            d->thread = grown;
            d->room = room;
        }
        d->thread[d->count++] = (struct delayed){ .row = d->rows, .fd = -1 };
    }
}

/*
 * Read the thread id from a thread's row. 1; 0 = the row is not written yet; -1 = no
 * running thread has this row, or it was not written for too long.
 */
static int
identify(struct delayed *t, const struct recording *s)
{
    struct rec_thread row;
    off_t at = (off_t)t->row * ER_THREAD_BYTES;

    if (t->tid)
        return 1;
    if (pread(s->experiment.file[FILE_threads], &row, sizeof(row), at) !=
            (ssize_t)sizeof(row) || !row.id)
        return ++t->looks < LOOKS_MAX ? 0 : -1;
    if (!row.tid || row.death)
        return -1;
    t->tid = row.tid;
    t->last = row.delay_birth;
    return 1;
}

static int
open_stat(struct delays *d, struct delayed *t, pid_t pid)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/task/%u/schedstat", (int)pid, t->tid);
    t->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (t->fd >= 0)
        d->kept++;
    return t->fd;
}

static void
close_stat(struct delays *d, struct delayed *t)
{
    if (t->fd < 0)
        return;
    close(t->fd);
    t->fd = -1;
    d->kept--;
}

/* Read one thread's delay. 0, or -1 if the thread has ended. */
static int
read_delay(struct delays *d, struct delayed *t, const struct recording *s)
{
    char text[80];
    unsigned long long delay = 0;
    off_t at = (off_t)t->row * ER_THREAD_BYTES +
               (off_t)offsetof(struct rec_thread, delay_last);
    ssize_t len;

    if (t->fd < 0 && open_stat(d, t, s->pid) < 0)
        return -1;
    len = pread(t->fd, text, sizeof(text) - 1, 0);
    text[len > 0 ? len : 0] = '\0';
    if (d->kept > KEPT_MAX)
        close_stat(d, t);
    if (len <= 0)
        return -1;
    if (sscanf(text, "%*u %llu", &delay) == 1 && delay > t->last &&
        pwrite(s->experiment.file[FILE_threads], &delay, sizeof(delay), at) > 0)
        t->last = delay;
    return 0;
}

/*
 * Add to the time for which the process was stopped. at_once: the state has just
 * changed, so it was the old one all the time since the last look. Otherwise, if the
 * state has changed, half of that time is counted as stopped.
 */
static void
add_stopped(struct delays *d, struct recording *s, u64 now, int at_once)
{
    struct ctl *ctl = s->experiment.ctl;
    char text[512], state = 0;
    const char *p;
    int stopped;

    account_read_text(s->pid, "stat", text, sizeof(text));
    p = strrchr(text, ')');
    stopped = p && sscanf(p + 1, " %c", &state) == 1 && (state == 'T' || state == 't');
    if (d->since)
        ctl->stopped += (now - d->since) / 2 *
                        (u64)(d->stopped + (at_once ? d->stopped : stopped));
    d->stopped = stopped;
    d->since = now;
}

void
delays_changed(struct delays *d, struct recording *s)
{
    if (d->since)
        add_stopped(d, s, moment_mono(), 1);
}

void
delays_read(struct delays *d, struct recording *s)
{
    u32 flags = __atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE);
    u32 left = 0;

    if (s->became || !(flags & CTL_ATTACHED))
        return;
    find_new(d, s);
    for (u32 i = 0; i < d->count; i++) {
        struct delayed *t = &d->thread[i];
        int known = identify(t, s);

        if (known > 0)
            known = read_delay(d, t, s);
        if (known < 0)
            close_stat(d, t);
        else
            d->thread[left++] = *t;
    }
    d->count = left;
    add_stopped(d, s, moment_mono(), 0);
    __atomic_store_n(&s->experiment.ctl->looked, d->since, __ATOMIC_RELAXED);
}

void
delays_close(struct delays *d)
{
    for (u32 i = 0; i < d->count; i++)
        close_stat(d, &d->thread[i]);
    free(d->thread);
    memset(d, 0, sizeof(*d));
}
