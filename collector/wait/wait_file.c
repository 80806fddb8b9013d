/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of files that need more than a row of libc.def can say. */
#include "collector/hook/real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

static int
takes_mode(int flags)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

WRAPPER int
open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(open)(path, flags, mode));
}

WRAPPER int
open64(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(open64)(path, flags, mode));
}

WRAPPER int
openat(int dir, const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(openat)(dir, path, flags, mode));
}

WRAPPER int
openat64(int dir, const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(openat64)(dir, path, flags, mode));
}

WRAPPER void
sync(void)
{
    (void)WAIT_IN(MSTATE_IO, __extension__({
                      WAIT_REAL(sync)();
                      0;
                  }));
}
