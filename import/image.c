/* SPDX-License-Identifier: Apache-2.0 */
#include "import/image.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "archive/elf/image.h"

enum { PAGE = 4096 };

/* Can the file be the one that was mapped, as far as that is known? */
static bool
is_same(const struct import_image *image, const struct image *img)
{
    const struct stat *st = &img->st;

    if (*image->buildid)
        return !strcmp(image->buildid, img->buildid);
    if (image->copy)
        return true;
    return (!image->inode || image->inode == st->st_ino) &&
           (!image->fsize || image->fsize == (u64)st->st_size) &&
           (!image->mtime || image->mtime == (u64)st->st_mtim.tv_sec) &&
           (image->inode || image->fsize || image->mtime);
}

/* The bias: an address minus this is the link-time address in the file. */
static u64
bias_of(const struct import_image *image, const struct image *img)
{
    struct image_segment s;

    for (u32 i = 0; image_segment(img, i, &s); i++)
        if (s.type == PT_LOAD && (s.flags & PF_X) &&
            image->offset >= s.offset - s.offset % PAGE &&
            image->offset < s.offset + s.filesz)
            return image->start - image->offset + s.offset - s.vaddr;
    return image->start - image->offset;
}

u32
import_image(struct import *im, u32 process, const struct import_image *image)
{
    struct import_object object = {
        .kind = "anon", .name = image->name, .buildid = image->buildid,
        .bias = image->start - image->offset, .lo = image->start, .hi = image->end,
        .time = image->time, .main = image->main,
    };
    const char *path = image->copy ? image->copy : image->name;
    struct image img;

    object.copy = image->copy;
    if (!strcmp(image->name, "[vdso]"))
        object.kind = "vdso";
    else if (image->name[0] == '/' && image->name[1] != '/')
        object.kind = "file";
    if (strcmp(object.kind, "file") || image_open(&img, AT_FDCWD, path) < 0)
        return import_object(im, process, &object);
    if (is_same(image, &img)) {
        object.bias = bias_of(image, &img);
        object.inode = img.st.st_ino;
        object.fsize = (u64)img.st.st_size;
        object.mtime = (u64)img.st.st_mtim.tv_sec * 1000000000u +
                       (u64)img.st.st_mtim.tv_nsec;
        object.buildid = import_text(im, img.buildid, sizeof(img.buildid));
        snprintf(object.dev, sizeof(object.dev), "%x:%x", major(img.st.st_dev),
                 minor(img.st.st_dev));
    }
    image_close(&img);
    return import_object(im, process, &object);
}
