/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/stacks.h"
#include "print/model/session/sessions.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/gen/stage.h"

TestSuite(stacks, .init = stage_up, .fini = stage_down);

/* The ids that scene.c gives its nodes, in the order of put_nodes(). */
enum { ID_F0 = 1, ID_F1, ID_AGAIN, ID_CUT, ID_G2, ID_INLINED, ID_F2, ID_F1_TWICE,
       ID_F2_TWICE, ID_F3, ID_OWN, ID_LOST };

static u32
node(u32 id)
{
    u32 n;

    cr_assert_eq(stacks_of(stage, 0, id, &n), 0);
    return n;
}

static u32
site(u32 id)
{
    return stage->stacks->node[node(id)].site;
}

Test(stacks, duplicates_are_one)
{
    cr_assert_eq(node(ID_F2), node(ID_F2_TWICE));
    cr_assert_eq(node(ID_F1), node(ID_F1_TWICE));
    cr_assert_neq(node(ID_F1), node(ID_AGAIN));
}

Test(stacks, parents_come_first)
{
    node(ID_G2);
    for (u32 i = 1; i < stage->stacks->count; i++)
        cr_assert(stage->stacks->node[i].parent < i);
}

Test(stacks, the_collectors_frames_are_left_out)
{
    cr_assert_eq(node(ID_OWN), node(ID_G2));
}

Test(stacks, what_is_cut_or_lost_says_so)
{
    u32 pseudo;

    cr_assert_eq(site(ID_CUT), FUNC_TRUNCATED);
    cr_assert_eq(stage->stacks->node[node(ID_F3)].parent, node(ID_CUT));
    stacks_pseudo(stage, FUNC_UNKNOWN, &pseudo);
    cr_assert_eq(node(ID_LOST), pseudo);
    cr_assert_eq(node(0), pseudo);
    cr_assert_eq(stage->experiment[0]->problems.count, 0);
    cr_assert_eq(node(5000), pseudo);
    cr_assert_eq(stage->experiment[0]->problems.count, 1);
    cr_assert_not_null(strstr(stage->experiment[0]->problems.text[0], "frameinfo"));
}

Test(stacks, calls_are_where_they_were_made)
{
    const struct site *call = &stage->stacks->sites.site[site(ID_F1)];

    cr_assert(call->call);
    cr_assert_eq(call->vaddr, GEN_CODE + GEN_FUNC_BYTES + 2 * 8 + 7);
    cr_assert_not(stage->stacks->sites.site[site(ID_F2)].call);
}

Test(stacks, experiments_share_nodes)
{
    char *path = scene_path(stage_dir, "b.er"), *why;
    u32 first = node(ID_G2), second;

    scene_write(stage_dir, "b.er", 1);
    cr_assert_eq(sessions_add(stage, path, &why), 0);
    cr_assert_eq(stacks_of(stage, 1, ID_G2, &second), 0);
    cr_assert_eq(first, second);
    free(path);
}

/* An experiment whose nodes are rows (parent, function). */
static void
open_rows(const char *name, const u32 (*rows)[2], u32 count)
{
    char *path = scene_path(stage_dir, name), *why;
    struct gen *gen = gen_start(path, 1);

    gen_object(gen, 1, "/gen/app", "aa01", APP_BIAS, APP_BIAS, APP_BIAS + 0x10000, "");
    for (u32 i = 0; i < count; i++)
        gen_node(gen, rows[i][0], 1,
                 APP_BIAS + GEN_CODE + rows[i][1] * GEN_FUNC_BYTES + 8, 0);
    gen_end(gen, GEN_START + 1, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_add(stage, path, &why), 0);
    free(path);
}

/* The functions of a stack of experiment 1, root first. */
static const char *
stack(u32 id)
{
    static char text[300];
    const struct site_frame *frames;
    u32 at, depth, path[32], n = 0;

    cr_assert_eq(stacks_of(stage, 1, id, &at), 0);
    for (; at; at = stage->stacks->node[at].parent)
        path[n++] = stage->stacks->node[at].site;
    text[0] = 0;
    while (n--) {
        sites_frames(stage, &stage->stacks->sites, path[n], &frames, &depth);
        sprintf(text + strlen(text), "%s%s", *text ? ";" : "",
                function_name(stage, frames[0].func));
    }
    return text;
}

Test(stacks, parents_with_higher_ids)
{
    static const u32 rows[][2] = { { 4, 3 }, { 0, 0 }, { 1, 4 }, { 2, 1 } };

    open_rows("b.er", rows, ER_COUNT(rows));
    cr_assert_str_eq(stack(3), "f0;f1;f3;f4");
    cr_assert_str_eq(stack(1), "f0;f1;f3");
    cr_assert_eq(stage->experiment[1]->problems.count, 0);
}

Test(stacks, circles_are_cut_and_told)
{
    static const u32 rows[][2] = { { 2, 1 }, { 3, 2 }, { 1, 3 }, { 1, 4 }, { 0, 6 } };

    open_rows("b.er", rows, ER_COUNT(rows));
    cr_assert_str_eq(stack(4), "<Truncated-stack>;f3;f2;f1;f4");
    cr_assert_str_eq(stack(2), "<Truncated-stack>;f3;f2");
    cr_assert_str_eq(stack(5), "f6");
    cr_assert_eq(stage->experiment[1]->problems.count, 1);
}
