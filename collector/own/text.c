/* SPDX-License-Identifier: Apache-2.0 */
/* libc's functions on strings. For any context. */
#include <string.h>

#include "share/types.h"

size_t
strlen(const char *s)
{
    size_t len = 0;

    while (s[len])
        len++;
    return len;
}

size_t
strnlen(const char *s, size_t most)
{
    size_t len = 0;

    while (len < most && s[len])
        len++;
    return len;
}

int
strcmp(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

int
strncmp(const char *a, const char *b, size_t most)
{
    for (; most; most--, a++, b++)
        if (!*a || *a != *b)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

char *
strchr(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return *s == (char)c ? (char *)(uintptr_t)s : NULL;
}

char *
strrchr(const char *s, int c)
{
    const char *last = NULL;

    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (!*s)
            return (char *)(uintptr_t)last;
    }
}

char *
strstr(const char *s, const char *what)
{
    return memmem(s, strlen(s), what, strlen(what));
}

char *
stpcpy(char *restrict to, const char *restrict from)
{
    size_t len = strlen(from);

    memcpy(to, from, len + 1);
    return to + len;
}

char *
strcpy(char *restrict to, const char *restrict from)
{
    stpcpy(to, from);
    return to;
}

char *
strcat(char *restrict to, const char *restrict from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *
strncpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t len = strnlen(from, size);

    memcpy(to, from, len);
    memset(to + len, 0, size - len);
    return to;
}

/* How many characters at the start of s are in the set; in = 0: are not in it. */
static size_t
span(const char *s, const char *set, int in)
{
    size_t len = 0;

    while (s[len] && (strchr(set, s[len]) != NULL) == in)
        len++;
    return len;
}

size_t
strspn(const char *s, const char *set)
{
    return span(s, set, 1);
}

size_t
strcspn(const char *s, const char *set)
{
    return span(s, set, 0);
}
