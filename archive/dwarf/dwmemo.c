/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwmemo.h"

#include <stdlib.h>

static bool
grow(struct dwmemo *m)
{
    u32 size = m->keys ? (m->mask + 1) * 2 : 256;
    u64 *keys = calloc(size, sizeof(*keys));
    u32 *values = calloc(size, sizeof(*values));

    if (!keys || !values || size == 0) {
        free(keys);
        free(values);
        return false;
    }
    for (u32 i = 0; m->keys && i <= m->mask; i++) {
        u32 at = (u32)(m->keys[i] * 0x9e3779b97f4a7c15 >> 32) & (size - 1);

        if (!m->keys[i])
            continue;
        while (keys[at])
            at = (at + 1) & (size - 1);
        keys[at] = m->keys[i];
        values[at] = m->values[i];
    }
    free(m->keys);
    free(m->values);
    m->keys = keys;
    m->values = values;
    m->mask = size - 1;
    return true;
}

u32 *
dwmemo_place(struct dwmemo *m, u64 key, bool *known)
{
    u32 at;

    if ((!m->keys || m->count >= m->mask / 4 * 3) && !grow(m))
        return NULL;
    at = (u32)((key + 1) * 0x9e3779b97f4a7c15 >> 32) & m->mask;
    while (m->keys[at] && m->keys[at] != key + 1)
        at = (at + 1) & m->mask;
    *known = m->keys[at] != 0;
    m->count += !*known;
    m->keys[at] = key + 1;
    return &m->values[at];
}

void
dwmemo_free(struct dwmemo *m)
{
    free(m->keys);
    free(m->values);
    *m = (struct dwmemo){0};
}
