/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/kernelobject.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/madeobject.h"

struct list {
    struct map_symbol *symbol;
    u32 count;
    u32 room;
};

void
kernelobject_key(const struct map_instance *instance, char *key, size_t size)
{
    snprintf(key, size, "%.40s %.40s kernel", instance->file.name, instance->boot);
}

static int
by_address(const void *a, const void *b)
{
    const struct map_symbol *left = a, *right = b;

    if (left->lo != right->lo)
        return left->lo < right->lo ? -1 : 1;
    return left->hi < right->hi ? -1 : left->hi > right->hi;
}

/* Add the functions of an instance to the list, with link-time addresses. 0 or -1. */
static int
add_symbols(struct list *list, const struct map *map,
            const struct map_instance *instance)
{
    for (u32 i = 0; i < map->nsymbols; i++) {
        struct map_symbol symbol = map->symbol[i];

        if (symbol.lo < instance->lo || symbol.lo >= instance->hi)
            continue;
        if (array_room(&list->symbol, &list->room, list->count + 1, sizeof(symbol)) < 0)
            return -1;
        symbol.lo -= instance->bias;
        symbol.hi -= instance->bias;
        list->symbol[list->count++] = symbol;
    }
    return 0;
}

static int
add_experiment(struct list *list, const struct map *map, const char *key)
{
    char its[OBJFILE_KEY_MAX + 32];

    for (u32 i = 0; i < map->count; i++) {
        const struct map_instance *instance = &map->instance[i];

        if (instance->kind != MAP_KERNEL)
            continue;
        kernelobject_key(instance, its, sizeof(its));
        if (!strcmp(its, key) && add_symbols(list, map, instance) < 0)
            return -1;
    }
    return 0;
}

static void
write_symbols(struct objwrite *w, const struct list *list)
{
    u64 end = 0;

    for (u32 i = 0; i < list->count; i++) {
        const struct map_symbol *symbol = &list->symbol[i];
        struct obj_func func = { .name = objwrite_string(w, symbol->name) };
        struct obj_sym row = { .name = func.name,
                               .size = (u32)(symbol->hi - symbol->lo) };

        /* Skip a symbol that another experiment also has, or whose range is damaged. */
        if (symbol->lo < end || !objwrite_address(w, symbol->lo, &row.addr) ||
            symbol->hi - symbol->lo > UINT32_MAX)
            continue;
        end = symbol->hi;
        row.func = objwrite_func(w, &func);
        row.flags = OBJFILE_ORIGIN_SYMTAB | OBJFILE_GLOBAL << 4;
        objwrite_row(w, OBJ_sym, &row);
    }
}

int
kernelobject_make(struct session *session, const char *key, struct objfile **file)
{
    struct list list = { 0 };
    struct objwrite w;
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(&list, &session->experiment[i]->map, key);
    if (list.count)
        qsort(list.symbol, list.count, sizeof(*list.symbol), by_address);
    objwrite_init(&w);
    w.machine = EM_X86_64;
    w.bits = 64;
    w.flags = OBJFILE_HAS_SYMTAB;
    w.path = objwrite_string(&w, "[kernel]");
    write_symbols(&w, &list);
    ret = ret < 0 ? -ENOMEM : w.status;
    if (ret == 0)
        ret = madeobject_reopen(&w, "[kernel]", file);
    objwrite_free(&w);
    free(list.symbol);
    return ret;
}
