/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/io/io_name.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "collector/sig/sys.h"

static long
address(const void *p)
{
    return (long)(uintptr_t)p;
}

void
io_name_add(struct io_name *n, const char *text, u64 len)
{
    u64 room = sizeof(n->text) - n->len;

    if (len > room)
        len = room;
    memcpy(n->text + n->len, text, len);
    n->len += (u32)len;
}

void
io_name_add_text(struct io_name *n, const char *text)
{
    io_name_add(n, text, strlen(text));
}

/* Write the digits of a number so that they end at `end`. Returns where they begin. */
static char *
put_digits(char *end, u64 value)
{
    do
        *--end = (char)('0' + value % 10);
    while (value /= 10);
    return end;
}

void
io_name_add_u64(struct io_name *n, u64 value)
{
    char digits[20], *end = digits + sizeof(digits);
    char *at = put_digits(end, value);

    io_name_add(n, at, (u64)(end - at));
}

/* Append the target of a link in /proc/self; 0 = it cannot be read. */
static int
add_link(struct io_name *n, const char *link)
{
    long len = sys_call4(SYS_readlink, address(link), address(n->text + n->len),
                         (long)(sizeof(n->text) - n->len), 0);

    if (len > 0)
        n->len += (u32)len;
    return len > 0;
}

static int
add_fd_link(struct io_name *n, int fd)
{
    static const char before[] = "/proc/self/fd/";
    char link[sizeof(before) + 20], digits[20], *end = digits + sizeof(digits);
    char *at = put_digits(end, (u64)fd);

    memcpy(link, before, sizeof(before) - 1);
    memcpy(link + sizeof(before) - 1, at, (size_t)(end - at));
    link[sizeof(before) - 1 + (size_t)(end - at)] = '\0';
    return add_link(n, link);
}

static u32
kind_of(u32 mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
        return FILE_KIND_REGULAR;
    case S_IFDIR:
        return FILE_KIND_DIRECTORY;
    case S_IFIFO:
        return FILE_KIND_PIPE;
    case S_IFSOCK:
        return FILE_KIND_SOCKET;
    case S_IFCHR:
        return FILE_KIND_CHARACTER;
    case S_IFBLK:
        return FILE_KIND_BLOCK;
    default:
        return FILE_KIND_ANONYMOUS;
    }
}

int
io_name_is_open(int fd)
{
    return sys_call4(SYS_fcntl, fd, F_GETFD, 0, 0) >= 0;
}

void
io_name_fd(struct io_name *n, int fd, const char *path, const struct sockaddr *to,
           u32 size)
{
    struct statfs fs;
    struct stat st;

    n->kind = FILE_KIND_UNKNOWN;
    n->fstype = 0;
    n->len = 0;
    if (sys_call4(SYS_fstat, fd, address(&st), 0, 0) == 0)
        n->kind = kind_of(st.st_mode);
    if (sys_call4(SYS_fstatfs, fd, address(&fs), 0, 0) == 0)
        n->fstype = (u64)fs.f_type;
    if (n->kind == FILE_KIND_SOCKET)
        io_name_socket(n, fd, to, size);
    else if (path && path[0] == '/')
        io_name_add_text(n, path);
    else if (!add_fd_link(n, fd) && path)
        io_name_add_text(n, path);
}

void
io_name_path(struct io_name *n, int dir, const char *path)
{
    long len;

    n->kind = FILE_KIND_PATH;
    n->fstype = 0;
    n->len = 0;
    if (path[0] != '/' && dir == AT_FDCWD) {
        len = sys_call4(SYS_getcwd, address(n->text), sizeof(n->text), 0, 0);
        n->len = len > 1 ? (u32)len - 1 : 0; /* it counts the terminator */
    } else if (path[0] != '/') {
        add_fd_link(n, dir);
    }
    while (path[0] == '.' && path[1] == '/')
        for (path += 2; path[0] == '/';)
            path++;
    if (n->len && n->text[n->len - 1] != '/' && path[0])
        io_name_add(n, "/", 1);
    io_name_add_text(n, path);
}
