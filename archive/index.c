/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/index.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/store.h"
#include "share/fmt.h"

static const char *const state_names[] = {
    [ARCHIVE_PRESENT] = "present", [ARCHIVE_WANTED] = "wanted",
    [ARCHIVE_MISSING] = "missing", [ARCHIVE_CHANGED] = "changed",
    [ARCHIVE_FOREIGN] = "foreign", [ARCHIVE_FAILED] = "failed",
};

/* Writes ` name="value"`, with escapes as in map.xml. */
static void
put_attribute(FILE *out, const char *name, const char *value)
{
    size_t room = 6 * strlen(value) + strlen(name) + 8; /* "&quot;" is the longest */
    char *text = malloc(room);
    struct fmt f = fmt_start(text, room);

    if (!text)
        return;
    fmt_attr(&f, name, value);
    fwrite(text, 1, (size_t)(f.at - text), out);
    free(text);
}

static void
put_item(FILE *out, const struct archive_item *item)
{
    fputs("<object", out);
    put_attribute(out, "key", item->key);
    put_attribute(out, "name", item->object->name);
    put_attribute(out, "state", state_names[item->state]);
    if (item->warning)
        put_attribute(out, "warning", item->warning);
    fputs("/>\n", out);
}

int
index_write(const struct archive *a)
{
    struct store_file f;
    FILE *out;
    int status = store_begin(&f, a->archives), fd;

    if (status < 0)
        return status;
    fd = dup(f.fd); /* the lock stays with f.fd until the file has its name */
    out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out) {
        status = -errno;
        if (fd >= 0)
            close(fd);
        store_abandon(&f);
        return status;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<archive version=\"1\">\n", out);
    for (u32 i = 0; i < a->item_count; i++)
        put_item(out, &a->items[i]);
    fputs("</archive>\n", out);
    if (fclose(out) == 0)
        return store_commit(&f, "index.xml");
    status = -errno;
    store_abandon(&f);
    return status;
}
