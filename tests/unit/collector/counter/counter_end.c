/* SPDX-License-Identifier: Apache-2.0 */
/* What is logged of counters at the end. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/counter/counter.h"
#include "share/experiment.h"

static char scratch[64];
static struct counter_set counters;
static struct expdir experiment;
static char text[65536];

static void
make(void)
{
    strcpy(scratch, "/tmp/ertools-counter-end.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    cr_assert_eq(experiment_create(&experiment,
                                   open(scratch, O_RDONLY | O_DIRECTORY), "a.er"),
                 0);
}

static void
discard(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(counter_end, .init = make, .fini = discard);

/* A counter whose total reads as these. */
static void
add(const char *name, u64 value, u64 enabled, u64 running)
{
    struct counter *c = &counters.counter[counters.count++];
    u64 got[3] = { value, enabled, running };

    strcpy(c->name, name);
    c->total = memfd_create(name, 0);
    cr_assert_eq(pwrite(c->total, got, sizeof(got), 0), sizeof(got));
}

static void
put_row(u32 id, u64 lost, u64 throttled)
{
    struct rec_thread row = { .id = id, .count_lost = lost,
                              .count_throttled = throttled };

    cr_assert_eq(pwrite(experiment.file[FILE_threads], &row, sizeof(row),
                        (off_t)(id * sizeof(row))),
                 sizeof(row));
    if (experiment.ctl->threads < id)
        experiment.ctl->threads = id;
}

static const char *
logged(void)
{
    ssize_t len;

    counter_log_end(&counters, &experiment);
    len = pread(experiment.log, text, sizeof(text) - 1, 0);
    text[len > 0 ? len : 0] = '\0';
    return text;
}

Test(counter_end, nothing_where_nothing_is_wrong)
{
    add("cycles", 1000, 5000000, 4990000);
    add("page-faults", 3, 5000000, 5000000);
    put_row(1, 0, 0);
    cr_assert(!strstr(logged(), "id=\"counter_"));
}

Test(counter_end, which_counters_took_turns)
{
    add("cycles", 1000, 4000000, 1000000);
    add("instructions", 1000, 4000000, 4000000);
    logged();
    cr_assert(strstr(text, "id=\"counter_shared\""), "%s", text);
    cr_assert(strstr(text, "cycles counted 25.0 % of the time"), "%s", text);
    cr_assert(!strstr(text, "instructions"));
}

/* More rows than are read at a time, with gaps. */
Test(counter_end, what_the_kernel_did_to_them)
{
    add("cycles", 1000, 0, 0);
    put_row(1, 5, 0);
    put_row(3, 0, 7);
    put_row(200, 40, 2);
    logged();
    cr_assert(strstr(text, "id=\"counter_throttled\""), "%s", text);
    cr_assert(strstr(text, "for a tick, 9 times"), "%s", text);
    cr_assert(strstr(text, "id=\"counter_lost\""), "%s", text);
    cr_assert(strstr(text, "did not describe 45 overflows"), "%s", text);
}
