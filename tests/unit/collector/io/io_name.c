/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/io/io_name.c"
#include "collector/io/io_socket.c"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct io_name n;

static const char *
text(void)
{
    static char copy[ER_STR_MAX + 1];

    memcpy(copy, n.text, n.len);
    copy[n.len] = '\0';
    return copy;
}

static const char *
joined(const char *dir, const char *rest)
{
    static char path[PATH_MAX + 100];

    snprintf(path, sizeof(path), "%s%s%s", dir, strcmp(dir, "/") ? "/" : "", rest);
    return path;
}

Test(io_name, a_path_is_told_from_the_root)
{
    char here[PATH_MAX];
    int dir = open("/usr/bin", O_RDONLY), root = open("/", O_RDONLY);

    cr_assert(getcwd(here, sizeof(here)) && dir >= 0 && root >= 0);
    io_name_path(&n, AT_FDCWD, "/a/b");
    cr_assert_str_eq(text(), "/a/b");
    cr_assert_eq(n.kind, FILE_KIND_PATH);
    io_name_path(&n, dir, "/a/b");
    cr_assert_str_eq(text(), "/a/b");
    io_name_path(&n, AT_FDCWD, "x/y");
    cr_assert_str_eq(text(), joined(here, "x/y"));
    io_name_path(&n, AT_FDCWD, ".//./x");
    cr_assert_str_eq(text(), joined(here, "x"));
    io_name_path(&n, root, "x");
    cr_assert_str_eq(text(), "/x");
    cr_assert_eq(chdir("/"), 0);
    io_name_path(&n, AT_FDCWD, "x");
    cr_assert_str_eq(text(), "/x");
    io_name_path(&n, 999, "x");
    cr_assert_str_eq(text(), "x");
}

Test(io_name, what_is_longer_is_cut)
{
    static char path[5000];

    memset(path, 'p', sizeof(path) - 1);
    path[0] = '/';
    io_name_path(&n, AT_FDCWD, path);
    cr_assert_eq(n.len, sizeof(n.text));
    cr_assert_eq(memcmp(n.text, path, n.len), 0);
    io_name_add_u64(&n, 12345);
    cr_assert_eq(n.len, sizeof(n.text));
}

Test(io_name, numbers)
{
    n.len = 0;
    io_name_add_u64(&n, 0);
    io_name_add_text(&n, " ");
    io_name_add_u64(&n, ~0ull);
    cr_assert_str_eq(text(), "0 18446744073709551615");
}

Test(io_name, kinds_and_errno)
{
    int fd = open("/dev/null", O_RDONLY), two[2];

    cr_assert_eq(pipe(two), 0);
    errno = 4711;
    io_name_fd(&n, fd, NULL, NULL, 0);
    cr_assert(n.kind == FILE_KIND_CHARACTER && n.fstype != 0);
    cr_assert_str_eq(text(), "/dev/null");
    io_name_fd(&n, fd, "/as/opened", NULL, 0);
    cr_assert_str_eq(text(), "/as/opened");
    io_name_fd(&n, fd, "relative", NULL, 0);
    cr_assert_str_eq(text(), "/dev/null");
    io_name_fd(&n, two[1], NULL, NULL, 0);
    cr_assert_eq(n.kind, FILE_KIND_PIPE);
    cr_assert_eq(strncmp(text(), "pipe:[", 6), 0);
    io_name_fd(&n, 999, "gone", NULL, 0);
    cr_assert_eq(n.kind, FILE_KIND_UNKNOWN);
    cr_assert_str_eq(text(), "gone");
    cr_assert(io_name_is_open(fd) && !io_name_is_open(999));
    cr_assert_eq(errno, 4711);
}

Test(io_name, a_socket_on_its_way)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(80),
                              .sin_addr.s_addr = htonl(0x01020304) };
    struct sockaddr_un path = { .sun_family = AF_UNIX };
    int fd = socket(AF_INET, SOCK_STREAM, 0), local = socket(AF_UNIX, SOCK_DGRAM, 0);

    io_name_fd(&n, fd, NULL, (struct sockaddr *)&to, sizeof(to));
    cr_assert_eq(n.kind, FILE_KIND_SOCKET);
    cr_assert_str_eq(text(), "tcp -> 1.2.3.4:80");
    io_name_fd(&n, fd, NULL, (struct sockaddr *)&to, 3); /* half an address */
    cr_assert_eq(strncmp(text(), "tcp [", 5), 0);
    /* A path that fills its room has no terminator. */
    memset(path.sun_path, 'p', sizeof(path.sun_path));
    io_name_fd(&n, local, NULL, (struct sockaddr *)&path, sizeof(path));
    cr_assert_eq(n.len, strlen("unix -> ") + sizeof(path.sun_path));
}
