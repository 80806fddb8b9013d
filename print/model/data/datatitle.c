/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/data/datatitle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/frametext.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/variable.h"

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static void
put_allocated(struct session *session, bool mapping, const struct stack_frame *frame,
              FILE *f)
{
    fputs(mapping ? "Mapping of " : "Block of ", f);
    if (frame)
        frametext_put(session, frame, f);
}

static void
put_variable(struct session *session, const struct data_thing *thing, FILE *f)
{
    char *name = variable_name(session, thing->name);

    fputs(name ? name : thing->name, f);
    free(name);
}

static void
put(struct session *session, const struct data_thing *thing, FILE *f)
{
    struct stack_frame frame;
    int ret;

    switch (thing->kind) {
    case DATA_VARIABLE:
        put_variable(session, thing, f);
        break;
    case DATA_BLOCK:
    case DATA_MAPPING:
        ret = frametext_place(session, thing->node, &frame);
        put_allocated(session, thing->kind == DATA_MAPPING, ret ? NULL : &frame, f);
        break;
    case DATA_FILE:
        fprintf(f, "File %s", thing->name);
        break;
    case DATA_STATIC:
        fprintf(f, "<Static data of %s>", base_name(thing->name));
        break;
    case DATA_STACK:
        fputs("<Stack>", f);
        break;
    case DATA_HEAP:
        fputs("<Heap>", f);
        break;
    case DATA_ANONYMOUS:
        fputs("<Anonymous memory>", f);
        break;
    case DATA_OTHER:
        fprintf(f, "<%s>", thing->name);
        break;
    case DATA_UNKNOWN:
        fputs("<Unknown>", f);
        break;
    }
}

char *
datatitle(struct session *session, const struct data_thing *thing)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (f)
        put(session, thing, f);
    if (f && !fclose(f))
        return text;
    free(text);
    return NULL;
}

/* The number of ways to show a name: in each name style, with or without the object. */
enum { STYLES = 2 * (NAME_MANGLED + 1) };

struct style {
    enum name_style names;
    bool soname;
};

/*
 * Set the session's name style to way n (below STYLES); returns the style before that.
 */
static struct style
set_style(struct session *session, u32 n)
{
    struct style before = { session->names, session->soname };

    session->names = (enum name_style)(n / 2);
    session->soname = n % 2;
    return before;
}

static void
restore(struct session *session, struct style style)
{
    session->names = style.names;
    session->soname = style.soname;
}

bool
datatitle_fits(struct session *session, const struct data_thing *thing,
               const regex_t *pattern)
{
    struct style before = { session->names, session->soname };
    bool fits = false;

    for (u32 i = 0; i < STYLES && !fits; i++) {
        char *text;

        set_style(session, i);
        text = datatitle(session, thing);
        fits = text && !regexec(pattern, text, 0, NULL, 0);
        free(text);
    }
    restore(session, before);
    return fits;
}

/*
 * A frame after which blocks and mappings are named, and whether their titles match:
 * [0] of blocks, [1] of mappings. There are far fewer such frames than stacks.
 */
struct place {
    struct stack_frame frame;
    unsigned char fits[2];
};

struct places {
    struct place *row;
    u32 count, room;
    struct hash hash;
};

struct place_search {
    const struct places *places;
    const struct stack_frame *frame;
};

static bool
same_place(const void *context, u32 index)
{
    const struct place_search *s = context;
    const struct stack_frame *a = &s->places->row[index].frame, *b = s->frame;

    return a->func == b->func && a->object == b->object && a->file == b->file &&
           a->line == b->line;
}

static bool
place_fits(struct session *session, const struct stack_frame *frame, bool mapping,
           const regex_t *pattern)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    bool fits;

    if (f)
        put_allocated(session, mapping, frame, f);
    fits = f && !fclose(f) && !regexec(pattern, text, 0, NULL, 0);
    free(text);
    return fits;
}

/* Get the row of a frame. A new row is matched against the pattern. 0 or -ENOMEM. */
static int
place_of(struct session *session, struct places *p, const struct stack_frame *frame,
         const regex_t *pattern, u32 *at)
{
    u32 hash = (u32)hash_mix(hash_mix((u64)frame->func << 32 | frame->line) ^
                             ((u64)frame->file << 32 | frame->object));
    struct place_search search = { p, frame };
    struct style before = { session->names, session->soname };
    struct place *row;

    *at = hash_find(&p->hash, hash, same_place, &search);
    if (*at != HASH_NONE)
        return 0;
    if (array_room(&p->row, &p->room, p->count + 1, sizeof(*p->row)) < 0 ||
        hash_add(&p->hash, hash, p->count) < 0)
        return -ENOMEM;
    *at = p->count++;
    row = &p->row[*at];
    *row = (struct place){ .frame = *frame };
    for (u32 i = 0; i < STYLES; i++) {
        set_style(session, i);
        for (u32 mapping = 0; mapping < 2; mapping++)
            row->fits[mapping] |= place_fits(session, frame, mapping, pattern);
    }
    restore(session, before);
    return 0;
}

int
datatitle_blocks(struct session *session, const regex_t *pattern, unsigned char **out,
                 u32 *count)
{
    u32 nodes = session->stacks->count, at;
    unsigned char *fits = calloc((size_t)nodes + 1, 2);
    struct places places = { .count = 0 };
    struct stack_frame frame;
    int ret = fits ? 0 : -ENOMEM;

    for (u32 i = 1; i < nodes && ret == 0; i++) {
        if (frametext_place(session, i, &frame) < 0)
            continue;
        ret = place_of(session, &places, &frame, pattern, &at);
        if (ret == 0)
            memcpy(fits + 2 * (size_t)i, places.row[at].fits, 2);
    }
    free(places.row);
    hash_free(&places.hash);
    if (ret < 0) {
        free(fits);
        return ret;
    }
    *out = fits;
    *count = 2 * nodes;
    return 0;
}
