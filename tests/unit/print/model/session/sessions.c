/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/session/sessions.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "print/model/views/account.h"
#include "print/model/views/calltree.h"
#include "print/model/views/disasm.h"
#include "print/model/views/source.h"
#include "tests/gen/stage.h"

TestSuite(session, .init = stage_up, .fini = stage_down);

static const struct order by_excl = { ORDER_METRIC, METRIC_totalcpu, FLAVOUR_EXCLUSIVE,
                                      false };

Test(session, refuses_what_is_no_experiment)
{
    char *why;

    cr_assert_eq(sessions_add(stage, "/dev/null/x.er", &why), -ENOTDIR);
    cr_assert_not_null(strstr(why, "/dev/null/x.er"));
    free(why);
    cr_assert_eq(stage->nexperiments, 1);
    cr_assert_eq(sessions_drop(stage, 1), -ENOENT);
}

Test(session, a_group_with_a_bad_member_still_opens)
{
    char *path = scene_path(stage_dir, "g.erg"), *why;
    FILE *f = fopen(path, "w");

    fputs("#analyzer experiment group\nnone.er\na.er\n", f);
    fclose(f);
    cr_assert_eq(sessions_add(stage, path, &why), 0);
    cr_assert_eq(stage->nexperiments, 2);
    cr_assert_eq(stage->experiment[1]->problems.count, 1);
    cr_assert_not_null(strstr(stage->experiment[1]->problems.text[0], "none.er"));
    f = fopen(path, "w");
    fputs("#analyzer experiment group\nnone.er\n", f);
    fclose(f);
    cr_assert_eq(sessions_add(stage, path, &why), -ENOENT);
    cr_assert_not_null(strstr(why, "none.er"));
    free(why);
    free(path);
}

/* Ask everything of a session. */
static void
ask_all(struct session *s)
{
    struct account account;
    struct calltree tree;
    struct rows rows;

    for (u32 i = 0; i < s->nexperiments; i++)
        if (account_build(s, i, &account) == 0)
            account_free(&account);
    cr_assert_eq(calltree_build(s, &by_excl, &tree), 0);
    calltree_free(&tree);
    cr_assert_eq(view_pcs(s, &by_excl, &rows), 0);
    rows_free(&rows);
    cr_assert_eq(view_lines(s, &by_excl, &rows), 0);
    rows_free(&rows);
    cr_assert_eq(view_threads(s, &by_excl, &rows), 0);
    rows_free(&rows);
    cr_assert_eq(view_intervals(s, &rows), 0);
    rows_free(&rows);
    cr_assert_eq(view_functions(s, &by_excl, &rows), 0);
    for (u32 i = 0; i < rows.count; i++) {
        struct around around;
        struct source source;
        struct disasm disasm;

        cr_assert_eq(view_around(s, &rows.row[i].func, 1, &by_excl, &around), 0);
        around_free(&around);
        if (source_function(s, rows.row[i].func, 0, 75, &source) == 0)
            source_free(&source);
        if (disasm_function(s, rows.row[i].func, 0, 75, &disasm) == 0)
            disasm_free(&disasm);
    }
    rows_free(&rows);
}

/* Overwrite a byte of a file and return what it was; see put_back(). */
static unsigned char
spoil(int fd, off_t at, unsigned char new)
{
    unsigned char old;

    cr_assert_eq(pread(fd, &old, 1, at), 1);
    cr_assert_eq(pwrite(fd, &new, 1, at), 1);
    return old;
}

Test(session, no_mutated_experiment_does_harm)
{
    const char *files[] = { "log.xml",   "map.xml",           "frameinfo",
                            "frameinfo", "archives/aa01.ero", "threads" };
    u32 random = 7;

    for (u32 run = 0; run < 600; run++) {
        char path[500], *name = scene_path(stage_dir, "a.er"), *why;
        struct session *s;
        unsigned char old;
        off_t at;
        int fd;

        snprintf(path, sizeof(path), "%s/%s", name, files[run % ER_COUNT(files)]);
        fd = open(path, O_RDWR);
        random = random * 1664525 + 1013904223;
        at = (random >> 8) % (u32)lseek(fd, 0, SEEK_END);
        old = spoil(fd, at, (unsigned char)(random >> 4));
        cr_assert_eq(sessions_open(&s), 0);
        if (sessions_add(s, name, &why) == 0)
            ask_all(s);
        else
            free(why);
        sessions_close(s);
        spoil(fd, at, old);
        close(fd);
        free(name);
    }
}

Test(session, an_experiment_without_archive_has_functions_by_object)
{
    char path[500];
    struct rows rows;
    bool found = false;

    snprintf(path, sizeof(path), "%s/a.er/archives/aa02.ero", stage_dir);
    unlink(path);
    cr_assert_eq(view_functions(stage, &by_excl, &rows), 0);
    for (u32 i = 0; i < rows.count; i++) {
        if (strcmp(function_name(stage, rows.row[i].func), "<Unknown> (lib.so)"))
            continue;
        found = true;
        cr_assert_eq(rows.row[i].excl.v[0], 14 * MS);
    }
    cr_assert(found);
    rows_free(&rows);
}
