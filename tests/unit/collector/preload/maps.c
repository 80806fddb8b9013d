/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/maps.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct search {
    u64 at;
    u32 lines;
    u32 out_of_order;
    u64 last;
    struct maps_line found;
    char name[4096];
};

static void
each(const struct maps_line *line, void *arg)
{
    struct search *s = arg;

    s->lines++;
    s->out_of_order += line->lo < s->last || line->hi <= line->lo;
    s->last = line->hi;
    if (s->at < line->lo || s->at >= line->hi)
        return;
    s->found = *line;
    strncpy(s->name, line->name, sizeof(s->name) - 1);
}

static struct search
find(const void *p)
{
    struct search s = { .at = (u64)(uintptr_t)p };

    cr_assert_eq(maps_read(each, &s), 0);
    return s;
}

Test(maps, code_and_stack)
{
    int here;
    struct search s = find((void *)(uintptr_t)find);

    cr_expect(s.found.executable);
    cr_expect_gt(s.found.inode, 0);
    cr_expect_eq(s.name[0], '/');
    cr_expect_eq(s.out_of_order, 0);
    s = find(&here);
    cr_expect_not(s.found.executable);
    cr_expect_str_eq(s.name, "[stack]");
}

Test(maps, a_file_with_a_strange_name)
{
    char path[] = "/tmp/maps with  blanks XXXXXX";
    int fd = mkstemp(path);
    struct search s;
    struct stat st;
    char *p;

    cr_assert_geq(fd, 0);
    cr_assert_eq(ftruncate(fd, 3 * 4096), 0);
    p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 2 * 4096);
    fstat(fd, &st);
    s = find(p);
    unlink(path);
    cr_expect_str_eq(s.name, path);
    cr_expect_eq(s.found.lo, (u64)(uintptr_t)p);
    cr_expect_eq(s.found.hi, (u64)(uintptr_t)p + 4096);
    cr_expect_eq(s.found.offset, 2 * 4096);
    cr_expect_eq(s.found.inode, st.st_ino);
    cr_expect_eq(makedev(s.found.major, s.found.minor), st.st_dev);
}

Test(maps, more_than_a_buffer)
{
    enum { MANY = 3000 };
    char *p = mmap(NULL, MANY * 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct search s;

    for (int i = 0; i < MANY; i++)
        mprotect(p + i * 8192, 4096, PROT_READ | PROT_WRITE);
    s = find(p + (MANY - 1) * 8192);
    cr_expect_geq(s.lines, MANY * 2 - 1);
    cr_expect_eq(s.out_of_order, 0);
    cr_expect_eq(s.found.lo, (u64)(uintptr_t)(p + (MANY - 1) * 8192));
    cr_expect_str_eq(s.name, "");
}
