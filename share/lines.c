/* SPDX-License-Identifier: Apache-2.0 */
#include "share/lines.h"

#include <errno.h>
#include <unistd.h>

int
lines_put(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t done = write(fd, text, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done ? -errno : -EIO;
        text += done;
        len -= (size_t)done;
    }
    return 0;
}
