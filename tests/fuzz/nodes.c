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

#include "print/model/views/calltree.h"
#include "print/model/session/sessions.h"
#include "tests/fuzz/scratch.h"
#include "tests/gen/scene.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    scratch_start();
    scene_write(".", "a.er", 1);
    return 0;
}

/* Put the bytes in the place of the nodes. */
static void
put_nodes(const uint8_t *data, size_t size)
{
    int fd = open("a.er/frameinfo", O_WRONLY | O_TRUNC);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct order order = { ORDER_METRIC, 0, FLAVOUR_INCLUSIVE, false };
    struct session *session;
    struct calltree tree;
    char *why;

    put_nodes(data, size);
    if (sessions_open(&session) < 0 || sessions_add(session, "a.er", &why) < 0 ||
        calltree_build(session, &order, &tree) < 0)
        abort();
    calltree_free(&tree);
    sessions_close(session);
    return 0;
}
