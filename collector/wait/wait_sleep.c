/* SPDX-License-Identifier: Apache-2.0 */
/* Time, signals and children. */
#include "collector/hook/real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

WRAPPER int
nanosleep(const struct timespec *time, struct timespec *left)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(nanosleep)(time, left));
}

WRAPPER int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                struct timespec *left)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(clock_nanosleep)(clock, flags, time, left));
}

WRAPPER int
usleep(useconds_t us)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(usleep)(us));
}

WRAPPER unsigned
sleep(unsigned seconds)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(sleep)(seconds));
}

WRAPPER int
thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(thrd_sleep)(time, left));
}

WRAPPER int
pause(void)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(pause)());
}

WRAPPER int
sigsuspend(const sigset_t *mask)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(sigsuspend)(mask));
}

WRAPPER int
sigwait(const sigset_t *restrict set, int *restrict signo)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(sigwait)(set, signo));
}

WRAPPER int
sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(sigwaitinfo)(set, info));
}

WRAPPER int
sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
             const struct timespec *restrict timeout)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(sigtimedwait)(set, info, timeout));
}

WRAPPER pid_t
wait(int *status)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(wait)(status));
}

WRAPPER pid_t
waitpid(pid_t pid, int *status, int options)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(waitpid)(pid, status, options));
}

WRAPPER int
waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(waitid)(type, id, info, options));
}

WRAPPER pid_t
wait3(int *status, int options, struct rusage *use)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(wait3)(status, options, use));
}

WRAPPER pid_t
wait4(pid_t pid, int *status, int options, struct rusage *use)
{
    return WAIT_IN(MSTATE_SLEEP, WAIT_REAL(wait4)(pid, status, options, use));
}
