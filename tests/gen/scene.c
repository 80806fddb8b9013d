/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gen/scene.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void
scene_remove(char *dir)
{
    nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(dir);
}

char *
scene_dir(void)
{
    char *dir = strdup("/tmp/ertools-unit-XXXXXX");

    if (!dir || !mkdtemp(dir)) {
        perror("scene: mkdtemp");
        exit(2);
    }
    return dir;
}

char *
scene_path(const char *dir, const char *name)
{
    char *path;

    if (asprintf(&path, "%s/%s", dir, name) < 0)
        exit(2);
    return path;
}

/* The pc of a function's instruction, or where its call returns to. */
static u64
pc_of(u64 bias, u32 func, u32 slot, bool call)
{
    return bias + GEN_CODE + func * GEN_FUNC_BYTES + slot * 8 + (call ? 8 : 0);
}

static u32
call(struct gen *gen, u32 parent, u32 func, u32 slot)
{
    return gen_node(gen, parent, 1, pc_of(APP_BIAS, func, slot, true), 0);
}

static u32
leaf(struct gen *gen, u32 parent, u32 func, u32 slot)
{
    return gen_node(gen, parent, 1, pc_of(APP_BIAS, func, slot, false), NODE_EXACT);
}

static void
put_objects(struct gen *gen)
{
    u64 lib = LIB_BIAS + GEN_CODE, app = APP_BIAS + GEN_CODE;

    gen_object(gen, 1, "/gen/app", "aa01", APP_BIAS, app, app + 20 * GEN_FUNC_BYTES,
               "main");
    gen_object(gen, 2, "/gen/lib.so", "aa02", LIB_BIAS, lib, lib + 10 * GEN_FUNC_BYTES,
               "");
    gen_object(gen, 3, "/gen/libcollector.so", "aa03", OWN_BIAS, OWN_BIAS,
               OWN_BIAS + 4096, "collector");
    gen_archive(gen, "/gen/app", "aa01", "f", "/gen/app.c", 20, 5);
    gen_archive(gen, "/gen/lib.so", "aa02", "g", "/gen/lib.c", 10, 0);
}

static void
put_nodes(struct gen *gen, u32 node[NODE_COUNT])
{
    u32 f0 = call(gen, 0, 0, 1), f1 = call(gen, f0, 1, 2), again = call(gen, f1, 1, 3);
    u32 cut = gen_node(gen, 0, 0, 0, NODE_TRUNCATED);

    node[NODE_G2] = gen_node(gen, again, 2, pc_of(LIB_BIAS, 2, 0, false), NODE_EXACT);
    node[NODE_INLINED] = leaf(gen, f0, 5, 4);
    node[NODE_F2] = leaf(gen, f1, 2, 1);
    node[NODE_F2_AGAIN] = leaf(gen, call(gen, f0, 1, 2), 2, 1);
    node[NODE_CUT] = leaf(gen, cut, 3, 6);
    node[NODE_OWN] = gen_node(gen, node[NODE_G2], 3, OWN_BIAS + 16, 0);
    node[NODE_LOST] = gen_node(gen, 0, 0, 0x1234, NODE_EXACT | NODE_UNKNOWN);
    node[NODE_MISSING] = 40000;
}

static void
put_threads(struct gen *gen)
{
    for (u32 i = 1; i <= 2; i++) {
        struct rec_thread row = {
            .id = i,
            .tid = 100 + i,
            .birth = GEN_START + i,
            .seen = 4,
            .start = APP_BIAS + GEN_CODE,
            .instance = 1,
            .source = SOURCE_TIMER,
        };

        memcpy(row.name.c, i == 1 ? "main" : "helper", i == 1 ? 4 : 6);
        gen_thread(gen, &row);
    }
}

static void
put_events(struct gen *gen, const u32 node[NODE_COUNT])
{
    static const u32 weight[NODE_COUNT] = { 10, 5, 3, 2, 1, 4, 7, 6 };
    static const u32 thread[NODE_COUNT] = { 1, 2, 1, 2, 1, 1, 2, 2 };

    for (u32 i = 0; i < NODE_COUNT; i++) {
        struct rec_clock r = {
            .node = node[i], .mstate = i == NODE_F2, .weight = (u64)weight[i] * MS
        };

        gen_clock(gen, thread[i], GEN_START + (u64)(i + 1) * MS, &r);
    }
}

static void
put_residuals(struct gen *gen)
{
    struct rec_residual startup = { .kind = RESIDUAL_STARTUP, .user = MS };
    struct rec_residual rest = { .kind = RESIDUAL_UNATTRIBUTED, .user = MS / 2 };
    struct rec_residual paused = { .kind = RESIDUAL_PAUSED, .user = 9 * MS };

    gen_residual(gen, 1, GEN_START + 1, &startup);
    gen_residual(gen, 2, GEN_START + 15 * MS, &rest);
    gen_residual(gen, 1, GEN_START + 16 * MS, &paused);
}

static void
put_samples(struct gen *gen)
{
    static const u64 at[] = { 0, 9 * MS / 2, 20 * MS };
    static const enum er_cause cause[] = { CAUSE_START, CAUSE_SIGNAL, CAUSE_END };

    for (u32 i = 0; i < ER_COUNT(at); i++) {
        struct rec_sample r = {
            .cause = cause[i],
            .user = at[i],
            .rss = 4096 * (i + 1),
            .known = 1 << 0 | 1 << 8,
        };

        if (i == 1)
            r.label = (struct er_str){ "half way", 8 };
        gen_sample(gen, i == 1, GEN_START + at[i], &r);
    }
}

void
scene_write(const char *dir, const char *name, u32 tick_scale)
{
    char *path = scene_path(dir, name);
    struct gen *gen = gen_start(path, tick_scale);
    u64 user = 10 + 5 + 2 + 1 + 4 + 7 + 6 + 1 + 9 + 2, half = MS / 2;
    u32 node[NODE_COUNT];
    char line[256];

    put_objects(gen);
    put_nodes(gen, node);
    put_threads(gen);
    put_events(gen, node);
    put_residuals(gen);
    put_samples(gen);
    snprintf(line, sizeof(line),
             "<event kind=\"exit\" id=\"exit\" time=\"%d\" arg1=\"exit\" user=\"%llu\" "
             "system=\"%d\">the target ended itself through exit</event>\n",
             GEN_START + 19 * MS, (unsigned long long)(user * MS),
             3 * MS);
    gen_log(gen, line);
    gen_end(gen, GEN_START + 20 * MS, user * MS + half, 3 * MS);
    gen_finish(gen);
    free(path);
}
