/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small experiment for unit tests of print/model, whose every answer can be worked
 * out by hand. Ordinary process context; failures end the program.
 *
 * Objects: app (f0 … f19, see gen_archive(); every fifth has an inlined call), lib
 * (g0 … g9), and the collector's own. Stacks, root first; a number is the instruction
 * of 8 bytes within the function:
 *
 *   node                 stack                                    user   system  thread
 *   NODE_G2              f0.1 f1.2 f1.3 g2.0                      10 ms             1
 *   NODE_INLINED         f0.1 f5.4 [inlined_5]                     5 ms             2
 *   NODE_F2              f0.1 f1.2 f2.1                                    3 ms     1
 *   NODE_F2_AGAIN        the same, written twice                   2 ms             2
 *   NODE_CUT             <Truncated-stack> f3.6                    1 ms             1
 *   NODE_OWN             f0.1 f1.2 f1.3 g2.0 and the collector's   4 ms             1
 *   NODE_LOST            code of no known object                   7 ms             2
 *   NODE_MISSING         a number that was never written           6 ms             2
 *
 * Event i of these is i + 1 ms after the start. Residuals: startup 1 ms user (thread
 * 1), unattributed -0.5 ms user (thread 2), paused 9 ms user. The end event has 2 ms
 * user more than all that, and the exit event is 0.5 ms user before it. Sample points
 * at 0, 4.5 and 20 ms.
 */
#ifndef ERTOOLS_TESTS_SCENE_H
#define ERTOOLS_TESTS_SCENE_H

#include "tests/gen/gen.h"

enum {
    MS = 1000000,
    APP_BIAS = 0x550000000000,
    LIB_BIAS = 0x7f0000000000,
    OWN_BIAS = 0x7f1000000000,
};

enum scene_event {
    NODE_G2,
    NODE_INLINED,
    NODE_F2,
    NODE_F2_AGAIN,
    NODE_CUT,
    NODE_OWN,
    NODE_LOST,
    NODE_MISSING,
    NODE_COUNT,
};

/* A new directory under /tmp; scene_remove() deletes it with all that is in it. */
char *scene_dir(void);
void scene_remove(char *dir);

/* Write the experiment described above as <dir>/<name>. */
void scene_write(const char *dir, const char *name, u32 tick_scale);

/* `<dir>/<name>`, to be freed. */
char *scene_path(const char *dir, const char *name);

#endif
