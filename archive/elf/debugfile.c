/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/debugfile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/elf/inflate.h"

#define DEBUG_PATH "/usr/lib/debug"

/*
 * Gets the next directory of the colon-separated list at *list, and moves *list past
 * it. False at the end, or if the path of the directory is too long.
 */
static bool
next_directory(const char **list, char dir[PATH_MAX])
{
    size_t n;

    while (**list == ':')
        (*list)++;
    n = strcspn(*list, ":");
    if (n == 0 || n >= PATH_MAX)
        return false;
    memcpy(dir, *list, n);
    dir[n] = '\0';
    *list += n;
    return true;
}

static const char *
directories(void)
{
    const char *list = secure_getenv("ERTOOLS_DEBUG_PATH");

    return list ? list : DEBUG_PATH;
}

/*
 * Makes the path that the debug file for a build-id has below a debug directory. False:
 * the build-id is too short, or the path too long.
 */
static bool
buildid_path(char path[PATH_MAX], const char *dir, const char *buildid)
{
    if (strlen(buildid) < 4)
        return false;
    return snprintf(path, PATH_MAX, "%s/.build-id/%.2s/%s.debug", dir, buildid,
                    buildid + 2) < PATH_MAX;
}

bool
debugfile_present(const char *buildid)
{
    const char *list = directories();
    char dir[PATH_MAX], path[PATH_MAX];

    while (next_directory(&list, dir))
        if (buildid_path(path, dir, buildid) && access(path, R_OK) == 0)
            return true;
    return false;
}

bool
debugfile_has_server(void)
{
    const char *urls = getenv("DEBUGINFOD_URLS");

    return urls && urls[0];
}

static int
open_by_buildid(struct image *out, const char *buildid)
{
    const char *list = directories();
    char dir[PATH_MAX], path[PATH_MAX];

    while (next_directory(&list, dir)) {
        if (!buildid_path(path, dir, buildid) || image_open(out, AT_FDCWD, path) < 0)
            continue;
        if (strcmp(out->buildid, buildid) == 0)
            return 0;
        image_close(out);
    }
    return -ENOENT;
}

/* The CRC-32 that .gnu_debuglink uses (polynomial 0xedb88320), four bits at a time. */
static u32
checksum(struct bytes b)
{
    static const u32 table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    u32 crc = 0xffffffff;

    for (size_t i = 0; i < b.size; i++) {
        crc ^= b.at[i];
        crc = table[crc & 15] ^ crc >> 4;
        crc = table[crc & 15] ^ crc >> 4;
    }
    return ~crc;
}

/*
 * Opens a file that the debug link may mean. -ENOENT: there is none; or it is `img`
 * itself; or it has another build-id and checksum; or its owner is not trusted
 * (image_belongs()).
 */
static int
open_linked(struct image *out, const char *path, const struct image *img, u32 crc,
            struct objwrite *w)
{
    if (image_open(out, AT_FDCWD, path) < 0)
        return -ENOENT;
    if ((out->st.st_dev != img->st.st_dev || out->st.st_ino != img->st.st_ino) &&
        image_belongs(out, img->path)) {
        if (img->buildid[0] && strcmp(img->buildid, out->buildid) == 0)
            return 0;
        if (checksum(out->file) == crc)
            return 0;
        objwrite_add_note(w, "%s: offset 0: checksum differs from that of the debug "
                             "link in %s", path, img->path);
    }
    image_close(out);
    return -ENOENT;
}

/*
 * Tries the places where the file of a debug link may be, in the order that gdb uses.
 */
static int
open_by_link(struct image *out, const struct image *img, const char *name, u32 crc,
             struct objwrite *w)
{
    char real[PATH_MAX], path[2 * PATH_MAX], dir[PATH_MAX];
    const char *list = directories();
    char *slash;

    if (!realpath(img->path, real))
        return -ENOENT;
    slash = strrchr(real, '/');
    if (!slash)
        return -ENOENT;
    *slash = '\0';
    snprintf(path, sizeof(path), "%s/%s", real, name);
    if (open_linked(out, path, img, crc, w) == 0)
        return 0;
    snprintf(path, sizeof(path), "%s/.debug/%s", real, name);
    if (open_linked(out, path, img, crc, w) == 0)
        return 0;
    while (next_directory(&list, dir)) {
        snprintf(path, sizeof(path), "%s%s/%s", dir, real, name);
        if (open_linked(out, path, img, crc, w) == 0)
            return 0;
    }
    return -ENOENT;
}

/*
 * Opens the debug file with this build-id from debuginfod, whose client library keeps
 * it in a cache of its own.
 */
static int
open_fetched(struct image *out, const char *buildid)
{
    void *library, *client, *(*begin)(void);
    int (*find)(void *, const unsigned char *, int, char **), fd = -1;
    void (*end)(void *);
    char *path = NULL;

    if (!debugfile_has_server() || !buildid[0])
        return -ENOENT;
    library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return -ENOENT;
    begin = dlsym(library, "debuginfod_begin");
    find = dlsym(library, "debuginfod_find_debuginfo");
    end = dlsym(library, "debuginfod_end");
    client = begin && find && end ? begin() : NULL;
    if (client) {
        /* Length 0 means that the id is a string of hex digits. */
        fd = find(client, (const unsigned char *)buildid, 0, &path);
        end(client);
    }
    if (fd >= 0)
        close(fd);
    fd = fd >= 0 && path ? image_open(out, AT_FDCWD, path) : -ENOENT;
    free(path);
    return fd;
}

int
debugfile_find(struct image *out, enum objfile_source_kind *kind,
               struct image *img, struct objwrite *w)
{
    struct bytes link;
    struct cursor c;
    const char *name;
    u32 crc;

    *kind = OBJFILE_SOURCE_DEBUG;
    if (img->buildid[0] && open_by_buildid(out, img->buildid) == 0)
        return 0;
    image_named(img, ".gnu_debuglink", &link);
    if (link.size > 0) {
        c = image_cursor(img, link, 0);
        name = cursor_string(&c);
        cursor_skip(&c, (4 - (size_t)(c.at - link.at) % 4) % 4);
        crc = cursor_u32(&c);
        if (c.bad || !name[0] || strchr(name, '/'))
            objwrite_add_note(w, "%s: .gnu_debuglink is malformed", img->path);
        else if (open_by_link(out, img, name, crc, w) == 0)
            return 0;
    }
    *kind = OBJFILE_SOURCE_DEBUGINFOD;
    return open_fetched(out, img->buildid);
}

int
debugfile_mini(struct image *out, struct image *img, struct objwrite *w)
{
    struct bytes packed, memory;
    int status;

    image_named(img, ".gnu_debugdata", &packed);
    if (packed.size == 0)
        return -ENOENT;
    status = inflate_xz(&memory, packed);
    if (status == 0)
        status = image_open_memory(out, img->path, memory, true);
    if (status == -ENOTSUP)
        objwrite_add_note(w, "%s: .gnu_debugdata cannot be read without liblzma.so.5",
                          img->path);
    else if (status < 0)
        objwrite_add_note(w, "%s: .gnu_debugdata is malformed", img->path);
    return status;
}

/*
 * Opens the alternate file by the name in the link, which may be relative to the
 * directory of the debug file.
 */
static int
open_alt_named(struct image *out, const struct image *debug, const char *name)
{
    char real[PATH_MAX], path[2 * PATH_MAX];
    char *slash;

    if (name[0] == '/')
        return image_open(out, AT_FDCWD, name);
    if (!realpath(debug->path, real) || !(slash = strrchr(real, '/')))
        return -ENOENT;
    *slash = '\0';
    snprintf(path, sizeof(path), "%s/%s", real, name);
    return image_open(out, AT_FDCWD, path);
}

/*
 * Opens the alternate file if it is below another debug directory than the link says:
 * the part of the link from "/.dwz/" on is the path below that directory.
 */
static int
open_alt_moved(struct image *out, const char *name, const char *id)
{
    const char *list = directories(), *tail = strstr(name, "/.dwz/");
    char dir[PATH_MAX], path[2 * PATH_MAX];

    while (tail && next_directory(&list, dir)) {
        snprintf(path, sizeof(path), "%s%s", dir, tail);
        if (image_open(out, AT_FDCWD, path) < 0)
            continue;
        if (strcmp(out->buildid, id) == 0)
            return 0;
        image_close(out);
    }
    return -ENOENT;
}

int
debugfile_alt(struct image *out, struct image *debug, struct objwrite *w)
{
    struct bytes link;
    struct cursor c;
    const char *name;
    char id[IMAGE_BUILDID_MAX] = "";

    image_named(debug, ".gnu_debugaltlink", &link);
    if (link.size == 0)
        return -ENOENT;
    c = image_cursor(debug, link, 0);
    name = cursor_string(&c);
    for (u32 i = 0; cursor_left(&c) > 0 && 2 * i + 3 <= sizeof(id); i++)
        snprintf(id + 2 * i, 3, "%02x", cursor_u8(&c));
    if (open_alt_named(out, debug, name) == 0) {
        if (strcmp(out->buildid, id) == 0)
            return 0;
        image_close(out);
    }
    if (open_by_buildid(out, id) == 0 || open_alt_moved(out, name, id) == 0 ||
        open_fetched(out, id) == 0)
        return 0;
    objwrite_add_note(w, "%s: the file that it shares debug information with (%s) was "
                         "not found", debug->path, name);
    return -ENOENT;
}

static void __attribute__((format(printf, 2, 3)))
report_unread(struct objwrite *w, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    objwrite_add_note(w, "%s", text);
    if (!w->unread)
        w->unread = objwrite_string(w, text);
}

void
debugfile_report_unread(const struct image *img, struct objwrite *w)
{
    for (u32 i = 0; i < img->section_count; i++) {
        const struct image_section *s = &img->sections[i];

        if (s->status == -ENOTSUP)
            report_unread(w,
                          "%s: section %s cannot be decompressed: the library for it "
                          "(libz.so.1, libzstd.so.1) is missing", img->path, s->name);
        else if (s->status == -ENOMEM)
            report_unread(w, "%s: section %s is not read: there is no memory to "
                          "decompress it", img->path, s->name);
        else if (s->status < 0)
            report_unread(w, "%s: section %s is not read: it is malformed, or the file "
                          "is cut short", img->path, s->name);
    }
}
