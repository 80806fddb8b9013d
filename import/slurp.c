/* SPDX-License-Identifier: Apache-2.0 */
#include "import/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/readfile.h"

/* Reads a file without a known size, such as a pipe. */
static int
read_stream(int fd, struct slurp *out)
{
    char *text;
    size_t size;
    int ret = readfile_stream(fd, SIZE_MAX - 1, &text, &size);

    if (ret < 0)
        return ret;
    out->heap = text;
    out->bytes = (struct bytes){ (const unsigned char *)text, size };
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
        ret = read_stream(fd, out);
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

void
slurp_forget(struct bytes mapped)
{
    if (mapped.size)
        madvise((void *)(uintptr_t)mapped.at, mapped.size, MADV_DONTNEED);
}
