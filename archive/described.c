/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/described.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/describe.h"

static const char *
reason(int err)
{
    switch (err) {
    case -ENOEXEC:
        return "it is no executable or shared object";
    case -ENODATA:
        return "it has no code";
    case -EXDEV:
        return "its code has no addresses before it is linked";
    case -EFAULT:
        return "it was cut short while it was read";
    }
    return strerror(-err);
}

/* Writes the description to `fd`, a memfd, and opens it by its path in /proc. */
static int
describe_into(struct objfile **out, struct image *img, int fd, char *error)
{
    struct description d;
    char path[40];
    int ret = img->type == ET_REL ? -EXDEV : describe(&d, img);

    if (ret < 0)
        return ret;
    ret = describe_save(&d, fd);
    describe_free(&d);
    if (ret < 0)
        return ret;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return objfile_open_path(out, AT_FDCWD, path, error);
}

int
described_open(struct objfile **out, const char *path, char *error)
{
    struct image img;
    int fd, ret = image_open(&img, AT_FDCWD, path);

    *error = '\0';
    if (ret == 0) {
        fd = memfd_create("ertools", MFD_CLOEXEC);
        ret = fd < 0 ? -errno : describe_into(out, &img, fd, error);
        if (fd >= 0)
            close(fd);
        image_close(&img);
    }
    if (ret < 0 && !*error)
        snprintf(error, OBJFILE_ERROR_MAX, "%s: %s", path, reason(ret));
    return ret;
}
