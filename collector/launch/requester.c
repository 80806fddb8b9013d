/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/requester.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "share/ctl.h"
#include "share/experiment.h"

/*
 * Descriptor of the founder's control page, which holds the lock. To close any other
 * descriptor of that file would release the lock.
 */
static int page = -1;

void
requester_start(int dir)
{
    struct flock lock = ctl_lock(ER_LOCK_LAUNCHER);

    page = openat(dir, EXPERIMENT_CONTROL, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (page >= 0)
        (void)fcntl(page, F_SETLK, &lock);
}

void
requester_continue(void)
{
    struct flock lock = ctl_lock(ER_LOCK_LAUNCHER);

    while (page >= 0 && fcntl(page, F_SETLKW, &lock) < 0 && errno == EINTR)
        ;
}

/*
 * The pid of the process that has locked this offset, in our PID namespace; 0 if there
 * is none.
 */
static pid_t
owner_of(u64 place)
{
    struct flock lock = ctl_lock(place);

    if (page < 0 || fcntl(page, F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK)
        return 0;
    return lock.l_pid > 0 ? lock.l_pid : 0;
}

pid_t
requester_pid(u32 number)
{
    if (number & ER_REQUESTER_BY_LOCK)
        return owner_of(ER_LOCK_REQUESTERS +
                        (u64)(number & ~(u32)ER_REQUESTER_BY_LOCK));
    return (pid_t)number;
}

int
requester_has_gone(u32 number)
{
    pid_t pid = requester_pid(number);

    return pid == 0 || (kill(pid, 0) < 0 && errno == ESRCH);
}

void
requester_stop(void)
{
    if (page >= 0)
        close(page);
    page = -1;
}
