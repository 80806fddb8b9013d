/* SPDX-License-Identifier: Apache-2.0 */
/* covers: objrows.def sym func file line range node code source note var */
#include "archive/object/objfile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/object/objwrite.h"
#include "tests/fuzz/objfile_all.h"

#define BASE 0x401000

static char path[64];
static int fd;

static void
add_rows(struct objwrite *w)
{
    u32 file = objwrite_file(w, "/src/a.c"), other = objwrite_file(w, "/src/b.h");
    struct obj_func outer = {.name = objwrite_string(w, "outer"), .file = file,
                             .line = 10};
    struct obj_func inner = {.name = objwrite_string(w, "inner"), .file = other,
                             .linkage = objwrite_string(w, "_Zinner"),
                             .line = 3 | OBJ_INLINED};
    u32 outer_row = objwrite_func(w, &outer), inner_row = objwrite_func(w, &inner);
    struct obj_sym syms[] = {
        {0x10, 0x40, outer.name, outer_row, OBJFILE_ORIGIN_SYMTAB | 1 << 4},
        {0x20, 0x08, objwrite_string(w, "entry"), 0,
         OBJFILE_ORIGIN_SYMTAB | OBJ_SYM_NESTED},
        {0x60, 0x10, 0, 0, OBJFILE_ORIGIN_FDE},
    };
    struct obj_line lines[] = {
        {0x10, file | OBJ_IS_STMT, 11 | 5u << 24}, {0x18, other, 4},
        {0x30, file, 12}, {0x50, 0, 0},
    };
    struct obj_node nodes[] = {{0, inner_row, file, 11 | 7u << 24},
                               {1, inner_row, other, 4}};
    struct obj_range ranges[] = {{0x18, 1}, {0x1c, 2}, {0x20, 1}, {0x30, 0}};
    struct obj_var vars[] = {{0x3000, 40, objwrite_string(w, "first_lock")},
                             {0x3040, 8, objwrite_string(w, "counter")}};

    for (size_t i = 0; i < ER_COUNT(syms); i++)
        objwrite_row(w, OBJ_sym, &syms[i]);
    for (size_t i = 0; i < ER_COUNT(lines); i++)
        objwrite_row(w, OBJ_line, &lines[i]);
    for (size_t i = 0; i < ER_COUNT(nodes); i++)
        objwrite_row(w, OBJ_node, &nodes[i]);
    for (size_t i = 0; i < ER_COUNT(ranges); i++)
        objwrite_row(w, OBJ_range, &ranges[i]);
    for (size_t i = 0; i < ER_COUNT(vars); i++)
        objwrite_row(w, OBJ_var, &vars[i]);
}

/* An object file with a bit of everything, in memory. */
static void
make_file(void)
{
    static const unsigned char code[0x80] = {[0x10] = 0xaa, [0x7f] = 0xbb};
    struct obj_source source = {OBJFILE_SOURCE_DEBUG, 0, 77, 88};
    struct objwrite w;

    objwrite_init(&w);
    w.base = BASE;
    w.machine = 62;
    w.bits = 64;
    w.flags = OBJFILE_HAS_SYMTAB | OBJFILE_HAS_LINES;
    w.path = objwrite_string(&w, "/lib/x.so");
    w.buildid = objwrite_string(&w, "abcd");
    add_rows(&w);
    objwrite_code(&w, BASE, 0x80, ".text", (struct bytes){code, sizeof(code)});
    source.path = objwrite_string(&w, "/lib/x.debug");
    objwrite_row(&w, OBJ_source, &source);
    objwrite_add_note(&w, "note %d", 1);
    fd = memfd_create("ero", 0);
    cr_assert_eq(objwrite_save(&w, fd), 0);
    objwrite_free(&w);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
}

static struct objfile *
open_good(void)
{
    char error[OBJFILE_ERROR_MAX];
    struct objfile *o = NULL;

    cr_assert_eq(objfile_open_path(&o, AT_FDCWD, path, error), 0, "%s", error);
    return o;
}

TestSuite(objfile, .init = make_file);

Test(objfile, finds_variables)
{
    struct objfile *o = open_good();
    struct objfile_variable v;

    cr_assert_eq(objfile_variable(o, BASE + 0x3010, &v), 0);
    cr_assert_str_eq(v.name, "first_lock");
    cr_assert_eq(v.addr, BASE + 0x3000);
    cr_assert_eq(v.size, 40);
    cr_assert_eq(objfile_variable(o, BASE + 0x3040, &v), 0);
    cr_assert_str_eq(v.name, "counter");
    cr_assert_eq(objfile_variable(o, BASE + 0x3028, &v), -ENOENT);
    cr_assert_eq(objfile_variable(o, BASE + 0x3048, &v), -ENOENT);
    cr_assert_eq(objfile_variable(o, BASE + 0x2fff, &v), -ENOENT);
    cr_assert_eq(objfile_variable(o, 0, &v), -ENOENT);
    objfile_close(o);
}

/* Files that were written before there were variables have a table less. */
Test(objfile, does_without_variables)
{
    u32 tables = OBJ_TABLES_MIN;
    struct objfile_variable v;
    struct objfile_symbol s;
    struct objfile *o;

    cr_assert_eq(pwrite(fd, &tables, sizeof(tables), 12), (ssize_t)sizeof(tables));
    o = open_good();
    cr_assert_eq(objfile_variable(o, BASE + 0x3010, &v), -ENOENT);
    cr_assert_eq(objfile_symbol(o, BASE + 0x10, &s), 0);
    objfile_close(o);
}

Test(objfile, tells_of_the_object)
{
    struct objfile *o = open_good();
    struct objfile_source source;
    struct objfile_info info;

    objfile_info(o, &info);
    cr_assert_str_eq(info.path, "/lib/x.so");
    cr_assert_str_eq(info.buildid, "abcd");
    cr_assert_eq(info.base, BASE);
    cr_assert_eq(info.machine, 62);
    cr_assert_eq(info.flags, OBJFILE_HAS_SYMTAB | OBJFILE_HAS_LINES);
    cr_assert_eq(objfile_source_at(o, 0, &source), 0);
    cr_assert_str_eq(source.path, "/lib/x.debug");
    cr_assert_eq(source.size, 77);
    cr_assert_eq(source.mtime_ns, 88);
    cr_assert_str_eq(objfile_note(o, 0), "note 1");
    cr_assert_str_eq(objfile_note(o, 1), "");
    objfile_close(o);
}

Test(objfile, finds_symbols)
{
    struct objfile *o = open_good();
    struct objfile_symbol s;
    char buf[64];

    cr_assert_eq(objfile_symbol(o, BASE + 0xf, &s), -ENOENT);
    cr_assert_eq(objfile_symbol(o, BASE + 0x10, &s), 0);
    cr_assert_str_eq(s.name, "outer");
    cr_assert_eq(s.binding, OBJFILE_GLOBAL);
    cr_assert_eq(s.origin, OBJFILE_ORIGIN_SYMTAB);
    cr_assert_str_eq(objfile_file(o, s.decl_file), "/src/a.c");
    cr_assert_eq(s.decl_line, 10);
    cr_assert_eq(objfile_symbol(o, BASE + 0x27, &s), 0);
    cr_assert_str_eq(s.name, "entry");
    /* Behind the entry point within it, the outer function goes on. */
    cr_assert_eq(objfile_symbol(o, BASE + 0x28, &s), 0);
    cr_assert_str_eq(s.name, "outer");
    cr_assert_eq(objfile_symbol(o, BASE + 0x4f, &s), 0);
    cr_assert_eq(objfile_symbol(o, BASE + 0x50, &s), -ENOENT);
    cr_assert_eq(objfile_symbol(o, BASE + 0x61, &s), 0);
    cr_assert_str_eq(objfile_symbol_name(&s, "/lib/x.so", buf, sizeof(buf)),
                     "<static>@0x401060 (<x.so>)");
    cr_assert_eq(objfile_symbol(o, 0, &s), -ENOENT);
    cr_assert_eq(objfile_symbol(o, UINT64_MAX, &s), -ENOENT);
    cr_assert_eq(objfile_symbol_at(o, 3, &s), -ENOENT);
    objfile_close(o);
}

Test(objfile, finds_lines)
{
    struct objfile *o = open_good();
    struct objfile_line l;

    cr_assert_eq(objfile_line(o, BASE + 0xf, &l), -ENOENT);
    cr_assert_eq(objfile_line(o, BASE + 0x12, &l), 0);
    cr_assert_eq(l.line, 11);
    cr_assert_eq(l.column, 5);
    cr_assert(l.is_stmt);
    cr_assert_eq(l.addr, BASE + 0x10);
    cr_assert_eq(l.end, BASE + 0x18);
    cr_assert_eq(objfile_line(o, BASE + 0x50, &l), -ENOENT); /* a gap */
    cr_assert_eq(objfile_line_boundary(o, 0), BASE + 0x10);
    cr_assert_eq(objfile_line_boundary(o, BASE + 0x10), BASE + 0x18);
    cr_assert_eq(objfile_line_boundary(o, BASE + 0x50), UINT64_MAX);
    cr_assert_eq(objfile_line_index(o, BASE + 0x2f), 1);
    cr_assert_eq(objfile_line_index(o, 5), 0);
    cr_assert_eq(objfile_line_count(o), 4);
    objfile_close(o);
}

Test(objfile, finds_inlined_calls)
{
    struct objfile *o = open_good();
    struct objfile_inline chain[2];
    struct objfile_func f;

    cr_assert_eq(objfile_inlines(o, BASE + 0x17, chain, 2), 0);
    cr_assert_eq(objfile_inlines(o, BASE + 0x1f, chain, 2), 2);
    cr_assert_eq(chain[0].call_line, 11);
    cr_assert_eq(chain[0].call_column, 7);
    cr_assert_eq(chain[0].parent, 0);
    cr_assert_eq(chain[1].parent, chain[0].node);
    cr_assert_str_eq(objfile_file(o, chain[1].call_file), "/src/b.h");
    chain[1].node = 99;
    cr_assert_eq(objfile_inlines(o, BASE + 0x1f, chain, 1), 2);
    cr_assert_eq(chain[1].node, 99, "only one was asked for");
    cr_assert_eq(objfile_inlines(o, BASE + 0x30, chain, 2), 0);
    cr_assert_eq(objfile_inline_boundary(o, BASE + 0x18), BASE + 0x1c);
    cr_assert_eq(objfile_func(o, chain[0].func, &f), 0);
    cr_assert_str_eq(f.linkage, "_Zinner");
    cr_assert_str_eq(f.name, "inner");
    cr_assert_eq(f.decl_line, 3);
    cr_assert(f.inlined);
    objfile_close(o);
}

Test(objfile, gives_code)
{
    struct objfile *o = open_good();
    unsigned char buf[256];
    struct objfile_code c;

    cr_assert_eq(objfile_code_count(o), 1);
    cr_assert_eq(objfile_code_at(o, 0, &c), 0);
    cr_assert_str_eq(c.name, ".text");
    cr_assert_eq(c.size, 0x80);
    cr_assert_eq(objfile_code(o, BASE + 0x10, buf, 1), 1);
    cr_assert_eq(buf[0], 0xaa);
    cr_assert_eq(objfile_code(o, BASE + 0x70, buf, sizeof(buf)), 16);
    cr_assert_eq(buf[15], 0xbb);
    cr_assert_eq(objfile_code(o, BASE + 0x80, buf, 1), -ENOENT);
    cr_assert_eq(objfile_code(o, BASE - 1, buf, 1), -ENOENT);
    objfile_close(o);
}

/* Of a section whose file ends early, it gives what is there, and no more. */
Test(objfile, gives_no_code_that_is_not_known)
{
    static const unsigned char bytes[20] = {[0 ... 19] = 0xcc};
    unsigned char buf[256];
    struct objfile *o = NULL;
    struct objfile_code c;
    struct objwrite w;

    objwrite_init(&w);
    w.base = BASE;
    objwrite_code(&w, BASE, 0x80, ".short", (struct bytes){bytes, 20});
    objwrite_code(&w, BASE + 0x80, 0x80, ".none", (struct bytes){bytes, 0});
    objwrite_code(&w, BASE + 0x100, 10, ".long", (struct bytes){bytes, 20});
    cr_assert_eq(ftruncate(fd, 0), 0);
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    cr_assert_eq(objwrite_save(&w, fd), 0);
    objwrite_free(&w);
    cr_assert_eq(objfile_open_path(&o, AT_FDCWD, path, NULL), 0);
    cr_assert_eq(objfile_code_count(o), 3);
    cr_assert_eq(objfile_code_at(o, 0, &c), 0);
    cr_assert_eq(c.size, 20);
    cr_assert_eq(objfile_code(o, BASE, buf, sizeof(buf)), 20);
    cr_assert_eq(objfile_code(o, BASE + 20, buf, sizeof(buf)), -ENOENT);
    cr_assert_eq(objfile_code(o, BASE + 0x80, buf, sizeof(buf)), -ENOENT);
    cr_assert_eq(objfile_code(o, BASE + 0x100, buf, sizeof(buf)), 10);
    objfile_close(o);
}

Test(objfile, refuses_what_is_cut_short_or_of_another_kind)
{
    char error[OBJFILE_ERROR_MAX];
    struct objfile *o = NULL;
    off_t size = lseek(fd, 0, SEEK_END);

    for (off_t cut = size - 1; cut >= 0; cut -= 37) {
        cr_assert_eq(ftruncate(fd, cut), 0);
        cr_assert_eq(objfile_open_path(&o, AT_FDCWD, path, error), -EINVAL);
        cr_assert_not_null(strstr(error, path), "%s", error);
        cr_assert_not_null(strstr(error, "offset"), "%s", error);
    }
    cr_assert_eq(objfile_open_path(&o, AT_FDCWD, "/no/such", error), -ENOENT);
    cr_assert_not_null(strstr(error, "/no/such"));
    cr_assert_lt(objfile_open_path(&o, AT_FDCWD, "/", NULL), 0);
    cr_assert_null(o);
}

/* Each byte of the file, in turn, becomes something else. */
Test(objfile, survives_any_change)
{
    off_t size = lseek(fd, 0, SEEK_END);
    unsigned char *map = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
                              fd, 0);

    cr_assert_neq(map, MAP_FAILED);
    for (off_t at = 0; at < size; at++) {
        static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
        unsigned char was = map[at];

        for (size_t i = 0; i < ER_COUNT(values); i++) {
            map[at] = values[i];
            objfile_ask_all(path);
        }
        map[at] = was;
    }
    munmap(map, (size_t)size);
}

Test(objfile, opens_by_key_only_what_is_a_key)
{
    char error[OBJFILE_ERROR_MAX];
    struct objfile *o = NULL;

    cr_assert_eq(objfile_open(&o, AT_FDCWD, "../../etc/passwd", NULL, error), -EINVAL);
    cr_assert_eq(objfile_open(&o, AT_FDCWD, "", NULL, error), -EINVAL);
    cr_assert_eq(objfile_open(&o, AT_FDCWD, "f-0123", NULL, error), -ENOENT);
}

/* The file in `dir`, under the name that its key gives it. */
static void
copy_into(int dir)
{
    static unsigned char bytes[1 << 16];
    ssize_t len = pread(fd, bytes, sizeof(bytes), 0);
    int to = openat(dir, "abcd.ero", O_WRONLY | O_CREAT | O_EXCL, 0600);

    cr_assert(len > 0 && len < (ssize_t)sizeof(bytes));
    cr_assert_eq(write(to, bytes, (size_t)len), len);
    close(to);
}

Test(objfile, follows_no_link_in_an_experiment)
{
    char name[] = "/tmp/objfile-test-XXXXXX";
    struct objfile *o = NULL;
    int dir, real;

    setenv("HOME", "/nonexistent", 1);
    unsetenv("XDG_CACHE_HOME");
    cr_assert_not_null(mkdtemp(name));
    dir = open(name, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(mkdirat(dir, "archives", 0700), 0);
    real = openat(dir, "archives", O_RDONLY | O_DIRECTORY);
    copy_into(real);
    cr_assert_eq(objfile_open(&o, dir, "abcd", NULL, NULL), 0);
    objfile_close(o);

    cr_assert_eq(renameat(dir, "archives", dir, "elsewhere"), 0);
    cr_assert_eq(symlinkat("elsewhere", dir, "archives"), 0);
    cr_assert(objfile_open(&o, dir, "abcd", NULL, NULL) < 0);

    cr_assert_eq(unlinkat(dir, "archives", 0), 0);
    cr_assert_eq(renameat(dir, "elsewhere", dir, "archives"), 0);
    cr_assert_eq(renameat(real, "abcd.ero", dir, "outside"), 0);
    cr_assert_eq(symlinkat("../outside", real, "abcd.ero"), 0);
    cr_assert(objfile_open(&o, dir, "abcd", NULL, NULL) < 0);

    unlinkat(real, "abcd.ero", 0);
    unlinkat(dir, "outside", 0);
    unlinkat(dir, "archives", AT_REMOVEDIR);
    rmdir(name);
    close(real);
    close(dir);
}
