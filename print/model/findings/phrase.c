/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/findings/phrase.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"
#include "print/model/symbols/frames.h"
#include "print/model/symbols/frametext.h"
#include "print/model/symbols/function.h"

enum {
    NAME_MOST = 72, /* bytes of a name; the middle of longer ones is left out */
};

static const char *
keep(struct findings *f, const char *text, size_t len)
{
    const char *copy = text ? pool_text(&f->memory, text, len) : NULL;

    if (!copy)
        f->no_memory = true;
    return copy ? copy : "";
}

__attribute__((format(printf, 2, 0))) static const char *
keep_format(struct findings *f, const char *format, va_list ap)
{
    const char *copy;
    char *text = NULL;
    int n = vasprintf(&text, format, ap);

    copy = keep(f, n < 0 ? NULL : text, n < 0 ? 0 : (size_t)n);
    free(n < 0 ? NULL : text);
    return copy;
}

__attribute__((format(printf, 2, 3))) static const char *
keep_printf(struct findings *f, const char *format, ...)
{
    const char *text;
    va_list ap;

    va_start(ap, format);
    text = keep_format(f, format, ap);
    va_end(ap);
    return text;
}

void
phrase_begin(struct findings *f, enum finding_kind kind, const char *command, ...)
{
    struct finding finding = { .kind = kind };
    va_list ap;

    va_start(ap, command);
    finding.command = keep_format(f, command, ap);
    va_end(ap);
    finding.sentence = calloc(1, 1);
    if (!finding.sentence ||
        array_room(&f->row, &f->room, f->count + 1, sizeof(finding)) < 0) {
        f->no_memory = true;
        free(finding.sentence);
        return;
    }
    f->row[f->count++] = finding;
}

/*
 * Append a part. Returns the finding if this is its first part with that field, so that
 * the caller sets the field's value; else NULL, also if memory runs out.
 */
static struct finding *
add(struct findings *f, enum finding_field field, const char *text)
{
    struct finding *row = f->no_memory || !f->count ? NULL : &f->row[f->count - 1];
    size_t len, more = strlen(text);
    char *sentence;

    if (!row)
        return NULL;
    len = strlen(row->sentence);
    sentence = realloc(row->sentence, len + more + 1);
    if (sentence)
        row->sentence = sentence;
    if (!sentence || array_room(&row->part, &row->part_room, row->parts + 1,
                                sizeof(*row->part)) < 0) {
        f->no_memory = true;
        return NULL;
    }
    memcpy(sentence + len, text, more + 1);
    row->part[row->parts++] = (struct finding_part){ field, text };
    if (row->has[field])
        return NULL;
    row->has[field] = true;
    return row;
}

static void
add_number(struct findings *f, enum finding_field field, const char *text,
           double number)
{
    struct finding *row = add(f, field, text);

    if (row)
        row->number[field] = number;
}

void
phrase_add(struct findings *f, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    add(f, FIND_TEXT, keep_format(f, format, ap));
    va_end(ap);
}

/*
 * The last position up to `at` where the text may be cut without splitting a UTF-8
 * character.
 */
static size_t
whole(const char *text, size_t at)
{
    while (at && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

void
phrase_add_name(struct findings *f, enum finding_field field, const char *name)
{
    size_t len = strlen(name);
    size_t head = len > NAME_MOST ? whole(name, NAME_MOST / 2) : 0;
    size_t tail = len > NAME_MOST ? whole(name, len - NAME_MOST / 2) : 0;
    struct finding *row;
    char *plain = strdup(name);
    const char *text;

    for (char *p = plain; p && *p; p++)
        if (*p == '\n')
            *p = ' ';
    text = keep(f, plain, len);
    if (len > NAME_MOST && plain)
        row = add(f, field, keep_printf(f, "%.*s...%s", (int)head, text, text + tail));
    else
        row = add(f, field, text);
    if (row)
        row->text[field] = text;
    free(plain);
}

const char *
phrase_seconds(struct findings *f, u64 ns)
{
    if (ns && ns < 1000000)
        return keep_printf(f, "%.1f us", (double)ns / 1e3);
    return keep_printf(f, "%.3f s", (double)ns / 1e9);
}

void
phrase_add_time(struct findings *f, u64 ns)
{
    add_number(f, FIND_TIME, phrase_seconds(f, ns), (double)ns);
}

void
phrase_add_share(struct findings *f, double part, double whole_part)
{
    double share = whole_part > 0 ? 100 * part / whole_part : 0;

    add_number(f, FIND_SHARE,
               keep_printf(f, share < 9.95 ? "%.1f %%" : "%.0f %%", share), share);
}

void
phrase_add_count(struct findings *f, u64 count, const char *one, const char *many)
{
    add_number(f, FIND_COUNT,
               keep_printf(f, "%" PRIu64 " %s", count, count == 1 ? one : many),
               (double)count);
}

void
phrase_add_bytes(struct findings *f, u64 bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
    double value = (double)bytes / 1024;
    u32 unit = 0;

    if (bytes < 10240) {
        add_number(f, FIND_BYTES,
                   keep_printf(f, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s"),
                   (double)bytes);
        return;
    }
    for (; value >= 1024 && unit + 1 < ER_COUNT(units); unit++)
        value /= 1024;
    add_number(f, FIND_BYTES, keep_printf(f, "%.1f %s", value, units[unit]),
               (double)bytes);
}

void
phrase_add_value(struct findings *f, enum metric metric, int64_t value)
{
    u64 v = value > 0 ? (u64)value : 0;

    if (metrics[metric].unit == METRIC_NS)
        phrase_add_time(f, v);
    else if (metrics[metric].unit == METRIC_BYTES)
        phrase_add_bytes(f, v);
    else
        phrase_add_count(f, v, "event", "events");
}

const char *
phrase_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

bool
phrase_is_own(struct session *session, u32 function)
{
    struct function_info info;

    function_get(session, function, &info);
    return info.file && !frametext_is_system(session, info.object);
}

static const char *
frame_text(struct findings *f, struct session *session, const struct stack_frame *frame)
{
    char *text = NULL;
    const char *copy;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (stream)
        frametext_put(session, frame, stream);
    if (!stream || fclose(stream))
        copy = keep(f, NULL, 0);
    else
        copy = keep(f, text, size);
    free(text);
    return copy;
}

const char *
phrase_place(struct findings *f, struct session *session, u32 node)
{
    struct stack_frame place;

    if (!node || frametext_place(session, node, &place) < 0)
        return "";
    return frame_text(f, session, &place);
}

void
phrase_add_function(struct findings *f, struct session *session, u32 function)
{
    struct function_info info;
    struct object_info object;

    phrase_add_name(f, FIND_NAME, function_name(session, function));
    if (*function_name(session, function) == '<') /* it has the object's name */
        return;
    function_get(session, function, &info);
    object_get(session, info.object, &object);
    phrase_add(f, " (");
    if (info.file && info.line)
        phrase_add_name(f, FIND_PLACE,
                        keep_printf(f, "%s:%u", phrase_base(file_path(session,
                                                                      info.file)),
                                    info.line));
    else if (info.file)
        phrase_add_name(f, FIND_PLACE, phrase_base(file_path(session, info.file)));
    else
        phrase_add_name(f, FIND_PLACE, object.name);
    phrase_add(f, ")");
}

const char *
phrase_argument(struct findings *f, struct session *session, u32 function)
{
    const char *name = function_name(session, function);

    return keep_printf(f, strpbrk(name, " \t\"'<>()&*$;|~{}#") ? "'%s'" : "%s", name);
}
