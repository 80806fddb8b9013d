/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/absent.h"

#include <string.h>
#include <strings.h>

#include "share/types.h"

static const struct {
    enum absent_kind kind;
    const char *name, *why;
} words[] = {
#define ABSENT(name, kind, why) { ABSENT_##kind, name, why },
#include "print/absent.def"
#undef ABSENT
};

const char *
absent_why(enum absent_kind kind, const char *name, size_t len)
{
    for (size_t i = 0; i < ER_COUNT(words); i++)
        if (words[i].kind == kind && strlen(words[i].name) == len &&
            !strncasecmp(words[i].name, name, len))
            return words[i].why;
    return NULL;
}
