/* SPDX-License-Identifier: Apache-2.0 */
#include "share/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STREAM_FIRST = 1 << 16 };

int
readfile_plain(int fd, u64 most, char **text, size_t *size)
{
    struct stat st;
    size_t have = 0;
    ssize_t n = 1;
    char *data;

    if (fstat(fd, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    if ((u64)st.st_size > most)
        return -EFBIG;
    data = malloc((size_t)st.st_size + 1);
    if (!data)
        return -ENOMEM;
    while (have < (size_t)st.st_size && n != 0) {
        n = pread(fd, data + have, (size_t)st.st_size - have, (off_t)have);
        if (n < 0 && errno != EINTR) {
            int error = errno;

            free(data);
            return -error;
        }
        have += n > 0 ? (size_t)n : 0;
    }
    data[have] = '\0';
    *text = data;
    *size = have;
    return 0;
}

/*
 * Read more of the stream, keeping room for a 0 after it. Returns 1; 0: the stream has
 * ended; or -errno.
 */
static int
read_more(int fd, char **data, size_t *room, size_t *have)
{
    ssize_t n;

    if (*have + 1 >= *room) {
        char *grown = realloc(*data, *room ? 2 * *room : STREAM_FIRST);

        if (!grown)
            return -ENOMEM;
        *data = grown;
        *room = *room ? 2 * *room : STREAM_FIRST;
    }
    n = read(fd, *data + *have, *room - *have - 1);
    if (n < 0)
        return errno == EINTR ? 1 : -errno;
    *have += (size_t)n;
    return n > 0;
}

int
readfile_stream(int fd, u64 most, char **text, size_t *size)
{
    char *data = NULL;
    size_t room = 0, have = 0;
    int ret;

    do
        ret = read_more(fd, &data, &room, &have);
    while (ret > 0 && have <= most);
    if (ret >= 0 && have > most)
        ret = -EFBIG;
    if (ret < 0) {
        free(data);
        return ret;
    }
    data[have] = '\0';
    *text = data;
    *size = have;
    return 0;
}

size_t
readfile_head(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t have = 0;
    ssize_t n = fd < 0 ? 0 : 1;

    while (n > 0 && have < size - 1) {
        n = read(fd, text + have, size - 1 - have);
        have += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    text[have] = '\0';
    return have;
}
