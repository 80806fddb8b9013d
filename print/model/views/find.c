/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by name. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/functions.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/object.h"
#include "print/model/views/view.h"

struct found {
    u32 *id;
    u32 count;
    u32 room;
};

/* Make all functions of all objects known, including inlined and interpreted ones. */
static void
load_all(struct session *session)
{
    functions_add_code(session);
    for (u32 i = 0; i < object_count(session); i++) {
        const struct objfile *file = object_file(session, i);
        struct objfile_func func;

        functions_complete(session, i);
        for (u32 d = 1; file && d < objfile_func_count(file); d++)
            if (objfile_func(file, d, &func) == 0 && func.inlined)
                functions_of_decl(session, i, d);
    }
}

/*
 * Copy the last identifier of a name, before template arguments or parameters. The
 * mangled name of the function contains this identifier, so only names with it must be
 * demangled.
 */
static void
core_of(const char *name, char *core, size_t size)
{
    size_t end = strcspn(name, "(<"), from, len;

    while (end && !isalnum((unsigned char)name[end - 1]) && name[end - 1] != '_')
        end--;
    from = end;
    while (from && (isalnum((unsigned char)name[from - 1]) || name[from - 1] == '_'))
        from--;
    len = end - from < size ? end - from : size - 1;
    memcpy(core, name + from, len);
    core[len] = 0;
}

/*
 * Does the name have more than identifiers and scopes, so that core_of() may be wrong?
 */
static bool
is_odd(const char *name)
{
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != ':')
            return true;
    return false;
}

/*
 * Does a Java method's name, without its parameters, equal `name` from position `at`
 * on?
 */
static bool
is_method(const char *linkage, size_t at, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(linkage + at, name, len) && linkage[at + len] == '(';
}

static bool
is_exact(struct session *session, u32 id, const char *name, const char *core)
{
    const char *linkage = session->functions->function[id].linkage;

    if (!strcmp(linkage, name) || is_method(linkage, 0, name))
        return true;
    /* Inlined lambdas have no mangled name. */
    if ((linkage[0] != '_' && !strstr(name, "{lambda")) || !strstr(linkage, core))
        return false;
    return !strcmp(function_name_styled(session, id, NAME_LONG), name) ||
           !strcmp(function_name_styled(session, id, NAME_SHORT), name) ||
           !strcmp(function_name_styled(session, id, NAME_BRIEF), name);
}

/* Is `name` the last part, after a scope, of the function's short name? */
static bool
is_scoped(struct session *session, u32 id, const char *name, const char *core)
{
    const char *linkage = session->functions->function[id].linkage, *whole;
    size_t len, tail = strlen(name);

    if (!strstr(linkage, core))
        return false;
    len = strcspn(linkage, "(");
    if (linkage[len] && len > tail && linkage[len - tail - 1] == '.')
        return is_method(linkage, len - tail, name);
    whole = function_name_styled(session, id, NAME_SHORT);
    len = strlen(whole);
    if (interp_is_object(session, session->functions->function[id].object))
        return len > tail + 1 && !strcmp(whole + len - tail, name) &&
               whole[len - tail - 1] == '.';
    return len > tail + 2 && !strcmp(whole + len - tail, name) &&
           !strncmp(whole + len - tail - 2, "::", 2);
}

static int
search_core(struct session *session, const char *name, const char *core,
            bool (*fits)(struct session *, u32, const char *, const char *),
            struct found *found)
{
    for (u32 i = 0; i < function_count(session); i++) {
        if (!fits(session, i, name, core))
            continue;
        if (array_room(&found->id, &found->room, found->count + 1, sizeof(i)) < 0)
            return -ENOMEM;
        found->id[found->count++] = i;
    }
    return 0;
}

/*
 * Add the functions for which fits() is true. Operators, some types of std, and return
 * types do not occur in mangled names as they are written. So if `name` may contain
 * such and nothing was found, search again with all names demangled.
 */
static int
search(struct session *session, const char *name,
       bool (*fits)(struct session *, u32, const char *, const char *),
       struct found *found)
{
    u32 before = found->count;
    char core[256];
    int ret;

    core_of(name, core, sizeof(core));
    ret = search_core(session, name, core, fits, found);
    if (ret == 0 && found->count == before && core[0] && is_odd(name))
        ret = search_core(session, name, "", fits, found);
    return ret;
}

struct ranked {
    u32 id;
    int64_t value;
};

static int
by_value(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;

    if (left->value != right->value)
        return left->value > right->value ? -1 : 1;
    return left->id < right->id ? -1 : left->id > right->id;
}

/* Sort functions by metric, largest first; *sampled: does any of them have metrics? */
static int
rank(struct session *session, struct found *found, bool *sampled)
{
    const struct order order = { ORDER_METRIC, 0, FLAVOUR_INCLUSIVE, false };
    struct ranked *ranked = calloc((size_t)found->count + 1, sizeof(*ranked));
    struct rows rows = { 0 };
    int ret = ranked ? view_functions(session, &order, &rows) : -ENOMEM;

    for (u32 i = 0; i < found->count && ret == 0; i++) {
        ranked[i].id = found->id[i];
        ranked[i].value = INT64_MIN;
        for (u32 r = 0; r < rows.count; r++)
            if (rows.row[r].func == found->id[i])
                ranked[i].value = rows.row[r].incl.v[0];
    }
    if (ret == 0)
        qsort(ranked, found->count, sizeof(*ranked), by_value);
    for (u32 i = 0; i < found->count && ret == 0; i++)
        found->id[i] = ranked[i].id;
    *sampled = ret == 0 && found->count && ranked[0].value != INT64_MIN;
    rows_free(&rows);
    free(ranked);
    return ret;
}

/*
 * Add functions whose name without its scope is `name`. If the list was not empty
 * before, and none of those added has metrics, remove them again.
 */
static int
search_scoped(struct session *session, const char *name, struct found *found)
{
    u32 exact = found->count;
    bool sampled = false;
    int ret = search(session, name, is_scoped, found);

    if (ret == 0 && found->count > exact)
        ret = rank(session, found, &sampled);
    if (ret == 0 && exact && !sampled) {
        found->count = 0;
        ret = search(session, name, is_exact, found);
    }
    return ret;
}

int
function_find(struct session *session, const char *name, u32 **ids, u32 *count)
{
    const struct order order = { ORDER_METRIC, 0, FLAVOUR_INCLUSIVE, false };
    struct found found = { 0 };
    struct rows rows = { 0 };
    bool sampled = false;
    int ret;

    load_all(session);
    /*
     * A name <...> is that of a function which stands for hidden code. Make such
     * functions known: a view adds them.
     */
    if (*name == '<') {
        ret = view_functions(session, &order, &rows);
        rows_free(&rows);
        if (ret < 0)
            return ret;
    }
    ret = search(session, name, is_exact, &found);
    if (ret == 0 && found.count)
        ret = rank(session, &found, &sampled);
    if (ret == 0 && !sampled)
        ret = search_scoped(session, name, &found);
    if (ret == 0 && !found.count)
        ret = -ENOENT;
    if (ret < 0) {
        free(found.id);
        return ret;
    }
    *ids = found.id;
    *count = found.count;
    return 0;
}
