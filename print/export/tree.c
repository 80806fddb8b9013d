/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/tree.h"

#include <string.h>

#include "print/export/mem.h"

enum { GROWTH = 3 }; /* bytes that one byte becomes, at most */

static size_t
depth_length(const char *text)
{
    return *text == '(' ? strcspn(text, " ") + 1 : 0;
}

char *
tree_text(const char *text, bool utf8)
{
    size_t n = depth_length(text);
    char *out = mem_realloc(NULL, GROWTH * strlen(text) + 1), *p = out;

    p = mempcpy(p, text, n);
    text += n;
    for (; (*text == TREE_DOWN || *text == TREE_NONE) && text[1] == ' '; text += 2)
        p = stpcpy(p, *text == TREE_NONE ? "  " : utf8 ? "\u2502 " : "| ");
    if (!strncmp(text, TREE_LAST, 2)) {
        p = stpcpy(p, utf8 ? "\u2514\u2500" : "+-");
        text += 2;
    } else if (!strncmp(text, TREE_CHILD, 2)) {
        p = stpcpy(p, utf8 ? "\u251c\u2500" : "+-");
        text += 2;
    }
    strcpy(p, text);
    return out;
}
