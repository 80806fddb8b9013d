/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/files.h"
#include "print/model/symbols/functions.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/object.h"
#include "print/model/symbols/sourcetext.h"
#include "print/model/views/aggregate.h"
#include "print/model/views/linemarks.h"

enum {
    LINES_MAX = 1000000, /* further lines of a file are left out */
};

static int
grow(struct source *source, u32 lines)
{
    struct source_line *grown;

    if (lines > LINES_MAX)
        lines = LINES_MAX;
    if (lines <= source->count)
        return 0;
    grown = realloc(source->line, lines * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    memset(grown + source->count, 0, (lines - source->count) * sizeof(*grown));
    source->line = grown;
    source->count = lines;
    return 0;
}

static u32
count_lines(const char *text, size_t len)
{
    const char *end = text + len;
    u32 lines = 0;

    while (text < end && lines < LINES_MAX) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));

        text = newline ? newline + 1 : end;
        lines++;
    }
    return lines;
}

static int
read_text(struct session *session, struct source *source)
{
    const char *at;
    size_t len;
    u32 lines;

    if (sourcetext_read(session, file_path(session, source->file), &source->text, &len,
                        &source->place) < 0)
        return 0;
    source->found = source->place;
    lines = count_lines(source->text, len);
    if (grow(source, lines) < 0)
        return -ENOMEM;
    at = source->text;
    for (u32 i = 0; i < lines; i++) {
        size_t left = len - (size_t)(at - source->text);
        const char *newline = memchr(at, '\n', left);

        source->line[i].text = at;
        source->line[i].length = (u32)(newline ? (size_t)(newline - at) : left);
        at = newline ? newline + 1 : at + left;
    }
    return 0;
}

/* Mark the lines of the source file from which code of one object was made. */
static int
mark_code(struct session *session, u32 object, struct source *source)
{
    const struct objfile *file = object_file(session, object);
    u32 index = files_in_object(session, object, source->file);
    struct objfile_line line;

    for (u32 i = 0; index && objfile_line_at(file, i, &line) == 0; i++) {
        if (line.file != index || !line.line)
            continue;
        if (grow(source, line.line) < 0)
            return -ENOMEM;
        if (line.line <= source->count)
            source->line[line.line - 1].code = true;
    }
    return 0;
}

static int
add_code_line(void *context, u32 line)
{
    struct source *source = context;

    if (grow(source, line) < 0)
        return -ENOMEM;
    if (line <= source->count)
        source->line[line - 1].code = true;
    return 0;
}

/* Get the keys of frames for aggregate(): the frame's line in this file, - 1. */
static int
key_lines(struct session *session, struct source *source, u32 **out)
{
    u32 frames = aggregate_frames(session);
    u32 *key = malloc(((size_t)frames + 1) * sizeof(*key));

    if (!key)
        return -ENOMEM;
    for (u32 i = 0; i < frames; i++) {
        const struct site_frame *frame = aggregate_frame(session, i);

        key[i] = KEY_NONE;
        if (frame->file != source->file || !frame->line)
            continue;
        if (grow(source, frame->line) < 0) {
            free(key);
            return -ENOMEM;
        }
        if (frame->line <= source->count)
            key[i] = frame->line - 1;
    }
    *out = key;
    return 0;
}

static int
read_sums(struct session *session, const struct stack_tree *walk, struct source *source)
{
    struct sums sums;
    u32 *key;
    int ret = key_lines(session, source, &key);

    if (ret < 0)
        return ret;
    ret = aggregate(walk, key, source->count, &sums);
    free(key);
    if (ret < 0)
        return ret;
    source->excl = sums.excl;
    source->incl = sums.incl;
    return 0;
}

static void
mark_hot(struct source *source, enum metric metric, u32 threshold)
{
    int64_t excl = 0, incl = 0;

    for (u32 i = 0; i < source->count; i++) {
        if (grid_value(&source->excl, i, metric) > excl)
            excl = grid_value(&source->excl, i, metric);
        if (grid_value(&source->incl, i, metric) > incl)
            incl = grid_value(&source->incl, i, metric);
    }
    for (u32 i = 0; i < source->count; i++)
        source->line[i].hot =
            is_hot(grid_value(&source->excl, i, metric), excl, threshold) ||
            is_hot(grid_value(&source->incl, i, metric), incl, threshold);
}

static int
annotate(struct session *session, struct source *source, enum metric metric,
         u32 threshold)
{
    struct stack_tree walk;
    int ret = aggregate_open(session, true, &walk);

    if (ret < 0)
        return ret;
    ret = read_text(session, source);
    for (u32 i = 0; i < object_count(session) && ret == 0; i++)
        ret = mark_code(session, i, source);
    if (ret == 0)
        ret = interp_lines(session, source->file, add_code_line, source);
    if (ret == 0)
        ret = read_sums(session, &walk, source);
    if (ret == 0)
        ret = linemarks_of(session, &walk, source->file, &source->mark,
                           &source->nmarks);
    if (ret == 0)
        mark_hot(source, metric, threshold);
    aggregate_close(&walk);
    return ret;
}

int
source_file(struct session *session, u32 file, enum metric metric, u32 threshold,
            struct source *out)
{
    struct source source = { .file = file, .func = FUNC_TOTAL, .focus = 1 };
    int ret;

    if (!file || file >= file_count(session))
        return -EINVAL;
    ret = annotate(session, &source, metric, threshold);
    if (ret < 0) {
        source_free(&source);
        return ret;
    }
    source.last = source.count;
    *out = source;
    return 0;
}

/*
 * Set the function's place to the line at its entry; for a function whose declaration
 * is not known.
 */
static void
entry_line(struct session *session, struct function_info *info)
{
    const struct objfile *file = object_file(session, info->object);
    struct objfile_line line;

    if (!file || !info->size || objfile_line(file, info->addr, &line) < 0)
        return;
    info->file = files_of_object(session, info->object, line.file);
    info->line = line.line;
}

/* The last line of the function's code in its file. */
static u32
last_line(struct session *session, u32 func, const struct function_info *info)
{
    const struct objfile *file = object_file(session, info->object);
    u32 index = files_in_object(session, info->object, info->file), last = info->line;
    struct objfile_inline chain;
    struct objfile_symbol symbol;
    struct objfile_line line;

    if (interp_is_object(session, info->object))
        return interp_last_line(session, func, last);
    if (!file || objfile_symbol(file, info->addr, &symbol) < 0 || !info->size)
        return last;
    for (u32 i = objfile_line_index(file, symbol.addr);
         objfile_line_at(file, i, &line) == 0 && line.addr < symbol.addr + symbol.size;
         i++)
        if (line.file == index && line.line > last &&
            !objfile_inlines(file, line.addr, &chain, 1))
            last = line.line;
    return last;
}

/*
 * The last line of a function that is inlined everywhere: the last line with code
 * before the next function begins.
 */
static u32
last_inlined_line(const struct source *source)
{
    u32 next = source->count + 1, last = source->focus;

    for (u32 i = 0; i < source->nmarks; i++) {
        const struct source_mark *mark = &source->mark[i];

        if (!mark->inlined && mark->line > source->focus && mark->line < next)
            next = mark->line;
    }
    for (u32 i = source->focus; i < next - 1; i++)
        if (source->line[i].code)
            last = i + 1;
    return last;
}

int
source_function(struct session *session, u32 func, enum metric metric, u32 threshold,
                struct source *out)
{
    struct function_info info;
    struct source source;
    int ret;

    function_get(session, func, &info);
    if (!info.file)
        entry_line(session, &info);
    if (!info.file)
        return -ENODATA;
    ret = source_file(session, info.file, metric, threshold, &source);
    if (ret < 0)
        return ret;
    source.func = func;
    source.focus = info.line ? info.line : 1;
    source.last = info.size || interp_is_object(session, info.object)
                      ? last_line(session, func, &info)
                      : last_inlined_line(&source);
    *out = source;
    return 0;
}

void
source_free(struct source *source)
{
    free(source->line);
    free(source->mark);
    grid_close(&source->excl);
    grid_close(&source->incl);
    free(source->text);
    free(source->place);
    memset(source, 0, sizeof(*source));
}
