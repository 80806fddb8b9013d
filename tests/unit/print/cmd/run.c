/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/run.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

static struct shell sh;

static void
start(void)
{
    cr_redirect_stderr();
    cr_assert_eq(shell_start(&sh), 0);
}

static void
stop(void)
{
    cr_assert_eq(shell_end(&sh), 0);
}

TestSuite(run, .init = start, .fini = stop);

Test(run, settings)
{
    cr_assert_eq(run_line(&sh, "limit 12"), 0);
    cr_assert_eq(sh.limit, 12);
    cr_assert_eq(run_line(&sh, "STHRESH 5"), 0);
    cr_assert_eq(sh.sthresh, 5);
    cr_assert_eq(run_line(&sh, "dthresh 6 # six"), 0);
    cr_assert_eq(sh.dthresh, 6);
    cr_assert_eq(run_line(&sh, "printmode ;"), 0);
    cr_assert_eq(sh.separator, ';');
    cr_assert_eq(run_line(&sh, "name short:soname"), 0);
    cr_assert_eq(sh.session->names, NAME_SHORT);
    cr_assert(sh.session->soname);
    cr_assert_eq(run_line(&sh, "name long"), 0);
    cr_assert(sh.session->soname, "stays as it was");
    cr_assert_eq(run_line(&sh, "sort -i.user"), 0);
    cr_assert(sh.sort.reverse);
    cr_assert_eq(run_line(&sh, "sort default"), 0);
    cr_assert(!sh.sort.reverse);
    cr_assert(!sh.failed);
}

Test(run, failures_change_nothing)
{
    cr_assert_eq(run_line(&sh, "limit 3"), 0);
    cr_assert_eq(run_line(&sh, "limit 4 5"), 1);
    cr_assert_eq(run_line(&sh, "limit"), 1);
    cr_assert_eq(run_line(&sh, "limit -1"), 1);
    cr_assert_eq(run_line(&sh, "limit 99999999999999999999"), 1);
    cr_assert_eq(sh.limit, 3);
    cr_assert_eq(run_line(&sh, "metrics x.user"), 1);
    cr_assert_eq(sh.metrics.n, 4);
    cr_assert_eq(run_line(&sh, "functions"), 1, "there is no experiment");
    cr_assert_eq(run_line(&sh, "dmetrics e.user"), 1, "this is no rc file");
    cr_assert(sh.failed);
    cr_assert_null(sh.command);
    cr_assert(!sh.quit);
}

Test(run, rc_files_hold_settings_only)
{
    sh.rc = true;
    cr_assert_eq(run_line(&sh, "outfile /dev/null"), 1);
    cr_assert_eq(run_line(&sh, "script /dev/null"), 1);
    cr_assert_eq(run_line(&sh, "dmetrics i.system"), 0);
    cr_assert_eq(sh.metrics.n, 1);
}

Test(run, empty_lines)
{
    cr_assert_eq(run_line(&sh, ""), 0);
    cr_assert_eq(run_line(&sh, "   # limit x"), 0);
    cr_assert_eq(run_line(&sh, "limit \"3"), 1);
}

Test(run, stream)
{
    char text[] = "limit 7\nlimit x\nlimit 8\nquit\nlimit 9\n";
    FILE *f = fmemopen(text, strlen(text), "r");

    cr_assert_eq(run_stream(&sh, f, "here"), 1);
    cr_assert_eq(sh.limit, 7, "an error stops");
    cr_assert(sh.stop && !sh.quit);
    cr_assert_null(sh.file);
    fclose(f);
}
