/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/gate.h"

#include <criterion/criterion.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/sig/space.h"

enum { FLAGS = 2048 }; /* all combinations of enum er_ctl_flag */

Test(gate, what_is_shut_does_nothing_whatever_else_holds)
{
    for (u32 flags = 0; flags < FLAGS; flags++)
        for (int i = 0; i < 4; i++)
            cr_assert_eq(gate_state_of(0, i & 1, i >> 1, flags), GATE_SHUT);
}

Test(gate, a_vfork_child_has_no_other_state)
{
    for (u32 flags = 0; flags < FLAGS; flags++)
        for (int leaving = 0; leaving < 2; leaving++)
            cr_assert_eq(gate_state_of(1, 0, leaving, flags), GATE_VFORK_CHILD);
}

Test(gate, flags_count_until_the_process_leaves)
{
    for (u32 flags = 0; flags < FLAGS; flags++) {
        enum gate_state state = gate_state_of(1, 1, 0, flags);

        cr_assert_eq(gate_state_of(1, 1, 1, flags), GATE_LEAVING);
        if (flags & (CTL_ENDED | CTL_NO_SPACE | CTL_LIMIT))
            cr_assert_eq(state, GATE_OVER);
        else if (flags & CTL_PAUSED)
            cr_assert_eq(state, GATE_PAUSED);
        else
            cr_assert_eq(state, GATE_RECORDING);
    }
}

static void
child_is_shut(void)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        _exit(gate_state() == GATE_SHUT ? 0 : 1);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert_eq(status, 0);
}

Test(gate, the_state_follows_each_step)
{
    struct ctl ctl = { .flags = 0 };

    space_ctl = &ctl;
    cr_assert_eq(gate_state(), GATE_SHUT);
    cr_assert_eq(gate_open((u32)getpid() + 1), 0);
    cr_assert_eq(gate_state(), GATE_VFORK_CHILD);
    cr_assert_eq(gate_open((u32)getpid()), 0);
    cr_assert_eq(gate_state(), GATE_RECORDING);
    child_is_shut();
    ctl.flags = CTL_PAUSED;
    cr_assert_eq(gate_state(), GATE_PAUSED);
    ctl.flags |= CTL_LIMIT;
    cr_assert_eq(gate_state(), GATE_OVER);
    gate_leave();
    cr_assert_eq(gate_state(), GATE_LEAVING);
    cr_assert(gate_is_leaving());
    gate_stay();
    cr_assert_eq(gate_state(), GATE_OVER);
    gate_leave();
    gate_shut();
    cr_assert_eq(gate_state(), GATE_SHUT);
    ctl.flags = 0;
    cr_assert_eq(gate_open((u32)getpid()), 0);
    cr_assert_eq(gate_state(), GATE_RECORDING);
}
