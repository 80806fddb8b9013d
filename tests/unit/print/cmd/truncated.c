/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments of which a file was cut off, at any length, as a power cut or a full disk
 * does: whatever is asked, nothing crashes. EVERY=1 tries each length of each file.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>

#include "print/base/array.h"
#include "tests/fuzz/print_all.h"

enum { FILE_BYTES_MAX = 1 << 20 };

static char dir[] = "/tmp/ertools-truncated.XXXXXX";
static unsigned char whole[FILE_BYTES_MAX];

static void
copy_experiments(void)
{
    char command[512];

    cr_assert_not_null(mkdtemp(dir));
    snprintf(command, sizeof(command), "cp -r %s/tests/experiments/*.er %s", TOP_SRC,
             dir);
    cr_assert_eq(system(command), 0);
}

static void
remove_experiments(void)
{
    char command[128];

    snprintf(command, sizeof(command), "rm -rf %s", dir);
    cr_assert_eq(system(command), 0);
}

/* Short ones, those near the ends of pages, and some in between. */
static bool
is_chosen(size_t length, size_t size)
{
    return length <= 12 || (length + 1) % 4096 < 3 || length % (size / 32 + 1) == 0 ||
           getenv("EVERY");
}

static size_t
read_whole(const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t size;

    cr_assert_not_null(f);
    size = fread(whole, 1, sizeof(whole), f);
    fclose(f);
    cr_assert_lt(size, sizeof(whole));
    return size;
}

static int
cut(const char *experiment, const char *path)
{
    size_t size = read_whole(path);
    int count = 0;

    for (size_t length = 0; length < size; length++) {
        if (!is_chosen(length, size))
            continue;
        print_all_put(path, whole, length);
        print_all(experiment);
        count++;
    }
    print_all_put(path, whole, size);
    return count;
}

/* Every file of one experiment; returns how many lengths were tried. */
static int
cut_all(const char *name)
{
    static const char *const patterns[] = { "*", "archives/*.ero" };
    char experiment[64], pattern[128];
    int count = 0;

    snprintf(experiment, sizeof(experiment), "%s/%s", dir, name);
    for (u32 i = 0; i < ER_COUNT(patterns); i++) {
        glob_t found;

        snprintf(pattern, sizeof(pattern), "%s/%s", experiment, patterns[i]);
        cr_assert_eq(glob(pattern, GLOB_MARK, NULL, &found), 0);
        for (size_t f = 0; f < found.gl_pathc; f++)
            if (!strchr(found.gl_pathv[f] + strlen(found.gl_pathv[f]) - 1, '/'))
                count += cut(experiment, found.gl_pathv[f]);
        globfree(&found);
    }
    return count;
}

Test(truncated, at_any_length, .timeout = 3000)
{
    copy_experiments();
    cr_assert_gt(cut_all("mix.er"), 100);
    cr_assert_gt(cut_all("heap.er"), 100);
    remove_experiments();
}
