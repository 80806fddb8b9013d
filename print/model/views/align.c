/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/align.h"

#include <errno.h>
#include <stdlib.h>

enum {
    CELLS_MAX = 16 << 20,
};

/*
 * Set best[i * (nb + 1) + j] to the most pairs that can be made of a[i], b[j] and the
 * elements after them.
 */
static void
fill(u32 *best, const u64 *a, u32 na, const u64 *b, u32 nb)
{
    size_t width = (size_t)nb + 1;

    for (u32 i = na; i-- > 0;)
        for (u32 j = nb; j-- > 0;) {
            u32 *cell = &best[i * width + j];

            if (a[i] == b[j])
                *cell = cell[width + 1] + 1;
            else
                *cell = cell[width] > cell[1] ? cell[width] : cell[1];
        }
}

static void
follow(const u32 *best, const u64 *a, u32 na, const u64 *b, u32 nb, u32 first,
       u32 *match)
{
    size_t width = (size_t)nb + 1;

    for (u32 i = 0, j = 0; i < na && j < nb;) {
        const u32 *cell = &best[i * width + j];

        if (a[i] == b[j])
            match[j++] = first + i++;
        else if (cell[width] >= cell[1])
            i++;
        else
            j++;
    }
}

int
align(const u64 *a, u32 na, const u64 *b, u32 nb, u32 *match)
{
    u32 first = 0, *best;
    size_t cells;

    for (u32 j = 0; j < nb; j++)
        match[j] = ALIGN_NONE;
    for (; first < na && first < nb && a[first] == b[first]; first++)
        match[first] = first;
    for (; na > first && nb > first && a[na - 1] == b[nb - 1]; na--, nb--)
        match[nb - 1] = na - 1;
    a += first;
    b += first;
    na -= first;
    nb -= first;
    cells = ((size_t)na + 1) * ((size_t)nb + 1);
    if (!na || !nb || cells > CELLS_MAX)
        return 0;
    best = calloc(cells, sizeof(*best));
    if (!best)
        return -ENOMEM;
    fill(best, a, na, b, nb);
    follow(best, a, na, b, nb, first, match + first);
    free(best);
    return 0;
}
