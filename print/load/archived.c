/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/archived.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/object/objfile.h"
#include "print/base/array.h"
#include "print/base/pool.h"
#include "print/load/xml.h"

struct builder {
    struct archived archived;
    u32 room;
    bool no_memory;
};

static void
on_start(void *context, const char *name, const struct log_pair *attr, u32 nattrs)
{
    struct builder *b = context;
    struct archived *a = &b->archived;
    struct archived_object object = {
        .key = xml_attr(attr, nattrs, "key", ""),
        .state = xml_attr(attr, nattrs, "state", ""),
        .warning = xml_attr(attr, nattrs, "warning", ""),
    };

    if (strcmp(name, "object"))
        return;
    if (array_room(&a->object, &b->room, a->count + 1, sizeof(object)) < 0)
        b->no_memory = true;
    else
        a->object[a->count++] = object;
}

int
archived_read(struct archived *out, int dirfd, const char *name,
              struct problems *problems)
{
    struct builder b = { 0 };
    struct xml_reader reader = {
        .start = on_start,
        .context = &b,
        .pool = &b.archived.memory,
        .root = "archive",
        .name = name,
        .problems = problems,
    };
    int archives = objfile_archives(dirfd), ret;
    char *text;
    size_t len;

    if (archives < 0)
        return archives;
    ret = xml_slurp(archives, "index.xml", &text, &len);
    close(archives);
    if (ret < 0)
        return ret;
    ret = xml_parse(&reader, text, len);
    free(text);
    if (ret == 0 && b.no_memory)
        ret = -ENOMEM;
    if (ret < 0) {
        archived_free(&b.archived);
        return ret;
    }
    *out = b.archived;
    return 0;
}

void
archived_free(struct archived *archived)
{
    free(archived->object);
    pool_free(archived->memory);
    memset(archived, 0, sizeof(*archived));
}

const struct archived_object *
archived_find(const struct archived *archived, const char *key)
{
    for (u32 i = 0; i < archived->count; i++)
        if (!strcmp(archived->object[i].key, key))
            return &archived->object[i];
    return NULL;
}
