/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of calls that change the file tree, or read directories. */
#include <errno.h>

#include "collector/io/io_record.h"
#include "collector/libc/real.h"

/*
 * The descriptor of a directory. For NULL, which closedir() accepts and answers with an
 * error, dirfd() may not be called.
 */
static int
fd_of(DIR *dir)
{
    return dir ? dirfd(dir) : -1;
}

WRAPPER int
closedir(DIR *dir)
{
    u64 since = IO_BEGIN();
    u32 file = io_closing(since, fd_of(dir));
    int result = IO_REAL(closedir)(dir);

    IO_RECORD(io_closed, since, closedir, file, result);
    return result;
}

/*
 * readdir() returns NULL at the end of a directory, and on errors: only errno shows
 * which.
 */
WRAPPER struct dirent *
readdir(DIR *dir)
{
    u64 since = IO_BEGIN();
    int saved = errno;
    struct dirent *entry;

    errno = 0;
    entry = IO_REAL(readdir)(dir);
    IO_RECORD(io_done_error, since, readdir, fd_of(dir), entry ? 0 : errno);
    if (!errno || entry)
        errno = saved;
    return entry;
}

WRAPPER struct dirent64 *
readdir64(DIR *dir)
{
    u64 since = IO_BEGIN();
    int saved = errno;
    struct dirent64 *entry;

    errno = 0;
    entry = IO_REAL(readdir64)(dir);
    IO_RECORD(io_done_error, since, readdir, fd_of(dir), entry ? 0 : errno);
    if (!errno || entry)
        errno = saved;
    return entry;
}
