/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hotspot_name.h"

#include <errno.h>
#include <string.h>

#include "collector/sig/hotspot.h"
#include "collector/sig/regs.h"

enum {
    SYMBOL_BYTES = 1000, /* the rest of a longer symbol is left out */
};

struct hotspot_method_layout hotspot_methods;

int
hotspot_load_u16(struct mem *m, u64 at, u32 *value)
{
    uint16_t word;

    if (!mem_ok(m, at, sizeof(word)))
        return 0;
    memcpy(&word, (const void *)(uintptr_t)at, sizeof(word));
    *value = word;
    return 1;
}

int
hotspot_symbol(struct mem *m, u64 at, struct er_str *text)
{
    u32 len;

    if (!at || at >> REGS_PC_BITS ||
        !hotspot_load_u16(m, at + hotspot_methods.symbol_length, &len))
        return -ENOENT;
    len = len < SYMBOL_BYTES ? len : SYMBOL_BYTES;
    if (len && !mem_ok(m, at + hotspot_methods.symbol_body, len))
        return -ENOENT;
    text->s = (const char *)(uintptr_t)(at + hotspot_methods.symbol_body);
    text->len = len;
    return 0;
}

int
hotspot_constant(struct mem *m, u64 constants, u32 index, struct er_str *text)
{
    u64 at;

    if (!mem_load(m, constants + hotspot_methods.pool_bytes + 8 * (u64)index, &at))
        return -ENOENT;
    return hotspot_symbol(m, at & ~(u64)1, text);
}

static void
put_char(struct hotspot_text *f, char c)
{
    if (f->at < f->end)
        *f->at++ = c;
}

void
hotspot_put(struct hotspot_text *f, const char *s, u32 len)
{
    while (len-- > 0)
        put_char(f, *s++);
}

/* Append the type at s.s[at] as Java writes it. Returns the index of what follows. */
static u32
put_type(struct hotspot_text *f, struct er_str s, u32 at)
{
    static const char *const names[] = { "Bbyte", "Cchar", "Ddouble", "Ffloat", "Iint",
                                         "Jlong", "Sshort", "Vvoid", "Zboolean" };
    u32 dimensions = 0;

    for (; at < s.len && s.s[at] == '['; at++)
        dimensions++;
    if (at < s.len && s.s[at] == 'L')
        for (at++; at < s.len && s.s[at] != ';'; at++)
            put_char(f, s.s[at] == '/' ? '.' : s.s[at]);
    else
        for (u32 i = 0; at < s.len && i < ER_COUNT(names); i++)
            if (names[i][0] == s.s[at])
                for (const char *p = names[i] + 1; *p; p++)
                    put_char(f, *p);
    for (; dimensions; dimensions--)
        hotspot_put(f, "[]", 2);
    return at + 1;
}

void
hotspot_put_class(struct hotspot_text *f, struct er_str class)
{
    if (class.len && class.s[0] == '[') {
        put_type(f, class, 0);
        return;
    }
    for (u32 i = 0; i < class.len; i++)
        put_char(f, class.s[i] == '/' || class.s[i] == '+' ? '.' : class.s[i]);
}

void
hotspot_put_method(struct hotspot_text *f, struct er_str class, struct er_str name,
                   struct er_str descriptor)
{
    u32 at = 1;

    hotspot_put_class(f, class);
    if (class.len)
        put_char(f, '.');
    hotspot_put(f, name.s, name.len);
    put_char(f, '(');
    while (at < descriptor.len && descriptor.s[at] != ')') {
        if (at > 1)
            put_char(f, ',');
        at = put_type(f, descriptor, at);
    }
    put_char(f, ')');
}
