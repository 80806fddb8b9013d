/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to be preloaded: while the file SET stands in the working directory, the
 * clock of the day is what its first line says, in seconds, from the true one. Nobody
 * else's clock is touched.
 */
/* build: out=libclockset.so -O1 -fPIC -shared */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long
set_by(void)
{
    char text[32] = "";
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "SET", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    if (syscall(SYS_read, fd, text, sizeof(text) - 1) < 0)
        text[0] = 0;
    syscall(SYS_close, fd);
    return atol(text);
}

int
clock_gettime(clockid_t clock, struct timespec *ts)
{
    int result = (int)syscall(SYS_clock_gettime, clock, ts);

    if (result == 0 && clock == CLOCK_REALTIME)
        ts->tv_sec += set_by();
    return result;
}
