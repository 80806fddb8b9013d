/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/trust.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tree scratch/lib/x below one that only its owner may write. */
static char scratch[64];

static void
make(void)
{
    FILE *f;

    snprintf(scratch, sizeof(scratch), "/tmp/ertools-trust.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    cr_assert_eq(chdir(scratch), 0);
    cr_assert_eq(mkdir("lib", 0755), 0);
    f = fopen("lib/x", "w");
    cr_assert_not_null(f);
    fclose(f);
    cr_assert_eq(chmod("lib/x", 0644), 0);
    cr_assert_eq(chmod("lib", 0755), 0);
}

static void
clean(void)
{
    char command[128];

    snprintf(command, sizeof(command), "rm -rf %s", scratch);
    cr_assert_eq(system(command), 0);
}

TestSuite(trust, .init = make, .fini = clean);

/* /tmp itself is the business of whoever runs the test: it may be anything. */
static void
expect(const char *where)
{
    char path[256], wanted[256];
    int open;

    snprintf(path, sizeof(path), "%s/lib/x", scratch);
    open = trust_is_open(path);
    if (where) {
        snprintf(wanted, sizeof(wanted), "%s%s", scratch, where);
        cr_assert(open);
        cr_assert_str_eq(path, wanted);
    } else {
        cr_assert(!open || !strcmp(path, "/tmp"));
    }
}

Test(trust, finds_what_all_may_write)
{
    expect(NULL);
    cr_assert_eq(chmod("lib", 0777), 0);
    expect("/lib");
    cr_assert_eq(chmod("lib/x", 0666), 0);
    expect("/lib/x");
    cr_assert_eq(chmod("lib/x", 0644), 0);
    cr_assert_eq(chmod("lib", 01777), 0);
    expect(NULL);
    cr_assert_eq(chmod(scratch, 0777), 0);
    expect("");
}
