/* SPDX-License-Identifier: Apache-2.0 */
#include "share/writeall.h"

#include <errno.h>
#include <unistd.h>

int
writeall(int fd, const void *data, size_t size)
{
    const char *at = data;

    while (size) {
        ssize_t done = write(fd, at, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done ? -errno : -EIO;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}
