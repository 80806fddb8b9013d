/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an open descriptor refers to, according to the kernel. Any context; makes raw
 * system calls, and changes nothing, not even errno.
 */
#ifndef ERTOOLS_COLLECTOR_IO_IO_NAME_H
#define ERTOOLS_COLLECTOR_IO_IO_NAME_H

#include "share/record.h"
#include "share/types.h"

struct sockaddr;

struct io_name {
    u32 kind; /* enum er_file_kind */
    u32 len; /* bytes of text */
    u64 fstype; /* f_type of statfs(2) */
    char text[ER_STR_MAX]; /* no terminator; longer text is cut */
};

/* 1 if fd is an open descriptor. */
int io_name_is_open(int fd);

/*
 * Describe fd. path: the path it was opened with, or NULL. A relative path is used only
 * if /proc does not have the name. to: the address that a socket is being connected to,
 * of `size` bytes; or NULL.
 */
void io_name_fd(struct io_name *n, int fd, const char *path, const struct sockaddr *to,
                u32 size);

/*
 * Append the name of a socket. to, size: as in io_name_fd(). Does not set kind and
 * fstype.
 */
void io_name_socket(struct io_name *n, int fd, const struct sockaddr *to, u32 size);

/*
 * Set *n to the absolute name of a path. A relative path is relative to the directory
 * `dir`, or if that is AT_FDCWD, to the working directory.
 */
void io_name_path(struct io_name *n, int dir, const char *path);

/* Append text, or a number. */
void io_name_add(struct io_name *n, const char *text, u64 len);
void io_name_add_text(struct io_name *n, const char *text);
void io_name_add_u64(struct io_name *n, u64 value);

#endif
