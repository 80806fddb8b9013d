/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/outname.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/symbols/function.h"

/*
 * What is appended to a name; the next one is tried if another function has the same
 * name.
 */
enum level {
    LEVEL_PLAIN,
    LEVEL_FILE,
    LEVEL_OBJECT,
    LEVEL_ADDRESS,
    LEVEL_NUMBER,
    LEVEL_COUNT,
};

/* A function that needs a name. */
struct wanted {
    u32 func;
    const char *name;
};

static const char *
base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The name of a function at a level; NULL: no memory. */
static const char *
name_at(struct session *session, u32 func, enum level level, struct pool **pool)
{
    const char *title = function_title(session, func), *copy;
    struct function_info f;
    struct object_info o;
    char *text;
    int n = -1;

    function_get(session, func, &f);
    object_get(session, f.object, &o);
    switch (level) {
    case LEVEL_FILE:
        n = asprintf(&text, "%s (%s)", title, base_of(file_path(session, f.file)));
        break;
    case LEVEL_OBJECT:
        n = asprintf(&text, "%s [%s]", title, o.name);
        break;
    case LEVEL_ADDRESS:
        n = asprintf(&text, "%s [%s at 0x%" PRIx64 "]", title, o.name, f.addr);
        break;
    case LEVEL_NUMBER:
        n = asprintf(&text, "%s [%u]", title, func);
        break;
    default:
        n = asprintf(&text, "%s", title);
    }
    if (n < 0)
        return NULL;
    copy = pool_text(pool, text, (size_t)n);
    free(text);
    return copy;
}

static int
compare(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    int by_name = strcmp(x->name, y->name);

    return by_name ? by_name : x->func < y->func ? -1 : x->func > y->func;
}

/*
 * Assign the names that only one function has. Move the functions without a unique name
 * to the front of `wanted`; returns how many there are.
 */
static u32
settle(struct outname *names, struct wanted *wanted, u32 count)
{
    u32 left = 0;

    qsort(wanted, count, sizeof(*wanted), compare);
    for (u32 i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; end++)
            if (strcmp(wanted[i].name, wanted[end].name) != 0)
                break;
        for (u32 k = i; k < end; k++) {
            if (end - i == 1)
                names->text[wanted[k].func] = wanted[k].name;
            else
                wanted[left++] = wanted[k];
        }
    }
    return left;
}

static int
find_names(struct session *session, struct outname *names, struct wanted *wanted,
           u32 count)
{
    for (int level = 0; level < LEVEL_COUNT && count; level++) {
        for (u32 i = 0; i < count; i++) {
            wanted[i].name =
                name_at(session, wanted[i].func, (enum level)level, &names->pool);
            if (!wanted[i].name)
                return -ENOMEM;
        }
        count = settle(names, wanted, count);
    }
    return 0;
}

int
outname_open(struct session *session, const bool *used, struct outname *out)
{
    struct outname names = { .count = function_count(session) };
    struct wanted *wanted = calloc((size_t)names.count + 1, sizeof(*wanted));
    u32 count = 0;
    int ret = -ENOMEM;

    names.text = calloc((size_t)names.count + 1, sizeof(*names.text));
    for (u32 i = 0; i < names.count && wanted; i++)
        if (used[i])
            wanted[count++].func = i;
    if (wanted && names.text)
        ret = find_names(session, &names, wanted, count);
    free(wanted);
    if (ret < 0)
        outname_close(&names);
    else
        *out = names;
    return ret;
}

void
outname_close(struct outname *names)
{
    free(names->text);
    pool_free(names->pool);
    memset(names, 0, sizeof(*names));
}
