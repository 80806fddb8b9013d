/* SPDX-License-Identifier: Apache-2.0 */
/* Requests on the founder's page, made here by the process itself. */
#include "collector/launch/family.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[64];
static struct request request = { .follow = 1 };
static struct recording founder;
static struct family *f;

static void
start(void)
{
    int top;

    strcpy(scratch, "/tmp/ertools-family.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    top = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    founder.request = &request;
    founder.pid = 1;
    cr_assert_eq(experiment_create(&founder.experiment, top, "a.er"), 0);
    f = family_start(&founder);
    cr_assert_not_null(f);
}

static void
stop(void)
{
    const siginfo_t ended = { .si_code = CLD_EXITED };
    char command[128] = "rm -rf ";

    (void)family_settle(f, &ended, &founder.account, 0);
    family_end(f);
    experiment_close(&founder.experiment);
    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(family, .init = start, .fini = stop);

/* The answer: the new experiment's name, or NULL. */
static const char *
ask(enum er_how how, const char *creator)
{
    struct ctl_request *r = &founder.experiment.ctl->request[3];
    u32 state;

    memset(r, 0, sizeof(*r));
    r->how = (u32)how;
    snprintf(r->creator, sizeof(r->creator), "%s", creator);
    r->state = (u32)getpid() << REQUEST_BITS | REQUEST_ASKED;
    family_serve(f);
    state = r->state & REQUEST_STATE;
    cr_assert_eq(r->state >> REQUEST_BITS, (u32)getpid());
    cr_assert(state == REQUEST_GRANTED || state == REQUEST_REFUSED);
    return state == REQUEST_GRANTED ? r->name : NULL;
}

static void
put_map(void)
{
    cr_assert_eq(write(founder.experiment.map, "<map>\n", 6), 6);
}

Test(family, names_are_lineages)
{
    put_map();
    cr_assert_str_eq(ask(HOW_FORK, ""), "_f1.er");
    cr_assert_str_eq(ask(HOW_FORK, ""), "_f2.er");
    cr_assert_str_eq(ask(HOW_SPAWN, ""), "_f3_x1.er");
    cr_assert_str_eq(ask(HOW_CLONE, "_f2.er"), "_f2_c1.er");
    cr_assert_str_eq(ask(HOW_SPAWN, "_f3_x1.er"), "_f3_x1_f1_x1.er");
    cr_assert(family_alive(f));
    cr_assert_eq(faccessat(founder.experiment.dir, "_f2_c1.er/log.xml", F_OK, 0), 0);
}

Test(family, an_exec_ends_what_was_before)
{
    cr_assert_str_eq(ask(HOW_EXEC, ""), "_x1.er");
    cr_assert(founder.became);
    cr_assert_str_eq(ask(HOW_EXEC, "_x1.er"), "_x1_x1.er");
}

Test(family, names_have_an_end)
{
    char creator[ER_NAME_BYTES];

    memset(creator, 'x', sizeof(creator));
    strcpy(creator + 130, ".er");
    cr_assert_str_eq(ask(HOW_SPAWN, creator), "_d1.er");
    cr_assert_str_eq(ask(HOW_SPAWN, creator), "_d2.er");
}

Test(family, no_way_out_of_the_directory)
{
    cr_assert_null(ask(HOW_FORK, "../a.er"));
    cr_assert_null(ask(HOW_FORK, ".."));
    cr_assert_null(ask(HOW_FORK, "_f9.er"), "a creator that is not there has no map");
    cr_assert_null(ask(HOW_COUNT, ""));
}

Test(family, nothing_begins_after_the_end)
{
    founder.experiment.ctl->flags |= CTL_LIMIT;
    cr_assert_null(ask(HOW_SPAWN, ""));
    founder.experiment.ctl->flags = CTL_ENDED;
    cr_assert_null(ask(HOW_SPAWN, ""));
}

Test(family, a_dead_process_leaves_no_request)
{
    struct ctl_request *r = &founder.experiment.ctl->request[0];

    r->state = 0x1ffffff0u << REQUEST_BITS | REQUEST_CLAIMED;
    family_serve(f);
    cr_assert_eq(r->state, REQUEST_FREE);
}

static u32
flags_of(const char *control)
{
    int fd = openat(founder.experiment.dir, control, O_RDONLY);
    u32 flags = ~0u;

    cr_assert_eq(pread(fd, &flags, sizeof(flags), offsetof(struct ctl, flags)), 4);
    close(fd);
    return flags;
}

Test(family, pauses_are_handed_on)
{
    put_map();
    founder.experiment.ctl->flags |= CTL_PAUSED;
    cr_assert_not_null(ask(HOW_FORK, ""));
    cr_assert_eq(flags_of("_f1.er/.control"), CTL_PAUSED);
    family_flags(f, 0, CTL_PAUSED, EVENT_resume, "the test");
    cr_assert_eq(flags_of("_f1.er/.control"), 0);
}
