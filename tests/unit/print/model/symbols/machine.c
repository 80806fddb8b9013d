/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/machine.h"

#include <criterion/criterion.h>

#include "print/model/symbols/function.h"
#include "tests/gen/stage.h"

TestSuite(machine, .init = stage_up, .fini = stage_down);

Test(machine, starts_of_instructions)
{
    struct machine_run run = { .file = object_file(stage, 1) };
    u64 f3 = GEN_CODE + 3 * GEN_FUNC_BYTES;

    cr_assert_eq(machine_start(&run, f3 + 15), f3 + 8);
    cr_assert_eq(machine_start(&run, f3 + 16), f3 + 16);
    cr_assert_eq(machine_start(&run, f3 + 60), f3 + 56); /* the jump, 5 bytes */
    cr_assert_eq(machine_start(&run, f3 + 63), f3 + 61);
    cr_assert_eq(machine_start(&run, f3 + 63), f3 + 61);
    cr_assert_eq(machine_start(&run, f3 + 70), f3 + 64); /* the next function */
    cr_assert_eq(machine_start(&run, f3 + 1), f3);       /* back again */
    cr_assert_eq(machine_start(&run, 5), 5);             /* no function */
    machine_run_close(&run);
}
