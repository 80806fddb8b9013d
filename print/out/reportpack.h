/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of a report: bytes, numbers of 1 to 10 bytes, text; deflated and in base64
 * when they are written. Ordinary process context; functions end the program when there
 * is no memory.
 */
#ifndef ERTOOLS_PRINT_OUT_REPORTPACK_H
#define ERTOOLS_PRINT_OUT_REPORTPACK_H

#include <stdio.h>

#include "share/types.h"

/* All 0 is empty. */
struct pack {
    unsigned char *data;
    size_t size;
    size_t room;
};

/* 7 bits a byte, the low ones first; signed ones have their sign in the lowest bit. */
void pack_number(struct pack *pack, u64 number);
void pack_signed(struct pack *pack, int64_t number);

/*
 * Write a block as an element of the page that nothing runs, named `name`, and empty
 * it. Without zlib it is not deflated.
 */
void pack_write(struct pack *pack, const char *name, FILE *f);

/* The same of text, which is freed. */
void pack_write_text(char *text, size_t size, const char *name, FILE *f);

/* A string of json, with its quotes. */
void report_string(const char *s, FILE *f);

#endif
