/* SPDX-License-Identifier: Apache-2.0 */
/* The test describes itself: what it says must be what the compiler knew. */
#include "archive/describe.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/object/objfile.h"

void describe_probe(void);

static volatile int probed;

static inline __attribute__((always_inline)) void
inlined(void)
{
    probed++;
}

enum { PROBE_LINE = __LINE__ + 3 };

__attribute__((noinline)) void
describe_probe(void)
{
    inlined();
}

static struct objfile *
describe_path(const char *path)
{
    struct description d;
    struct objfile *o = NULL;
    struct image img;
    char name[64];
    int fd = memfd_create("ero", 0);

    cr_assert_eq(image_open(&img, AT_FDCWD, path), 0);
    cr_assert_eq(describe(&d, &img), 0);
    cr_assert_eq(describe_save(&d, fd), 0);
    describe_free(&d);
    image_close(&img);
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    cr_assert_eq(objfile_open_path(&o, AT_FDCWD, name, NULL), 0);
    return o;
}

/* The probe's link-time address. */
static u64
probe_vaddr(void)
{
    return (u64)(uintptr_t)describe_probe - _r_debug.r_map->l_addr;
}

Test(describe, knows_this_program)
{
    struct objfile *o = describe_path("/proc/self/exe");
    struct objfile_symbol s;
    struct objfile_inline chain[4];
    struct objfile_func f;
    unsigned char code[4];
    u64 vaddr = probe_vaddr(), at = vaddr;

    cr_assert_eq(objfile_symbol(o, vaddr, &s), 0);
    cr_assert_str_eq(s.name, "describe_probe");
    cr_assert_eq(s.addr, vaddr);
    cr_assert_eq(objfile_code(o, vaddr, code, sizeof(code)), (long)sizeof(code));
    cr_assert_arr_eq(code, (const void *)(uintptr_t)describe_probe, sizeof(code));
    cr_assert_eq(s.decl_line, PROBE_LINE);
    cr_assert_not_null(strstr(objfile_file(o, s.decl_file), "archive/describe.c"));
    while (at < vaddr + s.size && objfile_inlines(o, at, chain, 4) == 0)
        at = objfile_inline_boundary(o, at);
    cr_assert_eq(objfile_inlines(o, at, chain, 4), 1);
    cr_assert_eq(chain[0].call_line, PROBE_LINE + 2);
    cr_assert_eq(objfile_func(o, chain[0].func, &f), 0);
    cr_assert_str_eq(f.name, "inlined");
    cr_assert(f.inlined);
    objfile_close(o);
}

/* Whatever a byte of headers and sections becomes, it is described or refused. */
Test(describe, survives_change, .timeout = 100)
{
    struct image img, changed;
    struct description d;
    unsigned char *copy;
    u64 random = 12345;

    cr_assert_eq(image_open(&img, AT_FDCWD, "/proc/self/exe"), 0);
    copy = malloc(img.file.size);
    cr_assert_not_null(copy);
    for (u32 round = 0; round < 300; round++) {
        memcpy(copy, img.file.at, img.file.size);
        for (u32 i = 0; i < 1 + round % 20; i++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            copy[(random >> 20) % img.file.size] = (unsigned char)(random >> 56);
        }
        if (round % 3 == 0) /* and the headers in particular */
            copy[random % 64] ^= (unsigned char)(random >> 48);
        if (image_open_memory(&changed, "/changed", (struct bytes){copy, img.file.size},
                              false) < 0)
            continue;
        if (describe(&d, &changed) == 0)
            describe_free(&d);
        image_close(&changed);
    }
    free(copy);
    image_close(&img);
}

Test(describe, refuses_what_has_no_code)
{
    struct image img;

    cr_assert_eq(image_open(&img, AT_FDCWD, "/dev/null"), -ENOEXEC);
    cr_assert_eq(image_open(&img, AT_FDCWD, "/etc/passwd"), -ENOEXEC);
    cr_assert_eq(image_open(&img, AT_FDCWD, "/"), -ENOEXEC);
    cr_assert_eq(image_open(&img, AT_FDCWD, "/no/such"), -ENOENT);
}
