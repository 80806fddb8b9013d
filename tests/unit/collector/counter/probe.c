/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/counter/probe.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/counter/counter.h"
#include "collector/inspect/elfsym.h"

static struct counter_event event;
static char name[COUNTER_NAME], error[COUNTER_ERROR], self[4096];

__attribute__((noinline, used)) int probe_test_function(int n);

int
probe_test_function(int n)
{
    return n + 1;
}

static void
find_self(void)
{
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

    cr_assert_gt(len, 0);
}

static int
find(const char *spec)
{
    find_self();
    error[0] = name[0] = '\0';
    return probe_find(spec, self, &event, name, error);
}

Test(probe, its_slashes_and_commas_are_its_own)
{
    cr_assert(probe_is("uprobe/a:f/"));
    cr_assert(!probe_is("uprobes/a:f/"));
    cr_assert_eq(probe_length("uprobe/a,b/c:f/,hi"), 15);
    cr_assert_eq(probe_length("uprobe/a:f/"), 11);
    cr_assert_eq(probe_length("uprobe/a:f"), 10);
}

Test(probe, a_function_of_the_target)
{
    u64 begin;

    cr_assert_eq(find("uprobe/:probe_test_function/"), 0, "%s", error);
    cr_assert(strstr(name, "probe:probe_test_function"), "%s", name);
    cr_assert_not_null(event.path);
    cr_assert_eq(event.pace, PACE_CALL);
    begin = event.config2;
    cr_assert_eq(find("uprobe/:probe_test_function+4/"), 0);
    cr_assert_eq(event.config2, begin + 4);
    cr_assert(strstr(name, "probe_test_function+4"), "%s", name);
}

/* Its code is at that place of the file. */
Test(probe, the_offset_is_where_the_code_is)
{
    unsigned char bytes[16];
    u64 offset = 0;
    int fd;

    find_self();
    cr_assert_eq(elfsym_find(self, "probe_test_function", &offset), 0);
    fd = open(self, O_RDONLY);
    cr_assert_eq(pread(fd, bytes, sizeof(bytes), (off_t)offset), sizeof(bytes));
    cr_assert_eq(memcmp(bytes, (const void *)(size_t)probe_test_function,
                        sizeof(bytes)), 0);
    close(fd);
}

Test(probe, places_of_files_and_returns)
{
    char spec[5000];

    find_self();
    snprintf(spec, sizeof(spec), "uprobe/%s:0x1234/", self);
    cr_assert_eq(find(spec), 0, "%s", error);
    cr_assert_eq(event.config2, 0x1234);
    cr_assert(strstr(name, ":0x1234"), "%s", name);
    cr_assert_eq(find("uprobe/:probe_test_function%return/"), 0, "%s", error);
    cr_assert(strstr(name, "%return"));
}

Test(probe, mistakes_have_a_sentence)
{
    static const char *const wrong[][2] = {
        { "uprobe/:/", "is no probe" },
        { "uprobe/", "is no probe" },
        { "uprobe/f/", "is no probe" },
        { "uprobe/:f+/", "is no probe" },
        { "uprobe/:0xyz/", "is no probe" },
        { "uprobe/:%return/", "is no probe" },
        { "uprobe/:no_such_function/", "has no function" },
        { "uprobe/:probe_test_functio/", "has no function" },
        { "uprobe//no/such/file:f/", "cannot be read" },
        { "uprobe//dev/null:f/", "is no program" },
    };

    for (size_t i = 0; i < ER_COUNT(wrong); i++) {
        cr_assert_eq(find(wrong[i][0]), -EINVAL, "%s", wrong[i][0]);
        cr_assert(strstr(error, wrong[i][1]), "%s: %s", wrong[i][0], error);
    }
}

Test(probe, a_long_function_has_a_name_that_fits)
{
    char spec[400];

    memset(spec, 'x', sizeof(spec));
    memcpy(spec, "uprobe/:", 8);
    strcpy(spec + sizeof(spec) - 2, "/");
    cr_assert_eq(find(spec), -EINVAL);
    cr_assert(strstr(error, "has no function"));
}

/* This program's file, spoiled at a place, or shorter. */
static void
spoil(const char *path, size_t at, unsigned char value, size_t length)
{
    static unsigned char bytes[1 << 20];
    int fd;
    ssize_t n;

    find_self();
    fd = open(self, O_RDONLY);
    n = read(fd, bytes, sizeof(bytes));
    close(fd);
    cr_assert_gt(n, 4096);
    if (at < (size_t)n)
        bytes[at] = value;
    if (length && length < (size_t)n)
        n = (ssize_t)length;
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_eq(write(fd, bytes, (size_t)n), n);
    close(fd);
}

/* Whatever is wrong with it: an answer, and a place in the file. */
Test(elfsym, damaged_files)
{
    char path[] = "/tmp/elfsym-XXXXXX";
    int fd = mkstemp(path);
    u64 offset;

    cr_assert_geq(fd, 0);
    close(fd);
    for (size_t at = 0; at < sizeof(Elf64_Ehdr); at++)
        for (int value = 0; value < 256; value += 255) {
            spoil(path, at, (unsigned char)value, 0);
            (void)elfsym_find(path, "probe_test_function", &offset);
            (void)elfsym_entry(path, &offset);
        }
    for (size_t length = 1; length < 4096; length += 97) {
        spoil(path, 0, ELFMAG0, length);
        cr_assert_lt(elfsym_find(path, "probe_test_function", &offset), 0);
    }
    unlink(path);
}

Test(probe, reasons_are_sentences)
{
    cr_assert(strstr(probe_reason(-ENOENT), "no uprobes"));
    cr_assert(strstr(probe_reason(-EACCES), "CAP_PERFMON"));
    cr_assert(strstr(probe_reason(-EINVAL), "no probe there"));
    cr_assert(*probe_reason(-EMFILE));
}

/* A kernel without that PMU. */
Test(probe, where_there_are_none)
{
    struct counter_set counters = { 0 };

    find_self();
    counters.program = self;
    counter_devices = "/nonexistent";
    cr_assert_lt(probe_try(), 0);
    cr_assert_eq(counter_add(&counters, "uprobe/:probe_test_function/,page-faults",
                             error), 0, "%s", error);
    counter_try(&counters);
    cr_assert_geq(counters.missing, 1);
    cr_assert(strstr(counters.left_out[0].name, ":probe_test_function"));
    cr_assert(strstr(counters.left_out[0].why, "no uprobes") ||
              strstr(counters.left_out[0].why, "not permitted"));
}

/* Paths that the control page has no room for. */
Test(probe, the_control_page_has_limits)
{
    static struct counter_set counters;
    static struct ctl ctl;
    static char path[ER_PROBE_BYTES];
    u32 have;

    find_self();
    counters.program = self;
    cr_assert_eq(counter_add(&counters, "uprobe/:probe_test_function/,"
                                        "uprobe/:0x10/", error), 0, "%s", error);
    counter_hand_over(&counters, &ctl);
    cr_assert_str_eq(ctl.probe, self);
    cr_assert_eq(ctl.counter[0].config1, 0);
    cr_assert_eq(ctl.counter[1].config1, 0, "one path stands there once");
    memset(path, 'p', sizeof(path) - 1);
    counters.counter[1].path = path;
    have = counters.count;
    counter_try(&counters);
    cr_assert_eq(counters.count + counters.missing, have);
    cr_assert(strstr(counters.left_out[counters.missing - 1].why, "too long"));
}
