/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/v8name.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONG_LINE = 500, /* in a column behind that, functions may share name and line */
};

/* What V8 writes before the mark and the name: how many characters, 0 = nothing. */
static size_t
kind_of(const char *name)
{
    static const char *const kinds[] = { "JS:", "LazyCompile:", "Function:",
                                         "InterpretedFunction:", "Script:", "Eval:" };

    for (u32 i = 0; i < ER_COUNT(kinds); i++) {
        size_t len = strlen(kinds[i]);

        if (!strncmp(name, kinds[i], len))
            return len;
    }
    return 0;
}

/* The blank before the path of a file, or NULL. */
static char *
before_path(char *name)
{
    for (char *at = strchr(name, ' '); at; at = strchr(at + 1, ' '))
        if (at[1] == '/' || !strncmp(at + 1, "file://", 7))
            return at;
    return NULL;
}

/* The numbers at the end, ":LINE:COLUMN"; "" if there are not two. */
static const char *
numbers_of(const char *name)
{
    const char *at = name + strlen(name);
    u32 colons = 0;

    while (at > name && colons < 2 && strchr("0123456789:", at[-1]))
        colons += *--at == ':';
    return colons == 2 ? at : "";
}

void
v8name_shorten(char *name, bool has_source)
{
    static const char nameless[] = "anonymous";
    size_t skip = kind_of(name);
    const char *numbers;
    char *path;

    if (!skip)
        return;
    skip += name[skip] && strchr("*~^+", name[skip]);
    path = has_source ? before_path(name + skip) : NULL;
    if (path && atoi(strrchr(path, ':') ? strrchr(path, ':') + 1 : "") >= LONG_LINE)
        path = NULL;
    if (path && path > name + skip) {
        *path = 0;
        memmove(name, name + skip, strlen(name + skip) + 1);
        return;
    }
    numbers = path ? numbers_of(path) : "";
    if (*numbers && (size_t)(numbers - name) > strlen(nameless)) {
        memmove(name + strlen(nameless), numbers, strlen(numbers) + 1);
        memcpy(name, nameless, strlen(nameless));
        return;
    }
    skip += name[skip] == ' ';
    if (!name[skip])
        return;
    memmove(name, name + skip, strlen(name + skip) + 1);
}
