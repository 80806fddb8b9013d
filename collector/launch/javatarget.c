/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/javatarget.h"

#include <stdlib.h>
#include <string.h>

#include "collector/launch/status.h"
#include "share/err.h"

enum kind {
    OTHER,
    MACHINE, /* java */
    CLASS,
    ARCHIVE,
};

static int
ends_in(const char *name, const char *end)
{
    size_t len = strlen(name), tail = strlen(end);

    return len > tail && !strcmp(name + len - tail, end);
}

static enum kind
kind_of(const char *target)
{
    const char *slash = strrchr(target, '/');

    if (ends_in(target, ".class"))
        return CLASS;
    if (ends_in(target, ".jar"))
        return ARCHIVE;
    return strcmp(slash ? slash + 1 : target, "java") ? OTHER : MACHINE;
}

/*
 * Return how many words a text has. If word is not NULL, split the text, and set word[]
 * to where each begins.
 */
static int
split(char *text, char **word)
{
    int n = 0;

    for (char *save, *p = strtok_r(text, " \t\n", &save); p;
         p = strtok_r(NULL, " \t\n", &save), n++)
        if (word)
            word[n] = p;
    return n;
}

/* The name of the class in a file; the machine finds the class from this directory. */
static char *
class_name(const char *file)
{
    char *name = strdup(file + (strncmp(file, "./", 2) ? 0 : 2));

    if (!name)
        return NULL;
    name[strlen(name) - strlen(".class")] = '\0';
    for (char *p = name; *p; p++)
        if (*p == '/')
            *p = '.';
    return name;
}

static int
count(char **words)
{
    int n = 0;

    while (words[n])
        n++;
    return n;
}

/* Put the words of all options -J into `to`, one after the other. Returns how many. */
static int
add_arguments(const struct request *request, char **to)
{
    int n = 0;

    for (int i = 0; i < request->njava_arguments; i++) {
        char *copy = strdup(request->java_arguments[i]);

        if (copy)
            n += split(copy, to + n);
    }
    return n;
}

static size_t
room_for(const struct request *request)
{
    size_t words = (size_t)count(request->target) + 4;

    for (int i = 0; i < request->njava_arguments; i++)
        words += strlen(request->java_arguments[i]) / 2 + 1;
    return words;
}

int
javatarget_set(struct request *request)
{
    enum kind kind = kind_of(request->target[0]);
    const char *machine = request->java;
    char **from = request->target + 1, **to;
    int n = 0;

    if (kind == OTHER && (machine || request->njava_arguments)) {
        err_warn("-%c is for a Java program: FILE.class, FILE.jar or java",
                 machine ? 'j' : 'J');
        return STATUS_USAGE;
    }
    if (kind == OTHER || (kind == MACHINE && !machine && !request->njava_arguments))
        return 0;
    to = calloc(room_for(request), sizeof(*to));
    if (!to) {
        err_warn("no memory is left");
        return STATUS_FAILED;
    }
    if (machine || kind != MACHINE)
        to[n++] = strdup(machine ? machine : "java");
    else
        to[n++] = request->target[0];
    n += add_arguments(request, to + n);
    if (kind == ARCHIVE) {
        to[n++] = strdup("-jar");
        to[n++] = request->target[0];
    } else if (kind == CLASS) {
        to[n++] = class_name(request->target[0]);
    }
    while (*from)
        to[n++] = *from++;
    request->target = to; /* lives as long as the process */
    return 0;
}
