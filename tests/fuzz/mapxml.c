/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: map.xml as er_archive reads it. tests/fuzz/run builds it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/mapxml.h"
#include "tests/fuzz/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every string ends within the text. */
static void
check(const struct mapxml *map)
{
    static volatile size_t sum;

    for (u32 i = 0; i < map->count; i++) {
        const struct mapxml_object *o = &map->objects[i];

        sum += strlen(o->kind) + strlen(o->name) + strlen(o->buildid);
        sum += strlen(o->dev) + strlen(o->inode) + strlen(o->fsize);
        sum += strlen(o->mtime) + strlen(o->flags);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int expdir = -1;
    struct mapxml map;
    int fd;

    if (expdir < 0) {
        scratch_start();
        expdir = open(".", O_RDONLY);
    }
    fd = openat(expdir, "map.xml", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    if (mapxml_read(&map, expdir) == 0) {
        check(&map);
        mapxml_free(&map);
    }
    return 0;
}
