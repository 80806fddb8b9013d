/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: frameinfo. The input becomes the stack nodes of a small experiment,
 * which is then opened and its call tree asked for.
 * tests/fuzz/run builds it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "print/model/calltree.h"
#include "tests/gen/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *dir;

static void
clean(void)
{
    scene_remove(dir);
}

/* Put the bytes in the place of the nodes. */
static void
put_nodes(const uint8_t *data, size_t size)
{
    char *path = scene_path(dir, "a.er/frameinfo");
    int fd = open(path, O_WRONLY | O_TRUNC);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    free(path);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct order order = { ORDER_METRIC, 0, FLAVOUR_INCLUSIVE, false };
    struct session *session;
    struct calltree tree;
    char *path, *why;

    if (!dir) {
        dir = scene_dir();
        scene_write(dir, "a.er", 1);
        atexit(clean);
    }
    put_nodes(data, size);
    path = scene_path(dir, "a.er");
    if (session_open(&session) < 0 || session_add(session, path, &why) < 0 ||
        calltree_build(session, &order, &tree) < 0)
        abort();
    calltree_free(&tree);
    session_close(session);
    free(path);
    return 0;
}
