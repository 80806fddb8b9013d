/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/screenstyle.h"

#include <string.h>

static const char *const sequence[] = {
    [STYLE_PLAIN] = NULL,       [STYLE_HEADING] = "\033[1m", [STYLE_HOT] = "\033[1;31m",
    [STYLE_SELF] = "\033[1m",   [STYLE_NOTE] = "\033[36m",   [STYLE_FAINT] = "\033[2m",
    [STYLE_BAR] = "\033[32m",
};

void
screenstyle_begin(const struct export_form *form, enum style style, FILE *f)
{
    if (form->colour && sequence[style])
        fputs(sequence[style], f);
}

void
screenstyle_end(const struct export_form *form, enum style style, FILE *f)
{
    if (form->colour && sequence[style])
        fputs("\033[m", f);
}

enum style
screenstyle_row(const struct table_row *r)
{
    return r->flags & ROW_HOT    ? STYLE_HOT
           : r->flags & ROW_SELF ? STYLE_SELF
           : r->flags & ROW_NOTE ? STYLE_NOTE
                                 : STYLE_PLAIN;
}

const char *
screenstyle_bar(const struct export_form *form, double share, char *buf)
{
    /* Characters for one to eight eighths of a block are U+258F down to U+2588. */
    unsigned parts = form->utf8 ? 8 : 1, n;
    char *p = buf;

    share = share > 0 ? share < 1 ? share : 1 : 0;
    n = (unsigned)(share * STYLE_BAR_WIDTH * parts + 0.5);
    for (; n; n -= n < parts ? n : parts) {
        if (form->utf8) {
            *p++ = '\xe2';
            *p++ = '\x96';
            *p++ = (char)(0x90 - (n < parts ? n : parts));
        } else {
            *p++ = '#';
        }
    }
    *p = '\0';
    return buf;
}

size_t
screenstyle_fit(const struct export_form *form, size_t *width, const bool *soft, u32 n,
                size_t fixed, size_t least)
{
    size_t total = fixed;

    for (u32 i = 0; i < n; i++)
        total += width[i];
    while (form->width && total > form->width) {
        size_t widest = least, second = least, too_much = total - form->width, give;
        u32 at = n;

        for (u32 i = 0; i < n; i++) {
            if (!soft[i] || width[i] <= second)
                continue;
            if (width[i] > widest) {
                second = widest;
                widest = width[at = i];
            } else {
                second = width[i];
            }
        }
        if (at == n)
            break;
        give = widest - second ? widest - second : 1;
        give = give < too_much ? give : too_much;
        width[at] -= give;
        total -= give;
    }
    return total;
}
