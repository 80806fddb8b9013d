/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of data in a report: numbers of 1 to 10 bytes each, or text. They are deflated
 * and encoded in base64 when they are written. Ordinary process context; functions end
 * the program when memory runs out.
 */
#ifndef ERTOOLS_PRINT_OUT_REPORTPACK_H
#define ERTOOLS_PRINT_OUT_REPORTPACK_H

#include <stdio.h>

#include "share/types.h"

/* A block; all 0 is empty. */
struct pack {
    unsigned char *data;
    size_t size;
    size_t room;
};

/*
 * Append a number, 7 bits in each byte, the lowest first. A signed number has its sign
 * in the lowest bit.
 */
void reportpack_number(struct pack *pack, u64 number);
void reportpack_signed(struct pack *pack, int64_t number);

/*
 * Write a block into the page, as an element named `name` that the browser does not
 * execute, and empty the block. Without zlib, it is not compressed.
 */
void reportpack_write(struct pack *pack, const char *name, FILE *f);

/* Like reportpack_write(), for text, which is freed. */
void reportpack_write_text(char *text, size_t size, const char *name, FILE *f);

/* Write a string of json, with its quotes. */
void reportpack_string(const char *s, FILE *f);

#endif
