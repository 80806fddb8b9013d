/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/disasm.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "tests/gen/stage.h"

TestSuite(disasm, .init = stage_up, .fini = stage_down);

static u32
func(const char *name)
{
    u32 *ids, count, id;

    cr_assert_eq(function_find(stage, name, &ids, &count), 0);
    id = ids[0];
    free(ids);
    return id;
}

Test(disasm, every_instruction_with_its_place_and_sums)
{
    struct disasm d;

    cr_assert_eq(disasm_function(stage, func("f5"), METRIC_totalcpu, 75, &d), 0);
    cr_assert_eq(d.count, 9); /* 7 nops, jmp, nop */
    for (u32 i = 0; i < 8; i++)
        cr_assert_eq(d.line[i].addr, GEN_CODE + 5 * GEN_FUNC_BYTES + 8 * i);
    cr_assert_eq(d.line[0].line, 51);
    cr_assert_eq(d.line[0].length, 8);
    cr_assert_eq(d.line[0].bytes[0], 0x0f);
    cr_assert_eq(d.line[0].depth, 0);
    cr_assert_eq(d.line[4].depth, 1);
    cr_assert_str_eq(function_name(stage, d.line[4].func), "inlined_5");
    cr_assert_eq(d.line[4].line, 59);
    cr_assert(d.line[4].heading && !d.line[5].heading && d.line[6].heading);
    cr_assert_eq(d.line[4].excl.v[0], 5 * MS);
    cr_assert(d.line[4].hot);
    cr_assert_not(d.line[0].hot);
    cr_assert_not_null(strstr(d.line[7].text, "<f6>"));
    disasm_free(&d);
}

Test(disasm, calls_have_the_time_of_their_callees)
{
    struct disasm d;

    cr_assert_eq(disasm_function(stage, func("f1"), METRIC_totalcpu, 75, &d), 0);
    cr_assert_eq(d.line[2].incl.v[0], 19 * MS);
    cr_assert_eq(d.line[3].incl.v[0], 14 * MS);
    cr_assert_eq(d.line[2].excl.v[0], 0);
    disasm_free(&d);
}

Test(disasm, what_has_none)
{
    struct disasm d;

    cr_assert_eq(disasm_function(stage, FUNC_UNKNOWN, 0, 75, &d), -ENODATA);
    cr_assert_eq(disasm_function(stage, func("inlined_5"), 0, 75, &d), -ENODATA);
}
