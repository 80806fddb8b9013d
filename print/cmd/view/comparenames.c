/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches the functions of different groups: functions with the same long name are the
 * same. If a group has several with one name, they are told apart by the source file
 * or, if that is not enough, by the load object. Clones that a compiler made of a
 * function (NAME.part.0, ...) are the same whatever their suffix, if each group has at
 * most one of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/comparison.h"
#include "print/model/symbols/allstacks.h"

/* A function that some group has. */
struct named {
    u32 func;
    u64 groups;       /* a bit for each group that has it */
    u64 same;         /* groups that have it, or another that counts as the same */
    const char *name;
    const char *from; /* what distinguishes it from others of that name, in brackets */
    const char *bare; /* its name before the compiler cloned it, and its file */
    bool apart;       /* `from` is part of the name */
};

struct naming {
    struct comparison *c;
    struct named *row;
    u32 count;
};

/* Does a suffix that compilers append to clones follow the dot? */
static bool
is_clone(const char *dot)
{
    static const char *const words[] = { "constprop", "isra", "lto_priv",
                                         "llvm",      "part", "cold" };

    for (u32 i = 0; i < ER_COUNT(words); i++) {
        size_t n = strlen(words[i]);

        if (!strncmp(dot + 1, words[i], n) && (!dot[n + 1] || dot[n + 1] == '.'))
            return true;
    }
    return false;
}

/*
 * The name without suffixes of clones, with the file; parts that were split off keep
 * ".part".
 */
static const char *
bare_name(struct arena *a, const char *linkage, const char *from)
{
    const char *dot = *linkage ? strchr(linkage + 1, '.') : NULL;

    while (dot && !is_clone(dot))
        dot = strchr(dot + 1, '.');
    from = *from == '(' ? from : "";
    if (!dot)
        return arena_printf(a, "%s %s", linkage, from);
    return arena_printf(a, "%.*s%s%s %s", (int)(dot - linkage), linkage,
                        strstr(dot, ".part") ? ".part" : "",
                        strstr(dot, ".cold") ? ".cold" : "", from);
}

static const char *
origin(struct session *s, struct arena *a, const struct function_info *info)
{
    struct object_info object;

    if (info->file)
        return arena_printf(a, "(%s)", list_base_name(file_path(s, info->file)));
    object_get(s, info->object, &object);
    return *object.name == '[' ? object.name
                               : arena_printf(a, "[%s]", object.name);
}

static void
add(struct naming *n, u32 func, u64 groups)
{
    struct session *s = n->c->sh->session;
    struct arena *a = &n->c->arena;
    struct function_info info;
    const char *from;

    function_get(s, func, &info);
    from = origin(s, a, &info);
    n->row = mem_grow(n->row, n->count, sizeof(*n->row));
    n->row[n->count++] = (struct named){
        .func = func,
        .groups = groups,
        .name = function_name_styled(s, func, NAME_LONG),
        .from = from,
        .bare = bare_name(a, info.linkage, from),
    };
}

/* The functions that each group has. */
static int
collect(struct naming *n)
{
    struct session *s = n->c->sh->session;
    int ret = allstacks_expand(s);
    u32 functions = function_count(s);
    unsigned char *met = ret == 0 ? malloc((size_t)functions + 1) : NULL;
    u64 *groups = calloc((size_t)functions + 1, sizeof(*groups));

    for (u32 g = 0; met && groups && g < n->c->ngroups; g++) {
        memset(met, 0, functions);
        for (u32 i = 0; i < s->nexperiments; i++)
            if (s->experiment[i]->group == n->c->group[g])
                allstacks_functions(s, i, met);
        for (u32 f = 0; f < functions; f++)
            groups[f] |= (u64)met[f] << (g < 63 ? g : 63);
    }
    for (u32 f = FUNC_PSEUDO_COUNT; met && groups && f < functions; f++)
        if (groups[f])
            add(n, f, groups[f]);
    ret = met && groups ? ret : -ENOMEM;
    free(met);
    free(groups);
    return ret;
}

static int
by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int diff = strcmp(x->name, y->name);

    if (!diff)
        diff = strcmp(x->from, y->from);
    return diff ? diff : (x->func > y->func) - (x->func < y->func);
}

static int
by_bare_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int diff = strcmp(x->bare, y->bare);

    return diff ? diff : by_name(a, b);
}

/* Does any group have functions with this name from several places? */
static bool
is_ambiguous(const struct named *row, u32 count)
{
    u64 here = 0, before = 0;

    for (u32 i = 0; i < count; i++) {
        if (i && strcmp(row[i].from, row[i - 1].from)) {
            before |= here;
            here = 0;
        }
        here |= row[i].groups;
        if (here & before)
            return true;
    }
    return false;
}

/* Are they the same function by name and, if names are ambiguous, by place? */
static bool
is_same(const struct named *a, const struct named *b)
{
    return !strcmp(a->name, b->name) && (!a->apart || !strcmp(a->from, b->from));
}

/* Decide which of the rows that have one name are the same function. */
static void
settle_name(struct named *row, u32 count)
{
    bool apart = is_ambiguous(row, count);
    u32 end;

    for (u32 i = 0; i < count; i++)
        row[i].apart = apart;
    for (u32 i = 0; i < count; i = end) {
        u64 same = 0;

        for (end = i; end < count && is_same(&row[i], &row[end]); end++)
            same |= row[end].groups;
        for (u32 k = i; k < end; k++)
            row[k].same = same;
    }
}

static void
settle_names(struct naming *n)
{
    u32 end;

    for (u32 i = 0; i < n->count; i = end) {
        for (end = i + 1; end < n->count; end++)
            if (strcmp(n->row[end].name, n->row[i].name))
                break;
        settle_name(&n->row[i], end - i);
    }
}

static void
set_name(struct naming *n, const struct named *to, const struct named *as)
{
    struct comparison *c = n->c;
    const char *shown = function_name(c->sh->session, as->func);

    c->key[to->func] = as->apart ? arena_printf(&c->arena, "%s %s", as->name, as->from)
                                 : as->name;
    c->shown[to->func] = as->apart ? arena_printf(&c->arena, "%s %s", shown, as->from)
                                   : shown;
}

/*
 * For rows with the same bare name: if some groups lack some of their names, and no
 * group has two of these, all of these are one function. Returns the row of the first
 * group, which stands for all; NULL = they are different functions.
 */
static const struct named *
one_for_all(const struct named *row, u32 count, u64 all)
{
    const struct named *first = NULL;
    u64 seen = 0;

    for (u32 i = 0; i < count; i++) {
        if (row[i].same == all || (i && is_same(&row[i - 1], &row[i])))
            continue;
        if (seen & row[i].same)
            return NULL;
        seen |= row[i].same;
        if (!first || (row[i].same & -row[i].same) < (first->same & -first->same))
            first = &row[i];
    }
    return first;
}

static void
name_clones(struct naming *n, const struct named *row, u32 count)
{
    u64 all = n->c->ngroups < 64 ? ((u64)1 << n->c->ngroups) - 1 : 0;
    const struct named *first = all ? one_for_all(row, count, all) : NULL;

    for (u32 i = 0; i < count; i++)
        set_name(n, &row[i], first && row[i].same != all ? first : &row[i]);
}

int
comparison_names(struct comparison *c)
{
    struct naming n = { .c = c };
    int ret = collect(&n);
    u32 end;

    if (ret == 0) {
        c->names = function_count(c->sh->session);
        c->key = arena_alloc(&c->arena, c->names * sizeof(*c->key));
        c->shown = arena_alloc(&c->arena, c->names * sizeof(*c->shown));
    }
    if (n.count)
        qsort(n.row, n.count, sizeof(*n.row), by_name);
    settle_names(&n);
    if (n.count)
        qsort(n.row, n.count, sizeof(*n.row), by_bare_name);
    for (u32 i = 0; i < n.count && ret == 0; i = end) {
        for (end = i + 1; end < n.count; end++)
            if (strcmp(n.row[end].bare, n.row[i].bare))
                break;
        name_clones(&n, &n.row[i], end - i);
    }
    free(n.row);
    return ret;
}
