/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/base/pool.h"
#include "print/load/xml.h"
#include "share/record.h"

struct builder {
    struct map map;
    struct xml_reader reader;
    struct hash ids;
    u32 room;
    u32 early_room;
    u32 symbol_room;
    bool no_memory;
};

struct key {
    const struct map *map;
    u32 id;
};

static bool
same_id(const void *context, u32 index)
{
    const struct key *key = context;

    return key->map->instance[index].id == key->id;
}

static struct map_instance *
instance_of(struct builder *b, u64 id)
{
    struct key key = { &b->map, (u32)id };
    u32 at = hash_find(&b->ids, (u32)hash_mix(id), same_id, &key);

    return at == HASH_NONE ? NULL : &b->map.instance[at];
}

static int
kind_of(const char *name)
{
    static const char *const names[] = { "file", "vdso", "anon", "jit", "kernel" };

    for (u32 i = 0; i < ER_COUNT(names); i++)
        if (!strcmp(names[i], name))
            return (int)i;
    return -1;
}

/* Does the list of words contain this word? */
static bool
has_word(const char *list, const char *word)
{
    size_t len = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at += len)
        if ((at == list || !strchr("abcdefghijklmnopqrstuvwxyz", at[-1])) &&
            !(at[len] && strchr("abcdefghijklmnopqrstuvwxyz", at[len])))
            return true;
    return false;
}

static int
add_interval(struct map_instance *instance, u64 from)
{
    struct map_interval *grown;

    grown = realloc(instance->interval, (instance->nintervals + 1) * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    instance->interval = grown;
    grown[instance->nintervals++] = (struct map_interval){ from, UINT64_MAX };
    return 0;
}

static void
append(struct builder *b, const struct map_instance *instance)
{
    struct map *map = &b->map;

    if (array_room(&map->instance, &b->room, map->count + 1, sizeof(*instance)) < 0 ||
        hash_add(&b->ids, (u32)hash_mix(instance->id), map->count) < 0) {
        free(instance->interval);
        b->no_memory = true;
        return;
    }
    map->instance[map->count++] = *instance;
}

static bool
add_object(struct builder *b, const struct log_pair *attr, u32 nattrs)
{
    const char *flags = xml_attr(attr, nattrs, "flags", "");
    int kind = kind_of(xml_attr(attr, nattrs, "kind", ""));
    u64 id = xml_number(attr, nattrs, "id", 0);
    struct map_instance instance = {
        .id = (u32)id,
        .bias = xml_number(attr, nattrs, "bias", 0),
        .lo = xml_number(attr, nattrs, "lo", 0),
        .hi = xml_number(attr, nattrs, "hi", 0),
        .file = {
            .name = xml_attr(attr, nattrs, "name", ""),
            .buildid = xml_attr(attr, nattrs, "buildid", ""),
            .dev = xml_attr(attr, nattrs, "dev", ""),
            .inode = xml_attr(attr, nattrs, "inode", ""),
            .fsize = xml_attr(attr, nattrs, "fsize", ""),
            .mtime = xml_attr(attr, nattrs, "mtime", ""),
        },
        .boot = xml_attr(attr, nattrs, "boot", ""),
        .main = has_word(flags, "main"),
        .mapped = has_word(flags, "mapped"),
        .collector = has_word(flags, "collector"),
    };

    if (kind < 0 || id == 0 || id > UINT32_MAX || instance.lo >= instance.hi ||
        instance_of(b, id))
        return false;
    instance.kind = (enum map_kind)kind;
    if (add_interval(&instance, xml_number(attr, nattrs, "time", 0)) < 0)
        b->no_memory = true;
    else
        append(b, &instance);
    return true;
}

static bool
unload(struct map_instance *instance, u64 time)
{
    struct map_interval *last;

    if (!instance)
        return false;
    last = &instance->interval[instance->nintervals - 1];
    if (last->to != UINT64_MAX || time < last->from)
        return false;
    last->to = time;
    return true;
}

static bool
load_again(struct builder *b, struct map_instance *instance, u64 time)
{
    u64 gone;

    if (!instance)
        return false;
    gone = instance->interval[instance->nintervals - 1].to;
    if (gone == UINT64_MAX || time < gone)
        return false;
    if (add_interval(instance, time) < 0)
        b->no_memory = true;
    return true;
}

static bool
add_early(struct builder *b, u64 id, u64 number)
{
    struct map *map = &b->map;

    if (!instance_of(b, id) || number < ER_EARLY_FIRST || number > UINT32_MAX)
        return false;
    if (array_room(&map->early, &b->early_room, map->nearly + 1,
                   sizeof(*map->early)) < 0)
        b->no_memory = true;
    else
        map->early[map->nearly++] = (struct map_early){ (u32)number, (u32)id };
    return true;
}

static bool
add_symbol(struct builder *b, const struct log_pair *attr, u32 nattrs)
{
    struct map *map = &b->map;
    struct map_symbol symbol = { .lo = xml_number(attr, nattrs, "lo", 0),
                                 .hi = xml_number(attr, nattrs, "hi", 0),
                                 .name = xml_attr(attr, nattrs, "name", "") };

    if (symbol.lo >= symbol.hi || !*symbol.name)
        return false;
    if (array_room(&map->symbol, &b->symbol_room, map->nsymbols + 1,
                   sizeof(symbol)) < 0)
        b->no_memory = true;
    else
        map->symbol[map->nsymbols++] = symbol;
    return true;
}

static void
on_start(void *context, const char *name, const struct log_pair *attr, u32 nattrs)
{
    struct builder *b = context;
    u64 time = xml_number(attr, nattrs, "time", 0);
    u64 id = xml_number(attr, nattrs, "id", 0);
    bool fits = true;

    if (!strcmp(name, "object"))
        fits = add_object(b, attr, nattrs);
    else if (!strcmp(name, "unload"))
        fits = unload(instance_of(b, id), time);
    else if (!strcmp(name, "load"))
        fits = load_again(b, instance_of(b, id), time);
    else if (!strcmp(name, "early"))
        fits = add_early(b, id, xml_number(attr, nattrs, "nodes", 0));
    else if (!strcmp(name, "symbol"))
        fits = add_symbol(b, attr, nattrs);
    if (!fits)
        problems_add(b->reader.problems, "%s: the %s line of id %s makes no sense and "
                     "is left out", b->reader.name, name,
                     xml_attr(attr, nattrs, "id", "?"));
}

static void
on_end(void *context, const char *name, const char *text)
{
    (void)context, (void)name, (void)text;
}

static int
by_id(const void *a, const void *b)
{
    const struct map_instance *left = a, *right = b;

    return left->id < right->id ? -1 : left->id > right->id;
}

static int
by_number(const void *a, const void *b)
{
    const struct map_early *left = a, *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

int
map_parse(struct map *out, const char *text, size_t len, const char *name,
          struct problems *problems)
{
    struct builder b = { 0 };
    int ret;

    b.reader = (struct xml_reader){
        .start = on_start,
        .end = on_end,
        .context = &b,
        .pool = &b.map.memory,
        .root = "map",
        .name = name,
        .problems = problems,
    };
    ret = xml_parse(&b.reader, text, len);
    if (ret == 0 && b.no_memory)
        ret = -ENOMEM;
    if (ret == 0 && !b.reader.opened)
        ret = -EBADMSG;
    hash_free(&b.ids);
    if (ret < 0) {
        map_free(&b.map);
        return ret;
    }
    b.map.closed = b.reader.closed;
    b.map.is_read = true;
    if (b.map.count)
        qsort(b.map.instance, b.map.count, sizeof(*b.map.instance), by_id);
    if (b.map.nearly)
        qsort(b.map.early, b.map.nearly, sizeof(*b.map.early), by_number);
    *out = b.map;
    return 0;
}

int
map_read(struct map *out, int dirfd, const char *name, struct problems *problems)
{
    char *text;
    size_t len;
    int ret = xml_slurp(dirfd, "map.xml", &text, &len);

    if (ret < 0)
        return ret;
    ret = map_parse(out, text, len, name, problems);
    free(text);
    return ret;
}

void
map_free(struct map *map)
{
    for (u32 i = 0; i < map->count; i++)
        free(map->instance[i].interval);
    free(map->instance);
    free(map->early);
    free(map->symbol);
    pool_free(map->memory);
    memset(map, 0, sizeof(*map));
}

/* The instance id for which an early number stands; 0 = none. */
static u32
early_id(const struct map *map, u32 number)
{
    struct map_early key = { number, 0 }, *found = NULL;

    if (map->nearly)
        found = bsearch(&key, map->early, map->nearly, sizeof(key), by_number);
    return found ? found->id : 0;
}

const struct map_instance *
map_find(const struct map *map, u32 id)
{
    struct map_instance key = {
        .id = id >= ER_EARLY_FIRST ? early_id(map, id) : id,
    };

    if (!map->count)
        return NULL;
    return bsearch(&key, map->instance, map->count, sizeof(key), by_id);
}

static bool
was_there(const struct map_instance *instance, u64 mono)
{
    for (u32 i = 0; i < instance->nintervals; i++)
        if (mono >= instance->interval[i].from && mono < instance->interval[i].to)
            return true;
    return false;
}

/*
 * Are two entries the same load of one object, which the process and the launcher have
 * both recorded?
 */
static bool
are_same(const struct map_instance *a, const struct map_instance *b)
{
    return a->kind == b->kind && a->bias == b->bias && *a->file.name &&
           !strcmp(a->file.name, b->file.name) &&
           !strcmp(a->file.buildid, b->file.buildid) &&
           !strcmp(a->file.mtime, b->file.mtime) &&
           !strcmp(a->file.fsize, b->file.fsize);
}

const struct map_instance *
map_find_pc(const struct map *map, u64 pc, u64 mono)
{
    const struct map_instance *found = NULL;
    u32 fits = 0;

    for (u32 i = 0; i < map->count; i++) {
        const struct map_instance *at = &map->instance[i];

        if (pc < at->lo || pc >= at->hi || (mono && !was_there(at, mono)))
            continue;
        fits += !found || !are_same(found, at);
        found = at;
    }
    return fits == 1 ? found : NULL;
}
