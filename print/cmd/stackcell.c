/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/stackcell.h"

#include <stdlib.h>

#include "print/model/symbols/frametext.h"

/* Frames as text for free(); NULL = no memory. */
static char *
frames_text(struct shell *sh, const struct stack_frame *frames, u32 count)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    for (u32 i = 0; f && i < count; i++) {
        if (i)
            putc('\n', f);
        frametext_put(sh->session, &frames[i], f);
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
