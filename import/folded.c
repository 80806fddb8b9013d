/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads folded stacks, as stackcollapse scripts, bpftrace's helpers and er_export write
 * them: lines like "main;work;inner 12". The format does not say what was counted: the
 * counter is called samples.
 */
#include <errno.h>
#include <string.h>

#include "import/names.h"

struct line {
    const char *stack;
    size_t len;
    u64 value;
};

/* Splits a line into stack and count. False: the line is not of this format. */
static bool
read_line(const char *text, size_t len, struct line *out)
{
    size_t digits = 0;

    while (len && strchr(" \t\r", text[len - 1]))
        len--;
    while (digits < len && (unsigned)(text[len - 1 - digits] - '0') <= 9)
        digits++;
    if (!digits || digits > 18 || len < digits + 2 ||
        !memchr(" \t", text[len - digits - 1], 2))
        return false;
    out->stack = text;
    out->len = len - digits - 1;
    while (out->len && (text[out->len - 1] == ' ' || text[out->len - 1] == '\t'))
        out->len--;
    out->value = 0;
    for (size_t i = len - digits; i < len; i++)
        out->value = out->value * 10 + (u64)(text[i] - '0');
    return out->len && !memchr(text, '\0', len);
}

/* Get the next line that is not empty, and its number; false at the end. */
static bool
next_line(struct bytes file, size_t *at, const char **text, size_t *len, u64 *number)
{
    while (*at < file.size) {
        const char *start = (const char *)file.at + *at;
        const char *end = memchr(start, '\n', file.size - *at);

        ++*number;
        *len = end ? (size_t)(end - start) : file.size - *at;
        *at += *len + 1;
        *text = start;
        if (*len)
            return true;
    }
    return false;
}

static void
add_stack(struct import *im, const struct line *line, struct import_hit *hit)
{
    const char *at = line->stack, *end = at + line->len;

    hit->node = 0;
    while (at < end && !im->failed) {
        const char *next = memchr(at, ';', (size_t)(end - at));
        size_t len = (size_t)((next ? next : end) - at);
        struct names_func func = { .name = names_text(im, at, len) };
        struct names_place place = { .func = func.name ? names_func(im, &func) : 0 };

        /* There is no function between two adjacent semicolons. */
        if (func.name)
            hit->node = names_node(im, hit->process, hit->node,
                                   names_place(im, &place));
        at += len + 1;
    }
}

int
import_folded(struct import *im, struct bytes file)
{
    struct import_hit hit = { .time = 0 };
    u32 counter = IMPORT_COUNTERS;
    size_t at = 0, len;
    const char *text;
    struct line line;

    while (next_line(file, &at, &text, &len, &hit.time) && !im->failed) {
        if (!read_line(text, len, &line))
            return counter == IMPORT_COUNTERS
                       ? -ENOEXEC
                       : import_fail(im, "line %llu is no stack and a whole number",
                                     (unsigned long long)hit.time);
        if (counter == IMPORT_COUNTERS) {
            counter = import_counter(im, "samples");
            hit.process = import_process(im, 0, 0, 1);
            hit.thread = hit.process ? import_thread(im, hit.process, 0, 1) : 0;
            if (!hit.thread)
                return -ENOMEM;
            im->process[hit.process - 1].name = im->file;
        }
        add_stack(im, &line, &hit);
        hit.value = line.value;
        if (!im->failed)
            import_count(im, counter, &hit);
    }
    if (names_settle(im) < 0)
        return -ENOMEM;
    return counter == IMPORT_COUNTERS ? -ENOEXEC : 0;
}
