/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/mapcopy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/readfile.h"
#include "share/writeall.h"

#define TAIL "</map>\n"
#define OBJECT "<object id=\""
#define LOAD "<load id=\""
#define UNLOAD "<unload id=\""
enum {
    LEAST = 8,          /* no line with an id has fewer bytes */
    MAP_MOST = 1 << 30, /* bytes of map.xml */
};

/* Which lines about an object were seen so far. The file is read from its end. */
enum seen {
    SEEN_NOTHING,
    SEEN_LOAD, /* its last load was seen; one unload above it is kept, too */
    SEEN_ALL,  /* no earlier load or unload is kept */
};

/*
 * The kinds of lines about objects. Some later byte of the text is 0, so strncmp() is
 * safe.
 */
static const struct {
    const char *start;
    enum seen is; /* SEEN_NOTHING: the object itself */
} kinds[] = { { OBJECT, SEEN_NOTHING }, { LOAD, SEEN_LOAD }, { UNLOAD, SEEN_ALL } };

/*
 * Which lines were seen: seen[id] for each id below count. Ids above `most` are left
 * out.
 */
struct past {
    unsigned char *seen;
    u64 count;
    u64 most;
};

/*
 * Is this line to be copied: does it hold for the child, too, and is it not superseded
 * by a later line? Marks it as seen.
 */
static int
is_kept(const char *line, struct past *past)
{
    unsigned char *seen = past->seen;
    size_t i = 0;
    int load;
    u64 id;

    /* Leave out <early> lines, which are about stack nodes that only the parent has. */
    if (!strncmp(line, "<early ", 7))
        return 0;
    while (i < ER_COUNT(kinds) &&
           strncmp(line, kinds[i].start, strlen(kinds[i].start)) != 0)
        i++;
    if (i == ER_COUNT(kinds))
        return 1;
    id = strtoull(line + strlen(kinds[i].start), NULL, 10);
    if (past->most && id > past->most)
        return 0;
    if (id >= past->count)
        return 1;
    if (kinds[i].is == SEEN_NOTHING)
        return 1;
    load = kinds[i].is == SEEN_LOAD;
    if (seen[id] == SEEN_ALL || (load && seen[id] == SEEN_LOAD))
        return 0;
    seen[id] = load ? SEEN_LOAD : SEEN_ALL;
    return 1;
}

/*
 * Move the lines that are kept to the text's end. Returns the address of the first one.
 */
static char *
thin_out(char *text, size_t size, struct past *past)
{
    char *end = text + size, *to = end;

    while (end > text) {
        char *before = memrchr(text, '\n', (size_t)(end - text) - 1);
        char *line = before ? before + 1 : text;
        size_t len = (size_t)(end - line);

        if (is_kept(line, past)) {
            to -= len;
            memmove(to, line, len);
        }
        end = line;
    }
    return to;
}

static size_t
without_tail(const char *text, size_t size)
{
    size_t len = strlen(TAIL);
    const char *last;

    if (size >= len && !memcmp(text + size - len, TAIL, len))
        size -= len;
    last = memrchr(text, '\n', size);
    return last ? (size_t)(last - text) + 1 : 0;
}

int
mapcopy(int to, int from, u32 most)
{
    struct past past = { .most = most };
    char *text = NULL, *first;
    size_t size = 0;
    int ret = readfile_plain(from, MAP_MOST, &text, &size);

    if (ret < 0)
        return ret;
    size = without_tail(text, size);
    past.count = size / LEAST + 1;
    past.seen = calloc(1, past.count);
    if (past.seen) {
        first = thin_out(text, size, &past);
        ret = writeall(to, first, (size_t)(text + size - first));
    } else {
        ret = -ENOMEM;
    }
    free(past.seen);
    free(text);
    return ret;
}
