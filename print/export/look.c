/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/look.h"

#include <string.h>

static const char *const sequence[] = {
    [LOOK_PLAIN] = NULL,       [LOOK_HEADING] = "\033[1m", [LOOK_HOT] = "\033[1;31m",
    [LOOK_SELF] = "\033[1m",   [LOOK_NOTE] = "\033[36m",   [LOOK_FAINT] = "\033[2m",
    [LOOK_BAR] = "\033[32m",
};

void
look_begin(const struct export_form *form, enum look look, FILE *f)
{
    if (form->colour && sequence[look])
        fputs(sequence[look], f);
}

void
look_end(const struct export_form *form, enum look look, FILE *f)
{
    if (form->colour && sequence[look])
        fputs("\033[m", f);
}

enum look
look_row(const struct table_row *r)
{
    return r->flags & ROW_HOT    ? LOOK_HOT
           : r->flags & ROW_SELF ? LOOK_SELF
           : r->flags & ROW_NOTE ? LOOK_NOTE
                                 : LOOK_PLAIN;
}

const char *
look_bar(const struct export_form *form, double share, char *buf)
{
    /* Characters for one to eight eighths of a block are U+258F down to U+2588. */
    unsigned parts = form->utf8 ? 8 : 1, n;
    char *p = buf;

    share = share > 0 ? share < 1 ? share : 1 : 0;
    n = (unsigned)(share * LOOK_BAR_WIDTH * parts + 0.5);
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
look_fit(const struct export_form *form, size_t *width, const bool *soft, u32 n,
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
