/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session with the experiment of scene.h, for unit tests of print/model; one a test.
 */
#ifndef ERTOOLS_TESTS_STAGE_H
#define ERTOOLS_TESTS_STAGE_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "print/model/session/sessions.h"
#include "tests/gen/scene.h"

static struct session *stage;
static char *stage_dir;

/* Open a session on a new scene `a.er`; for .init and .fini of a test suite. */
static inline void
stage_up(void)
{
    char *path, *why;

    stage_dir = scene_dir();
    scene_write(stage_dir, "a.er", 3);
    cr_assert_eq(sessions_open(&stage), 0);
    path = scene_path(stage_dir, "a.er");
    cr_assert_eq(sessions_add(stage, path, &why), 0);
    cr_assert_eq(stage->experiment[0]->problems.count, 0);
    free(path);
}

static inline void
stage_down(void)
{
    sessions_close(stage);
    scene_remove(stage_dir);
}

#endif
