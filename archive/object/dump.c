/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints an object file, for tests and for work on the format. Not installed.
 * ero_dump FILE.ero info, symbols, lines, files, funcs or inlines
 * ero_dump FILE.ero where (reads hexadecimal vaddrs from standard input)
 * ero_dump FILE.ero code VADDR COUNT
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/object/objfile.h"
#include "share/err.h"

#define DEPTH 256

static void
dump_info(const struct objfile *o)
{
    struct objfile_info info;
    struct objfile_source source;

    objfile_info(o, &info);
    printf("path %s\nbuildid %s\nmachine %u\nbits %u\nbig %d\nflags %#x\nbase %#llx\n"
           "bytes %llu\nsymbols %u\nlines %u\nfiles %u\nfuncs %u\ninlines %u\n",
           info.path, info.buildid, info.machine, info.bits, info.big_endian,
           info.flags, (unsigned long long)info.base,
           (unsigned long long)info.file_size, objfile_symbol_count(o),
           objfile_line_count(o), objfile_file_count(o), objfile_func_count(o),
           objfile_inline_count(o));
    for (u32 i = 0; objfile_source_at(o, i, &source) == 0; i++)
        printf("source %d %s\n", (int)source.kind, source.path);
    for (u32 i = 0; i < objfile_note_count(o); i++)
        printf("note %s\n", objfile_note(o, i));
}

static void
dump_symbols(const struct objfile *o)
{
    struct objfile_symbol s;
    char buf[256];

    for (u32 i = 0; objfile_symbol_at(o, i, &s) == 0; i++)
        printf("%llx %llu %d%c%s %s %s:%u\n", (unsigned long long)s.addr,
               (unsigned long long)s.size, (int)s.origin, "lgw"[s.binding % 3],
               s.flags & OBJFILE_SYM_IFUNC ? "i" : "",
               objfile_symbol_name(&s, "object", buf, sizeof(buf)),
               objfile_file(o, s.decl_file), s.decl_line);
}

static void
dump_lines(const struct objfile *o)
{
    struct objfile_line l;

    for (u32 i = 0; objfile_line_at(o, i, &l) == 0; i++)
        printf("%llx %s:%u:%u%s\n", (unsigned long long)l.addr, objfile_file(o, l.file),
               l.line, l.column, l.is_stmt ? "" : " no_stmt");
}

static void
dump_files(const struct objfile *o)
{
    for (u32 i = 1; i < objfile_file_count(o); i++)
        puts(objfile_file(o, i));
}

static void
dump_funcs(const struct objfile *o)
{
    struct objfile_func f;

    for (u32 i = 1; objfile_func(o, i, &f) == 0; i++)
        printf("%s %s %s:%u%s\n", f.linkage, f.name, objfile_file(o, f.decl_file),
               f.decl_line, f.inlined ? " inlined" : "");
}

static void
dump_inlines(const struct objfile *o)
{
    struct objfile_inline n;
    struct objfile_func f;

    for (u32 i = 1; objfile_inline_at(o, i, &n) == 0; i++)
        if (objfile_func(o, n.func, &f) == 0)
            printf("%u %u %s %s:%u\n", i, n.parent, f.linkage,
                   objfile_file(o, n.call_file), n.call_line);
}

/* As addr2line -i does: "FUNCTION FILE:LINE", innermost first, on one line. */
static void
where_one(const struct objfile *o, u64 vaddr)
{
    struct objfile_inline chain[DEPTH];
    struct objfile_symbol s = {.name = "?"};
    struct objfile_line l = {0};
    struct objfile_func f;
    u32 depth = objfile_inlines(o, vaddr, chain, DEPTH), file, line;

    objfile_symbol(o, vaddr, &s);
    objfile_line(o, vaddr, &l);
    file = l.file;
    line = l.line;
    printf("%llx", (unsigned long long)vaddr);
    for (u32 i = depth < DEPTH ? depth : DEPTH; i > 0; i--) {
        objfile_func(o, chain[i - 1].func, &f);
        printf(" | %s %s:%u", f.linkage, objfile_file(o, file), line);
        file = chain[i - 1].call_file;
        line = chain[i - 1].call_line;
    }
    printf(" | %s %s:%u\n", s.name, objfile_file(o, file), line);
}

static void
dump_where(const struct objfile *o)
{
    char text[64];

    while (fgets(text, sizeof(text), stdin))
        where_one(o, strtoull(text, NULL, 16));
}

static void
dump_code(const struct objfile *o, u64 vaddr, size_t count)
{
    unsigned char buf[4096];
    long n = objfile_code(o, vaddr, buf, count < sizeof(buf) ? count : sizeof(buf));

    for (long i = 0; i < n; i++)
        printf("%02x", buf[i]);
    puts(n < 0 ? "none" : "");
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*dump)(const struct objfile *);
    } kinds[] = {{"info", dump_info},   {"symbols", dump_symbols},
                 {"lines", dump_lines}, {"files", dump_files},
                 {"funcs", dump_funcs}, {"inlines", dump_inlines},
                 {"where", dump_where}};
    char error[OBJFILE_ERROR_MAX];
    struct objfile *o;

    err_start("ero_dump", 2);
    if (argc < 3)
        err_die(1, "usage: ero_dump FILE.ero WHAT");
    if (objfile_open_path(&o, AT_FDCWD, argv[1], error) < 0)
        err_die(2, "%s", error);
    for (size_t i = 0; i < ER_COUNT(kinds); i++)
        if (strcmp(kinds[i].name, argv[2]) == 0)
            kinds[i].dump(o);
    if (strcmp(argv[2], "code") == 0 && argc == 5)
        dump_code(o, strtoull(argv[3], NULL, 16), strtoul(argv[4], NULL, 0));
    objfile_close(o);
    return 0;
}
