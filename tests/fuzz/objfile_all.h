/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks an object file every question that the reader answers, at its interesting and at
 * its impossible addresses. For tests: nothing may crash or run away.
 */
#ifndef ERTOOLS_TESTS_FUZZ_OBJFILE_ALL_H
#define ERTOOLS_TESTS_FUZZ_OBJFILE_ALL_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "archive/object/objfile.h"

/* Keeps the compiler from leaving the questions out. */
static volatile u64 objfile_sum;

static inline void
objfile_ask_at(const struct objfile *o, u64 vaddr)
{
    struct objfile_symbol s;
    struct objfile_line l;
    struct objfile_inline chain[8];
    char buf[64];

    if (objfile_symbol(o, vaddr, &s) == 0)
        objfile_sum += strlen(objfile_symbol_name(&s, "/x/y", buf, sizeof(buf)));
    if (objfile_line(o, vaddr, &l) == 0)
        objfile_sum += strlen(objfile_file(o, l.file));
    objfile_sum += objfile_line_boundary(o, vaddr) + objfile_line_index(o, vaddr);
    objfile_sum += objfile_inlines(o, vaddr, chain, 8);
    objfile_sum += objfile_inline_boundary(o, vaddr);
    if (objfile_code(o, vaddr, buf, sizeof(buf)) > 0)
        objfile_sum += (unsigned char)buf[0];
}

static inline void
objfile_ask_rows(const struct objfile *o, u64 base)
{
    struct objfile_symbol s;
    struct objfile_line l;
    struct objfile_func f;
    struct objfile_inline n;
    struct objfile_code c;
    struct objfile_source source;

    for (u32 i = 0; i <= 64; i++) {
        if (objfile_symbol_at(o, i, &s) == 0)
            objfile_ask_at(o, s.addr + s.size / 2);
        if (objfile_line_at(o, i, &l) == 0)
            objfile_ask_at(o, l.addr);
        if (objfile_func(o, i, &f) == 0)
            objfile_sum += strlen(f.linkage) + strlen(f.name);
        if (objfile_inline_at(o, i, &n) == 0)
            objfile_sum += n.func;
        if (objfile_code_at(o, i, &c) == 0)
            objfile_sum += strlen(c.name);
        if (objfile_source_at(o, i, &source) == 0)
            objfile_sum += strlen(source.path);
        objfile_sum += strlen(objfile_note(o, i)) + strlen(objfile_file(o, i));
        objfile_ask_at(o, base + i * 7);
    }
}

static inline void
objfile_ask_all(const char *path)
{
    char error[OBJFILE_ERROR_MAX];
    struct objfile_info info;
    struct objfile *o;

    if (objfile_open_path(&o, AT_FDCWD, path, error) < 0) {
        objfile_sum += strlen(error);
        return;
    }
    objfile_info(o, &info);
    objfile_sum += strlen(info.path) + strlen(info.buildid);
    objfile_ask_rows(o, info.base);
    objfile_ask_at(o, 0);
    objfile_ask_at(o, UINT64_MAX);
    objfile_ask_at(o, info.base + UINT32_MAX);
    objfile_close(o);
}

#endif
