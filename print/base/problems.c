/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/problems.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
known(const struct problems *problems, const char *text)
{
    for (u32 i = 0; i < problems->count; i++)
        if (!strcmp(problems->text[i], text))
            return true;
    return false;
}

/* Add a text, or free it. */
static void
append(struct problems *problems, char *text)
{
    if (known(problems, text)) {
        free(text);
        return;
    }
    if (!problems->text)
        problems->text = calloc(PROBLEMS_MAX, sizeof(*problems->text));
    if (!problems->text || problems->count == PROBLEMS_MAX) {
        problems->unlisted++;
        free(text);
        return;
    }
    problems->text[problems->count++] = text;
}

void
problems_add(struct problems *problems, const char *format, ...)
{
    va_list args;
    char *text;
    int len;

    va_start(args, format);
    len = vasprintf(&text, format, args);
    va_end(args);
    if (len < 0)
        return;
    pthread_mutex_lock(&problems->lock);
    append(problems, text);
    pthread_mutex_unlock(&problems->lock);
}

void
problems_free(struct problems *problems)
{
    for (u32 i = 0; i < problems->count; i++)
        free(problems->text[i]);
    free(problems->text);
    problems->text = NULL;
    problems->count = 0;
}
