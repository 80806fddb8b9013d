/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/environ.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "share/params.h"

static const char *
value_of(const char *entry, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(entry, name, len) && entry[len] == '=' ? entry + len + 1 : NULL;
}

const char *
environ_get(char *const envp[], const char *name)
{
    for (; envp && *envp; envp++) {
        const char *value = value_of(*envp, name);

        if (value)
            return value;
    }
    return NULL;
}

/* Remove our part, with which LD_PRELOAD begins, in place; 0 = nothing is left. */
static int
shorten(char *entry, const char *ours)
{
    char *value = strchr(entry, '=') + 1;
    size_t len = strlen(ours);

    if (strncmp(value, ours, len) != 0)
        return 1;
    if (!value[len])
        return 0;
    memmove(value, value + len + 1, strlen(value + len + 1) + 1);
    return 1;
}

/* Remove our options from the end of ASAN_OPTIONS, in place; 0 = nothing is left. */
static int
shorten_asan(char *value)
{
    static const char tail[] = ER_ASAN_TAIL;
    size_t len = strlen(value), ours = sizeof(tail) - 1;

    if (len < ours || strcmp(value + len - ours, tail) != 0)
        return 1;
    if (len == ours)
        return 0;
    if (value[len - ours - 1] == ':')
        value[len - ours - 1] = 0;
    return 1;
}

/*
 * Go's runtime looks for the auxiliary vector right after envp. The removed variables
 * leave a gap of n words there: fill it with AT_IGNORE entries, of two words each. An
 * odd gap cannot be filled (ER_ENV_PAD avoids it).
 */
static void
pad_gap(char **words, size_t n)
{
    for (size_t i = 0; n % 2 == 0 && i < n; i++)
        words[i] = (char *)(uintptr_t)(i % 2 == 0 ? AT_IGNORE : 0);
}

static char **first_environ;

void
environ_start(char **envp)
{
    first_environ = envp;
}

const char *
environ_value(const char *name)
{
    return environ_get(environ ? environ : first_environ, name);
}

void
environ_restore(char **envp)
{
    const char *ours = environ_get(envp, ER_ENV_PRELOAD);
    char **to = envp, **from;

    for (from = envp; *from; from++) {
        if (value_of(*from, ER_ENV_PARAMS) || value_of(*from, ER_ENV_EXPNAME) ||
            value_of(*from, ER_ENV_PRELOAD) || value_of(*from, ER_ENV_FOUNDER) ||
            value_of(*from, ER_ENV_PAD))
            continue;
        if (ours && value_of(*from, ER_ENV_ASAN) &&
            !shorten_asan(strchr(*from, '=') + 1))
            continue;
        if (ours && value_of(*from, "LD_PRELOAD") && !shorten(*from, ours))
            continue;
        *to++ = *from;
    }
    *to = NULL;
    pad_gap(to + 1, (size_t)(from - to));
}
