/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/stackcell.h"

#include <stdlib.h>

#include "print/model/symbols/frametext.h"

/*
 * With brief names, successive frames in a language's library are shown as one. Returns
 * how many frames from i on belong together, at least 1; frame i, which comes first, is
 * the innermost.
 */
static u32
run_of(struct session *session, const struct stack_frame *frames, u32 i, u32 count)
{
    u32 run = 0;

    while (session->names == NAME_BRIEF && i + run < count &&
           frametext_is_wrapper(session, frames[i + run].func))
        run++;
    return run ? run : 1;
}

/* Make text of frames, for free(); NULL = no memory. */
static char *
frames_text(struct shell *sh, const struct stack_frame *frames, u32 count)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    u32 run;

    for (u32 i = 0; f && i < count; i += run) {
        run = run_of(sh->session, frames, i, count);
        if (i)
            putc('\n', f);
        frametext_put(sh->session, &frames[i + run - 1], f);
        if (run > 1)
            fprintf(f, " and %u more", run - 1);
    }
    if (f && !fclose(f))
        return text;
    free(text);
    return NULL;
}

char *
stackcell_text(struct shell *sh, u32 node)
{
    struct stack_frame *frames;
    char *text;
    u32 count;

    if (frames_of(sh->session, node, &frames, &count) < 0)
        return NULL;
    text = frames_text(sh, frames, count);
    free(frames);
    return text;
}

int
stackcell_fill(struct shell *sh, struct table *t, u32 column, u32 node)
{
    char *text = stackcell_text(sh, node);

    if (!text)
        return 1;
    table_text(t, column, text);
    free(text);
    return 0;
}

const char *
stackcell_place(struct shell *sh, struct table *t, u32 node)
{
    struct stack_frame frame;
    const char *place = "";
    char *text;

    if (!node || frametext_place(sh->session, node, &frame) < 0)
        return "";
    text = frames_text(sh, &frame, 1);
    if (text)
        place = arena_strdup(&t->arena, text);
    free(text);
    return place;
}
