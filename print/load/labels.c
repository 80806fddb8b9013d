/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/base/array.h"
#include "print/base/pool.h"
#include "print/load/xml.h"

struct builder {
    struct labels labels;
    u32 room;
    bool no_memory;
};

static void
add(struct builder *b, const struct log_pair *attr, u32 nattrs)
{
    struct labels *l = &b->labels;
    struct label label = {
        .name = xml_attr(attr, nattrs, "name", ""),
        .doc = xml_attr(attr, nattrs, "doc", ""),
        .start = xml_number(attr, nattrs, "start", UINT64_MAX),
        .stop = xml_number(attr, nattrs, "stop", UINT64_MAX),
    };

    if (!*label.name || label.start >= label.stop)
        return;
    if (array_room(&l->row, &b->room, l->count + 1, sizeof(label)) < 0)
        b->no_memory = true;
    else
        l->row[l->count++] = label;
}

static void
on_start(void *context, const char *name, const struct log_pair *attr, u32 nattrs)
{
    struct builder *b = context;

    if (!strcmp(name, "run"))
        b->labels.from = xml_number(attr, nattrs, "mono", 0);
    else if (!strcmp(name, "label"))
        add(b, attr, nattrs);
}

int
labels_read(struct labels *out, int dirfd, const char *name, struct problems *problems)
{
    struct builder b = { 0 };
    struct xml_reader reader = {
        .start = on_start,
        .context = &b,
        .pool = &b.labels.memory,
        .root = "labels",
        .name = name,
        .problems = problems,
    };
    char *text;
    size_t len;
    int ret = xml_slurp(dirfd, LABELS_FILE, &text, &len);

    if (ret < 0)
        return ret;
    ret = xml_parse(&reader, text, len);
    free(text);
    if (ret == 0 && b.no_memory)
        ret = -ENOMEM;
    if (ret < 0)
        labels_free(&b.labels);
    else
        *out = b.labels;
    return ret;
}

void
labels_free(struct labels *labels)
{
    free(labels->row);
    pool_free(labels->memory);
    memset(labels, 0, sizeof(*labels));
}

u32
labels_find(const struct labels *labels, u32 index, const char *name, size_t len)
{
    while (index < labels->count && (strlen(labels->row[index].name) != len ||
                                     strncasecmp(labels->row[index].name, name, len)))
        index++;
    return index;
}
