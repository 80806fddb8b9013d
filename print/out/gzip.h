/* SPDX-License-Identifier: Apache-2.0 */
/* Compression in the format of gzip (RFC 1951, RFC 1952). Ordinary process context. */
#ifndef ERTOOLS_PRINT_OUT_GZIP_H
#define ERTOOLS_PRINT_OUT_GZIP_H

#include <stdio.h>

/*
 * Write a gzip file with those bytes; the same bytes always give the same file. 0 or
 * -ENOMEM; ferror(f) says if writing failed.
 */
int gzip_write(const void *data, size_t len, FILE *f);

#endif
