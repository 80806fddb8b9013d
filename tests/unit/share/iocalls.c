/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of I/O calls stand in experiments: they stay what they are. */
#include <criterion/criterion.h>

#include "share/iocall.h"

static const struct {
    const char *name;
    u32 number;
} known[] = {
    { "read", 1 }, { "pread", 2 }, { "readv", 3 }, { "preadv", 4 }, { "recv", 5 },
    { "recvfrom", 6 }, { "recvmsg", 7 }, { "recvmmsg", 8 }, { "fread", 9 },
    { "fgets", 10 }, { "getc", 11 }, { "getline", 12 }, { "scanf", 13 },
    { "write", 20 }, { "pwrite", 21 }, { "writev", 22 }, { "pwritev", 23 },
    { "send", 24 }, { "sendto", 25 }, { "sendmsg", 26 }, { "sendmmsg", 27 },
    { "sendfile", 28 }, { "splice", 29 }, { "tee", 30 }, { "vmsplice", 31 },
    { "copy_file_range", 32 }, { "fwrite", 33 }, { "fputs", 34 }, { "puts", 35 },
    { "putc", 36 }, { "printf", 37 }, { "fprintf", 38 }, { "dprintf", 39 },
    { "open", 50 }, { "close", 51 }, { "close_range", 52 }, { "dup", 53 },
    { "fcntl", 54 }, { "pipe", 55 }, { "socket", 56 }, { "socketpair", 57 },
    { "bind", 58 }, { "listen", 59 }, { "accept", 60 }, { "connect", 61 },
    { "shutdown", 62 }, { "lseek", 63 }, { "fsync", 64 }, { "fdatasync", 65 },
    { "truncate", 66 }, { "ftruncate", 67 }, { "fallocate", 68 }, { "mkdir", 69 },
    { "rmdir", 70 }, { "rename", 71 }, { "unlink", 72 }, { "link", 73 },
    { "symlink", 74 }, { "readlink", 75 }, { "stat", 76 }, { "fstat", 77 },
    { "access", 78 }, { "chdir", 79 }, { "fopen", 80 }, { "fdopen", 81 },
    { "freopen", 82 }, { "tmpfile", 83 }, { "mkstemp", 84 }, { "fclose", 85 },
    { "fflush", 86 }, { "fseek", 87 }, { "ftell", 88 }, { "opendir", 89 },
    { "readdir", 90 }, { "closedir", 91 }, { "epoll_create", 92 }, { "epoll_ctl", 93 },
    { "eventfd", 94 }, { "timerfd_create", 95 }, { "memfd_create", 96 },
    { "inotify_init", 97 }, { "shm_open", 98 }, { "sync", 99 }, { "poll", 110 },
    { "select", 111 }, { "epoll_wait", 112 },
    { "sendfile_from", 113 }, { "splice_from", 114 }, { "copy_file_range_from", 115 },
};

Test(iocalls, numbers_stay)
{
    for (size_t i = 0; i < ER_COUNT(known); i++)
        cr_assert_str_eq(iocall_name(known[i].number), known[i].name);
}

Test(iocalls, no_other_number_has_a_name)
{
    size_t named = 0;

    for (u32 i = 0; i < 1000; i++)
        named += iocall_name(i) != NULL;
    cr_assert_eq(named, ER_COUNT(known));
    cr_assert_null(iocall_name(~0u));
}

Test(iocalls, each_has_its_kind)
{
    cr_assert_eq(IOKIND_pread, IO_READ);
    cr_assert_eq(IOKIND_dprintf, IO_WRITE);
    cr_assert_eq(IOKIND_unlink, IO_OTHER);
    cr_assert_eq(IOKIND_epoll_wait, IO_WAIT);
}
