/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/mapxml.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/readfile.h"

enum { SIZE_LIMIT = 1 << 30 }; /* bytes of map.xml */

/* Writes a code point as UTF-8 and returns the end. */
static char *
put_utf8(char *to, unsigned long code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/*
 * Decodes one entity at "&" to *to, and moves *to past the result, which is never
 * longer than the entity. Returns the end of the entity; NULL: it is malformed.
 */
static char *
decode_entity(char *from, char **to)
{
    static const struct {
        const char *text;
        char is;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'},
                 {"&apos;", '\''}};
    unsigned long code;
    char *end;

    for (size_t i = 0; i < ER_COUNT(known); i++) {
        size_t n = strlen(known[i].text);

        if (strncmp(from, known[i].text, n) == 0) {
            *(*to)++ = known[i].is;
            return from + n;
        }
    }
    if (from[1] != '#')
        return NULL;
    code = from[2] == 'x' ? strtoul(from + 3, &end, 16) : strtoul(from + 2, &end, 10);
    if (*end != ';' || end - from > 9 || code == 0 || code > 0x10ffff)
        return NULL;
    *to = put_utf8(*to, code);
    return end + 1;
}

/*
 * Decodes \\ or \xNN at `from`, as written by fmt_xml(), to *to; any other \ stands for
 * itself. Returns the end of the escape.
 */
static char *
decode_byte(char *from, char **to)
{
    unsigned byte;

    if (from[1] == '\\') {
        *(*to)++ = '\\';
        return from + 2;
    }
    if (from[1] != 'x' || !isxdigit((unsigned char)from[2]) ||
        !isxdigit((unsigned char)from[3]) || sscanf(from + 2, "%2x", &byte) != 1 ||
        byte == 0) {
        *(*to)++ = *from;
        return from + 1;
    }
    *(*to)++ = (char)byte;
    return from + 4;
}

/* Decodes a value in place, up to `quote`; returns what follows it, or NULL. */
static char *
decode_value(char *from, char quote)
{
    char *to = from;

    while (*from != quote) {
        if (*from == '\0' || *from == '<' || *from == '\n')
            return NULL;
        if (*from == '&')
            from = decode_entity(from, &to);
        else if (*from == '\\')
            from = decode_byte(from, &to);
        else
            *to++ = *from++;
        if (!from)
            return NULL;
    }
    *to = '\0';
    return from + 1;
}

static void
set_attribute(struct mapxml_object *o, const char *name, size_t n, const char *value)
{
    const struct {
        const char *name;
        const char **place;
    } known[] = {{"kind", &o->kind},   {"name", &o->name},   {"buildid", &o->buildid},
                 {"dev", &o->dev},     {"inode", &o->inode}, {"fsize", &o->fsize},
                 {"mtime", &o->mtime}, {"flags", &o->flags}};

    for (size_t i = 0; i < ER_COUNT(known); i++)
        if (strlen(known[i].name) == n && memcmp(known[i].name, name, n) == 0)
            *known[i].place = value;
}

/* Reads the attributes that follow "<object", up to the "/>". */
static bool
read_object(char *p, struct mapxml_object *o)
{
    static const char blanks[] = " \t\r\n";

    *o = (struct mapxml_object){"", "", "", "", "", "", "", ""};
    for (;;) {
        const char *name;
        size_t n;
        char *value;

        p += strspn(p, blanks);
        if (p[0] == '/' && p[1] == '>')
            return true;
        name = p;
        n = strcspn(p, " \t\r\n=<>/");
        p += n;
        if (n == 0 || p[0] != '=' || (p[1] != '"' && p[1] != '\''))
            return false;
        value = p + 2;
        p = decode_value(value, p[1]);
        if (!p)
            return false;
        set_attribute(o, name, n, value);
    }
}

static int
append(struct mapxml *map, const struct mapxml_object *o)
{
    if (map->count == map->capacity) {
        u32 capacity = map->capacity ? map->capacity * 2 : 64;
        struct mapxml_object *at = realloc(map->objects, capacity * sizeof(*at));

        if (!at)
            return -ENOMEM;
        map->objects = at;
        map->capacity = capacity;
    }
    map->objects[map->count++] = *o;
    return 0;
}

static int
parse(struct mapxml *map)
{
    struct mapxml_object object;
    char *p = map->text, *next;
    bool good, whole;

    /* Refuse a file that is not a map.xml, or that may declare entities. */
    if (!strstr(p, "<map") || strstr(p, "<!DOCTYPE"))
        return -EINVAL;
    for (p = strstr(p, "<object"); p; p = next) {
        size_t at = (size_t)(p - map->text);

        /*
         * Find the next element and the line's end first, since read_object() writes
         * zeros into the text. An element in an unfinished last line may be malformed:
         * that is not counted.
         */
        next = strstr(p + 1, "<object");
        whole = strchr(p, '\n') != NULL;
        good = read_object(p + strlen("<object"), &object);
        if (good && append(map, &object) < 0)
            return -ENOMEM;
        if (!good && whole && map->malformed++ == 0)
            map->bad_at = at;
    }
    return 0;
}

int
mapxml_read(struct mapxml *map, int expdir)
{
    int fd = openat(expdir, "map.xml", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    size_t size;
    int status;

    *map = (struct mapxml){0};
    if (fd < 0)
        return -errno;
    status = readfile_plain(fd, SIZE_LIMIT, &map->text, &size);
    close(fd);
    if (status == 0)
        status = parse(map);
    if (status < 0)
        mapxml_free(map);
    return status;
}

void
mapxml_free(struct mapxml *map)
{
    free(map->objects);
    free(map->text);
    *map = (struct mapxml){0};
}
