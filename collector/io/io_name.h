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
    u32 len;
    u64 fstype; /* f_type of statfs(2) */
    char text[ER_STR_MAX]; /* no terminator; longer text is cut */
};

int io_name_is_open(int fd);

/*
 * Describe fd. path: the path it was opened with, or NULL; a relative path is not used.
 * to: the address that a socket is being connected to, or NULL.
 */
void io_name_fd(struct io_name *n, int fd, const char *path, const struct sockaddr *to,
                u32 size);

/* Like io_name_fd(), if fd is known to be a socket; does not set kind and fstype. */
void io_name_socket(struct io_name *n, int fd, const struct sockaddr *to, u32 size);

/*
 * The absolute name of a path, which is relative to the working directory or the
 * directory `dir`.
 */
void io_name_path(struct io_name *n, int dir, const char *path);

/* Append text, or a number. */
void io_name_add(struct io_name *n, const char *text, u64 len);
void io_name_add_text(struct io_name *n, const char *text);
void io_name_add_u64(struct io_name *n, u64 value);

#endif
