/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/stackcell.h"

#include <stdlib.h>
#include <string.h>

#include "print/cmd/list.h"
#include "print/model/frames.h"

/* A line of a list: no line end within. */
static void
put_line(const char *text, FILE *f)
{
    for (; *text; text++)
        putc(*text == '\n' ? ' ' : *text, f);
}

/*
 * "alpha (mix.c:12)", or "malloc [libc.so.6]" where the line is not known; names in
 * angle brackets have the object already.
 */
static void
put_frame(struct shell *sh, const struct stack_frame *frame, FILE *f)
{
    const char *name = function_title(sh->session, frame->func);
    struct object_info object;
    char place[256];

    put_line(name, f);
    list_place(sh, 0, frame->file, frame->line, place, sizeof(place));
    if (*place) {
        fputs(" (", f);
        put_line(place, f);
        putc(')', f);
    } else if (frame->object && !sh->session->soname && *name != '<') {
        object_get(sh->session, frame->object, &object);
        fputs(" [", f);
        put_line(object.name, f);
        putc(']', f);
    }
}

/* Frames from `from` on, `count` of them, as text for free(); NULL = no memory. */
static char *
frames_text(struct shell *sh, const struct stack_frame *frames, u32 from, u32 count)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    for (u32 i = from; f && i < from + count; i++) {
        if (i > from)
            putc('\n', f);
        put_frame(sh, &frames[i], f);
    }
    if (f && !fclose(f))
        return text;
    free(text);
    return NULL;
}

int
stackcell_fill(struct shell *sh, struct table *t, u32 column, u32 node)
{
    struct stack_frame *frames;
    char *text;
    u32 count;

    if (frames_of(sh->session, node, &frames, &count) < 0)
        return 1;
    text = frames_text(sh, frames, 0, count);
    free(frames);
    if (!text)
        return 1;
    table_text(t, column, text);
    free(text);
    return 0;
}

/* Wrappers of what was called, in headers of the C++ library. */
static bool
is_wrapper(struct shell *sh, const struct stack_frame *frame)
{
    const char *name = function_name_styled(sh->session, frame->func, NAME_SHORT);

    return !strncmp(name, "std::", 5) || !strncmp(name, "__gthr", 6) ||
           !strncmp(name, "__gnu_cxx::", 11);
}

const char *
stackcell_place(struct shell *sh, struct table *t, u32 node)
{
    struct stack_frame *frames;
    const char *place = "";
    u32 count, at = 0;
    char *text;

    if (!node || frames_of(sh->session, node, &frames, &count) < 0)
        return "";
    while (at + 1 < count && is_wrapper(sh, &frames[at]))
        at++;
    text = count ? frames_text(sh, frames, at, 1) : NULL;
    if (text)
        place = arena_strdup(&t->arena, text);
    free(text);
    free(frames);
    return place;
}
