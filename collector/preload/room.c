/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/room.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/sig/gate.h"
#include "collector/sig/sys.h"

enum {
    LITTLE = 65536, /* bytes; a failed grow() is an error only if less is left */
};

static u32 launcher; /* in the founder: our parent's pid when recording started */
static int attached; /* 1 = collect -P: the launcher is not our parent */

void
room_start(void)
{
    launcher = (u32)sys_call4(SYS_getppid, 0, 0, 0, 0);
}

void
room_start_attached(void)
{
    attached = 1;
}

int
room_has_launcher(void)
{
    if (space_wake_page != space_ctl || attached)
        return descend_launcher_is_there();
    return (u32)sys_call4(SYS_getppid, 0, 0, 0, 0) == launcher;
}

/* Write zeros into [from, to), for file systems without fallocate(). */
static long
write_zeros(int fd, u64 from, u64 to)
{
    static const char zeros[4096];

    for (; from < to; from += sizeof(zeros)) {
        long done = sys_call4(SYS_pwrite64, fd, (long)(uintptr_t)zeros, sizeof(zeros),
                              (long)from);

        if (done != (long)sizeof(zeros))
            return done < 0 ? done : -ENOSPC;
    }
    return 0;
}

/*
 * Extend a file to the next multiple of a segment, all of it or not at all. alone: 1 =
 * no launcher may extend the file at the same time. Only then may zeros be written to
 * reserve space, as these might overwrite records. 0 or -errno.
 */
static long
lengthen(int fd, struct ctl_file *file, int alone)
{
    u64 have = __atomic_load_n(&file->reserved, __ATOMIC_ACQUIRE);
    u64 to = ctl_next_segment(have);
    long error = sys_call4(SYS_fallocate, fd, 0, (long)have, (long)(to - have));

    if ((error == -EOPNOTSUPP || error == -ENOSYS) && alone)
        error = write_zeros(fd, have, to);
    if (error == 0)
        __atomic_compare_exchange_n(&file->reserved, &have, to, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
    return error;
}

/* Extend a file until `want` bytes are reserved. 0 or -errno. */
static long
grow_to(enum er_file number, u64 want, int alone)
{
    struct ctl_file *file = &space_ctl->file[number];
    int pending, fd;
    long error = 0;

    fd = expt_open_file(er_files[number].name);
    if (fd < 0)
        return fd;
    pending = guard_xfsz_pending();
    while (error == 0 && file->reserved < want)
        error = lengthen(fd, file, alone);
    guard_xfsz_drain(pending);
    close(fd);
    return error;
}

static long
grow(enum er_file number, int alone)
{
    struct ctl_file *file = &space_ctl->file[number];
    u64 next = __atomic_load_n(&file->next, __ATOMIC_ACQUIRE);
    u64 want = (next / ER_SEGMENT + 2) * ER_SEGMENT;
    long error;

    if (!file->reserved || file->reserved >= want)
        return 0; /* the file is not in use, or long enough */
    error = grow_to(number, want, alone);
    return next + LITTLE > file->reserved ? error : 0;
}

static int
is_full(long error)
{
    return error == -ENOSPC || error == -EDQUOT || error == -EFBIG;
}

static void
end(const char *file, int error)
{
    u32 *flags = &space_ctl->flags;

    if (!(__atomic_fetch_or(flags, CTL_NO_SPACE, __ATOMIC_ACQ_REL) & CTL_NO_SPACE))
        expt_event(EVENT_disk_full, file, expt_error_name(error), NULL, 0);
}

static void
serve(int alone)
{
    int saved = errno, state;
    u64 mask;

    if (gate_limited || !gate_is_owner() ||
        __atomic_load_n(&space_ctl->flags, __ATOMIC_ACQUIRE) & CTL_OVER)
        return;
    mask = guard_enter();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    guard_lock(&guard_room);
    if (alone)
        __atomic_fetch_and(&space_ctl->want, ~(u32)WANT_SPACE, __ATOMIC_ACQ_REL);
    for (int i = 0; i < FILE_COUNT; i++) {
        long error = grow((enum er_file)i, alone);

        if (error < 0 && (alone || is_full(error)))
            end(er_files[i].name, (int)-error);
    }
    guard_unlock(&guard_room);
    pthread_setcancelstate(state, NULL);
    guard_leave(mask);
    errno = saved;
}

void
room_serve(void)
{
    if (!room_has_launcher())
        serve(1);
}

void
room_help(void)
{
    serve(0);
}

/* Does the file belong to a descendant, and is it still smaller than a segment? */
static int
is_small(enum er_file number)
{
    u64 reserved =
        __atomic_load_n(&space_ctl->file[number].reserved, __ATOMIC_ACQUIRE);

    return reserved && reserved < ER_SEGMENT;
}

void
room_usual(enum er_file file)
{
    int saved = errno, state;
    u64 mask;

    if (gate_limited || !is_small(file))
        return;
    mask = guard_enter();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    guard_lock(&guard_room);
    /*
     * If this fails, no harm is done: the launcher is asked when a record needs the
     * space.
     */
    (void)grow_to(file, ER_SEGMENT, 0);
    guard_unlock(&guard_room);
    pthread_setcancelstate(state, NULL);
    guard_leave(mask);
    errno = saved;
}
