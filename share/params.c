/* SPDX-License-Identifier: Apache-2.0 */
#include "share/params.h"

#include <errno.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
} table[] = {
#define ER_PARAM(name, doc) { #name, offsetof(struct er_params, name) },
    ER_PARAMS(ER_PARAM)
#undef ER_PARAM
};

void
params_format(struct fmt *f, const struct er_params *params)
{
    for (size_t i = 0; i < ER_COUNT(table); i++) {
        u64 value;

        memcpy(&value, (const char *)params + table[i].offset, sizeof(value));
        if (!value)
            continue;
        fmt_str(f, table[i].name);
        fmt_char(f, '=');
        fmt_u64(f, value);
        fmt_char(f, ';');
    }
}

static void
set(struct er_params *params, const char *name, size_t len, u64 value)
{
    for (size_t i = 0; i < ER_COUNT(table); i++)
        if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
            memcpy((char *)params + table[i].offset, &value, sizeof(value));
}

int
params_parse(const char *text, struct er_params *params)
{
    struct er_params parsed = { 0 };

    while (*text) {
        const char *name = text;
        size_t len = strcspn(text, "=;");
        u64 value = 0;

        if (len == 0 || text[len] != '=')
            return -EINVAL;
        for (text += len + 1; *text >= '0' && *text <= '9'; text++)
            value = value * 10 + (u64)(*text - '0');
        if (*text != ';')
            return -EINVAL;
        text++;
        set(&parsed, name, len, value);
    }
    *params = parsed;
    return 0;
}
