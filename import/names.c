/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Until all places are known, a node has the number of its place as pc; names_settle()
 * replaces it by an address.
 */
#include "import/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "import/nametables.h"
#include "print/base/array.h"

static struct names *
names_of(struct import *im)
{
    if (!im->names)
        im->names = calloc(1, sizeof(*im->names));
    im->failed |= !im->names;
    return im->names;
}

struct text_key {
    const struct names *names;
    const char *text;
    size_t len;
};

static bool
same_text(const void *context, u32 index)
{
    const struct text_key *key = context;
    const char *text = key->names->text[index];

    return !strncmp(text, key->text, key->len) && !text[key->len];
}

u32
names_text(struct import *im, const char *text, size_t len)
{
    struct names *n = names_of(im);
    struct text_key key = { n, text, strnlen(text, len) };
    u32 hash = (u32)hash_bytes(0, text, key.len), at;

    if (!n || !key.len)
        return 0;
    at = hash_find(&n->texts, hash, same_text, &key);
    if (at != HASH_NONE)
        return at + 1;
    if (array_room(&n->text, &n->texts_room, n->ntexts + 1, sizeof(*n->text)) < 0 ||
        hash_add(&n->texts, hash, n->ntexts) < 0) {
        im->failed = true;
        return 0;
    }
    n->text[n->ntexts] = import_text(im, text, key.len);
    return ++n->ntexts;
}

const char *
names_text_of(const struct import *im, u32 text)
{
    return text && im->names ? im->names->text[text - 1] : "";
}

u32
names_func(struct import *im, const struct names_func *func)
{
    const u32 row[4] = { func->object, func->name, func->file, func->line };
    struct names *n = names_of(im);
    u32 at = n ? nametables_number(&n->func, row) : 0;

    im->failed |= !at;
    return at;
}

u32
names_place(struct import *im, const struct names_place *place)
{
    struct names *n = im->names;
    u32 row[4] = { place->caller, place->func, place->file, place->line }, at;

    if (!n || !place->func || place->func > n->func.count)
        return 0;
    if (!row[2])
        row[2] = n->func.row[place->func - 1][2];
    at = nametables_number(&n->place, row);
    if (!at || array_room(&n->root, &n->roots_room, at, sizeof(*n->root)) < 0) {
        im->failed = true;
        return 0;
    }
    n->root[at - 1] = place->caller ? names_root(n, place->caller) : place->func;
    return at;
}

void
names_place_text(struct import *im, u32 place, u32 text)
{
    struct names *n = im->names;

    if (!n || !place)
        return;
    if (array_room_zero(&n->insn, &n->insns_room, place, sizeof(*n->insn)) < 0)
        im->failed = true;
    else
        n->insn[place - 1] = text;
}

/*
 * The number of the object with that name, which is added if it is new; 0: no memory.
 */
static u32
object_of(struct import *im, u32 process, u32 name)
{
    struct names *n = im->names;
    struct import_object object = {
        .kind = "file", .name = name ? names_text_of(im, name) : "[names]",
        .buildid = "", .named = true, .main = !n->nobjects,
    };
    struct name_object *new;

    if (array_room_zero(&n->by_name, &n->by_names_room, name + 1,
                        sizeof(*n->by_name)) < 0)
        goto failed;
    if (n->by_name[name])
        return n->by_name[name];
    if (array_room_zero(&n->object, &n->objects_room, n->nobjects + 1,
                        sizeof(*n->object)) < 0)
        goto failed;
    new = &n->object[n->nobjects];
    new->name = name;
    new->instance = import_object(im, process, &object);
    if (!new->instance)
        return 0;
    n->process = process;
    n->by_name[name] = ++n->nobjects;
    return n->nobjects;
failed:
    im->failed = true;
    return 0;
}

u32
names_node(struct import *im, u32 process, u32 parent, u32 place)
{
    struct names *n = im->names;
    u32 object;

    if (!n || !place || im->failed)
        return 0;
    object = object_of(im, process, n->func.row[names_root(n, place) - 1][0]);
    if (!object)
        return 0;
    return import_node(im, process, parent, n->object[object - 1].instance, place,
                       NODE_EXACT);
}

static int
compare(const void *a, const void *b, void *context)
{
    const struct names *n = context;
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    u32 f = names_root(n, x), g = names_root(n, y);
    const u32 *p = n->place.row[x - 1], *q = n->place.row[y - 1];
    const u32 left[] = { n->func.row[f - 1][0], f, p[2], p[3], x };
    const u32 right[] = { n->func.row[g - 1][0], g, q[2], q[3], y };

    for (u32 i = 0; i < ER_COUNT(left); i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

/*
 * Makes the object's key from all its functions and places: objects with equal keys
 * share an object file.
 */
static void
make_key(const struct import *im, struct name_object *o)
{
    const struct names *n = im->names;
    u64 one = hash_str(o->to - o->from, names_text_of(im, o->name)), two = ~one;

    for (u32 i = o->from; i < o->to; i++) {
        for (u32 at = n->sorted[i]; at; at = n->place.row[at - 1][0]) {
            const u32 *place = n->place.row[at - 1], *func = n->func.row[place[1] - 1];
            const u64 numbers[] = { place[3], func[3], !!place[0] };

            one = hash_bytes(one, numbers, sizeof(numbers));
            one = hash_str(one, names_text_of(im, func[1]));
            one = hash_str(one, names_text_of(im, func[2]));
            one = hash_str(one, names_text_of(im, place[2]));
            one = hash_str(one, names_text_of(im, names_insn(n, at)));
        }
        two = hash_mix(two + one);
    }
    snprintf(o->key, sizeof(o->key), "%016" PRIx64 "%016" PRIx64, one, two);
}

/* Finds each object's range in the sorted places. Some places may be in no object. */
static void
find_parts(struct names *n)
{
    for (u32 i = 0, k; i < n->place.count; i = k) {
        u32 name = n->func.row[names_root(n, n->sorted[i]) - 1][0];

        for (k = i + 1; k < n->place.count; k++)
            if (n->func.row[names_root(n, n->sorted[k]) - 1][0] != name)
                break;
        if (name < n->by_names_room && n->by_name[name]) {
            n->object[n->by_name[name] - 1].from = i;
            n->object[n->by_name[name] - 1].to = k;
        }
    }
}

/*
 * Gives each object an address range and a key, and each place its address. The first
 * slot of a function belongs to no place, as readers expect no inlined call at a
 * function's first address.
 */
static void
settle_objects(struct import *im)
{
    struct names *n = im->names;
    u64 bias = 0;

    for (u32 i = 0; i < n->nobjects; i++) {
        struct name_object *o = &n->object[i];
        struct import_object *object =
            &im->process[n->process - 1].object[o->instance - 1];

        make_key(im, o);
        object->buildid = import_text(im, o->key, sizeof(o->key));
        object->bias = bias;
        object->lo = bias + NAMES_CODE;
        for (u32 k = o->from; k < o->to; k++) {
            u32 place = n->sorted[k];

            o->slots += k == o->from ||
                        names_root(n, n->sorted[k - 1]) != names_root(n, place);
            n->slot[place - 1] = o->slots++;
        }
        object->hi = object->lo + (u64)o->slots * NAMES_EACH;
        bias = (object->hi + NAMES_CODE - 1) & ~(u64)(NAMES_CODE - 1);
    }
}

static void
settle_nodes(struct import *im)
{
    struct import_process *p = &im->process[im->names->process - 1];

    for (u32 i = 0; i < p->nnodes; i++) {
        struct import_node *node = &p->node[i];

        if (node->object && p->object[node->object - 1].named)
            node->pc = (p->object[node->object - 1].lo +
                        (u64)im->names->slot[node->pc - 1] * NAMES_EACH) &
                       IMPORT_PC_MASK;
    }
}

int
names_settle(struct import *im)
{
    struct names *n = im->names;

    if (im->failed)
        return -ENOMEM;
    if (!n || !n->nobjects)
        return 0;
    n->sorted = calloc((size_t)n->place.count + 1, sizeof(*n->sorted));
    n->slot = calloc((size_t)n->place.count + 1, sizeof(*n->slot));
    if (!n->sorted || !n->slot) {
        im->failed = true;
        return -ENOMEM;
    }
    for (u32 i = 0; i < n->place.count; i++)
        n->sorted[i] = i + 1;
    qsort_r(n->sorted, n->place.count, sizeof(*n->sorted), compare, n);
    find_parts(n);
    settle_objects(im);
    settle_nodes(im);
    return im->failed ? -ENOMEM : 0;
}
