/* SPDX-License-Identifier: Apache-2.0 */
/* Writes bytes as base64, without line ends. Ordinary process context. */
#ifndef ERTOOLS_PRINT_OUT_BASE64_H
#define ERTOOLS_PRINT_OUT_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* ferror(f) says if writing failed. */
void base64_write(const unsigned char *data, size_t size, FILE *f);

#endif
