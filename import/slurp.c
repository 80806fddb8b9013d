/* SPDX-License-Identifier: Apache-2.0 */
#include "import/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int
read_all(int fd, struct slurp *out)
{
    size_t room = 1 << 16, size = 0;
    char *data = malloc(room);
    ssize_t n = -1;

    while (data) {
        char *more = data;

        n = read(fd, data + size, room - size);
        if (n <= 0)
            break;
        size += (size_t)n;
        if (size < room)
            continue;
        more = realloc(data, room *= 2);
        if (!more)
            free(data);
        data = more;
    }
    if (!data)
        return -ENOMEM;
    if (n < 0) {
        free(data);
        return -errno;
    }
    out->heap = data;
    out->bytes = (struct bytes){ (const unsigned char *)data, size };
    return 0;
}

int
slurp_open(struct slurp *out, const char *path)
{
    bool standard = !strcmp(path, "-");
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), ret = 0;
    struct stat st;

    *out = (struct slurp){ .map = NULL };
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0)
        ret = -errno;
    else if (S_ISDIR(st.st_mode))
        ret = -EISDIR;
    else if (S_ISREG(st.st_mode) && st.st_size > 0) {
        out->map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        out->bytes = (struct bytes){ out->map, (size_t)st.st_size };
        if (out->map == MAP_FAILED) {
            ret = -errno;
            out->map = NULL;
        }
    } else {
        ret = read_all(fd, out);
    }
    if (!standard)
        close(fd);
    return ret;
}

void
slurp_close(struct slurp *s)
{
    if (s->map)
        munmap(s->map, s->bytes.size);
    free(s->heap);
    *s = (struct slurp){ .map = NULL };
}
