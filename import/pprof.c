/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads profiles of pprof: a message of profile.proto, compressed or not. Locations
 * with functions and lines become places of names.h; locations that only have addresses
 * are resolved in the object that was mapped there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/image.h"
#include "import/kinds.h"
#include "import/names.h"
#include "import/protobuf.h"
#include "import/unpack.h"
#include "print/base/array.h"

enum {
    TYPES = 64,        /* kinds of values in samples; further ones are ignored */
    INLINED_MOST = 64, /* inlined calls at one place; outer ones are left out */
};

struct mapping {
    u64 id, start, limit, offset;
    u64 file, buildid; /* indices of strings */
    u32 name;          /* text of names.h */
    u32 object;        /* the object for addresses without names; 0 = not made yet */
};

struct function {
    u64 id, name, system_name, file, line;
};

/* message: the bytes that describe the location, which contain its lines. */
struct location {
    u64 id, mapping, address;
    struct bytes message;
    u32 place; /* the innermost place + 1; 1 = there is none, 0 = not known yet */
    bool has_lines;
};

struct type {
    u64 name, unit; /* indices of strings */
};

struct pprof {
    struct import *im;
    struct bytes *string;
    u32 nstrings, strings_room;
    struct mapping *mapping;
    u32 nmappings, mappings_room;
    struct function *function;
    u32 nfunctions, functions_room;
    struct location *location;
    u32 nlocations, locations_room;
    struct hash functions, locations, mappings; /* by id */
    struct type type[TYPES];
    struct import_kind kind[TYPES];
    u32 ntypes;
    u32 nsamples;
    u64 time, duration;
    u64 period;
    u64 *stack; /* ids of a sample's locations, leaf first */
    u32 stack_room;
    int64_t value[TYPES];
    u64 negative;
    struct import_hit hit;
};

struct id_key {
    const char *rows; /* each row begins with its id */
    size_t size;
    u64 id;
};

static bool
same_id(const void *context, u32 index)
{
    const struct id_key *key = context;
    u64 id;

    memcpy(&id, key->rows + index * key->size, sizeof(id));
    return id == key->id;
}

/* The index of the row with that id, or HASH_NONE. */
static u32
find_id(const struct hash *hash, const void *rows, size_t size, u64 id)
{
    struct id_key key = { rows, size, id };

    return hash_find(hash, (u32)hash_mix(id), same_id, &key);
}

static struct bytes
string_of(const struct pprof *p, u64 index)
{
    return index < p->nstrings ? p->string[index] : (struct bytes){ NULL, 0 };
}

static u32
text_of(struct pprof *p, u64 index)
{
    struct bytes s = string_of(p, index);

    return s.size ? names_text(p->im, (const char *)s.at, s.size) : 0;
}

static int
read_type(struct pprof *p, struct bytes message)
{
    struct cursor c = cursor_at(message, 0, false);
    struct protobuf_field f;
    struct type t = { 0 };

    while (protobuf_next(&c, &f)) {
        if (f.number == 1)
            t.name = f.value;
        else if (f.number == 2)
            t.unit = f.value;
    }
    if (p->ntypes < TYPES)
        p->type[p->ntypes] = t;
    p->ntypes++;
    return c.bad ? -EBADMSG : 0;
}

static int
read_mapping(struct pprof *p, struct bytes message)
{
    struct cursor c = cursor_at(message, 0, false);
    struct protobuf_field f;
    struct mapping m = { 0 };

    while (protobuf_next(&c, &f)) {
        u64 *field[] = { NULL, &m.id, &m.start, &m.limit, &m.offset, &m.file,
                         &m.buildid };

        if (f.number < ER_COUNT(field))
            *field[f.number] = f.value;
    }
    if (array_room(&p->mapping, &p->mappings_room, p->nmappings + 1, sizeof(m)) < 0 ||
        hash_add(&p->mappings, (u32)hash_mix(m.id), p->nmappings) < 0)
        return -ENOMEM;
    p->mapping[p->nmappings++] = m;
    return c.bad ? -EBADMSG : 0;
}

static int
read_function(struct pprof *p, struct bytes message)
{
    struct cursor c = cursor_at(message, 0, false);
    struct protobuf_field f;
    struct function fn = { 0 };

    while (protobuf_next(&c, &f)) {
        u64 *field[] = { NULL, &fn.id, &fn.name, &fn.system_name, &fn.file, &fn.line };

        if (f.number < ER_COUNT(field))
            *field[f.number] = f.value;
    }
    if (array_room(&p->function, &p->functions_room, p->nfunctions + 1, sizeof(fn)) <
            0 ||
        hash_add(&p->functions, (u32)hash_mix(fn.id), p->nfunctions) < 0)
        return -ENOMEM;
    p->function[p->nfunctions++] = fn;
    return c.bad ? -EBADMSG : 0;
}

static int
read_location(struct pprof *p, struct bytes message)
{
    struct cursor c = cursor_at(message, 0, false);
    struct location l = { .message = message };
    struct protobuf_field f;

    while (protobuf_next(&c, &f)) {
        u64 *field[] = { NULL, &l.id, &l.mapping, &l.address };

        if (f.number < ER_COUNT(field))
            *field[f.number] = f.value;
        else if (f.number == 4 && f.bytes.at)
            l.has_lines = true;
    }
    if (array_room(&p->location, &p->locations_room, p->nlocations + 1, sizeof(l)) <
            0 ||
        hash_add(&p->locations, (u32)hash_mix(l.id), p->nlocations) < 0)
        return -ENOMEM;
    p->location[p->nlocations++] = l;
    return c.bad ? -EBADMSG : 0;
}

static int
read_string(struct pprof *p, struct bytes text)
{
    if (array_room(&p->string, &p->strings_room, p->nstrings + 1, sizeof(text)) < 0)
        return -ENOMEM;
    p->string[p->nstrings++] = text;
    return 0;
}

/* Reads everything but samples, since samples may precede what they refer to. */
static int
read_tables(struct pprof *p, struct bytes file)
{
    struct cursor c = cursor_at(file, 0, false);
    struct protobuf_field f;
    int ret = 0;

    while (ret == 0 && protobuf_next(&c, &f)) {
        if (f.number == 1)
            ret = read_type(p, f.bytes);
        else if (f.number == 2)
            p->nsamples++;
        else if (f.number == 3)
            ret = read_mapping(p, f.bytes);
        else if (f.number == 4)
            ret = read_location(p, f.bytes);
        else if (f.number == 5)
            ret = read_function(p, f.bytes);
        else if (f.number == 6)
            ret = read_string(p, f.bytes);
        else if (f.number == 9)
            p->time = f.value;
        else if (f.number == 10)
            p->duration = f.value;
        else if (f.number == 12)
            p->period = f.value;
    }
    return c.bad && ret == 0 ? -EBADMSG : ret;
}

/* The name of a mapping's object: that of its file. */
static u32
object_name(struct pprof *p, u64 id)
{
    u32 at = find_id(&p->mappings, p->mapping, sizeof(*p->mapping), id);

    if (at == HASH_NONE)
        return 0;
    if (!p->mapping[at].name)
        p->mapping[at].name = text_of(p, p->mapping[at].file);
    return p->mapping[at].name;
}

static u32
function_of(struct pprof *p, u64 id, u32 object)
{
    u32 at = find_id(&p->functions, p->function, sizeof(*p->function), id);
    struct names_func func = { .object = object };
    const struct function *f;

    if (at == HASH_NONE)
        return 0;
    f = &p->function[at];
    func.name = text_of(p, f->name);
    if (!func.name)
        func.name = text_of(p, f->system_name);
    if (!func.name)
        return 0;
    func.file = text_of(p, f->file);
    func.line = f->line < UINT32_MAX ? (u32)f->line : 0;
    return names_func(p->im, &func);
}

static u32
place_of(struct pprof *p, struct bytes line, u32 caller, u32 object)
{
    struct cursor c = cursor_at(line, 0, false);
    struct names_place place = { .caller = caller };
    struct protobuf_field f;
    u64 function = 0;

    while (protobuf_next(&c, &f)) {
        if (f.number == 1)
            function = f.value;
        else if (f.number == 2 && f.value < UINT32_MAX)
            place.line = (u32)f.value;
    }
    place.func = function_of(p, function, object);
    return place.func ? names_place(p->im, &place) : 0;
}

/*
 * Makes the nodes of a location with lines. The lines are innermost first: each was
 * called from the next one.
 */
static u32
named_node(struct pprof *p, struct location *l, u32 node)
{
    struct bytes line[INLINED_MOST];
    struct cursor c = cursor_at(l->message, 0, false);
    u32 n = 0, place = 0, object = object_name(p, l->mapping);
    struct protobuf_field f;

    while (n < INLINED_MOST && protobuf_next(&c, &f))
        if (f.number == 4 && f.bytes.at)
            line[n++] = f.bytes;
    while (n-- > 0) {
        u32 inner = place_of(p, line[n], place, object);

        place = inner ? inner : place;
    }
    l->place = place + 1;
    return place ? names_node(p->im, p->hit.process, node, place) : node;
}

static u32
mapped_node(struct pprof *p, const struct location *l, u32 node)
{
    u32 at = find_id(&p->mappings, p->mapping, sizeof(*p->mapping), l->mapping);
    u32 object = 0;

    if (at != HASH_NONE && p->mapping[at].limit > p->mapping[at].start) {
        struct mapping *m = &p->mapping[at];

        if (!m->object) {
            struct import_image image = {
                .name = names_text_of(p->im, object_name(p, l->mapping)),
                .buildid = names_text_of(p->im, text_of(p, m->buildid)),
                .start = m->start, .end = m->limit, .offset = m->offset,
            };

            m->object = import_image(p->im, p->hit.process, &image);
        }
        object = m->object;
    }
    if (!l->address)
        return node;
    /* In this format, a caller's address is within the call, not after it. */
    return import_node(p->im, p->hit.process, node, object, l->address,
                       object ? NODE_EXACT : NODE_EXACT | NODE_UNKNOWN);
}

static u32
node_of(struct pprof *p, u64 id, u32 node)
{
    u32 at = find_id(&p->locations, p->location, sizeof(*p->location), id);
    struct location *l;

    if (at == HASH_NONE)
        return node;
    l = &p->location[at];
    if (!l->has_lines)
        return mapped_node(p, l, node);
    if (l->place > 1)
        return names_node(p->im, p->hit.process, node, l->place - 1);
    return l->place ? node : named_node(p, l, node);
}

static void
add_values(struct pprof *p)
{
    for (u32 i = 0; i < p->ntypes; i++) {
        p->negative += p->value[i] < 0;
        if (p->value[i] > 0)
            kinds_add(p->im, &p->kind[i], &p->hit, (u64)p->value[i]);
    }
}

/* Reads the numbers of a field, packed or one by one. */
static int
add_numbers(struct pprof *p, const struct protobuf_field *f, u32 *count)
{
    struct cursor c = cursor_at(f->bytes, 0, false);

    do {
        u64 number = f->bytes.at ? protobuf_varint(&c) : f->value;

        if (f->bytes.at && c.bad)
            return -EBADMSG;
        if (f->number == 2) {
            if (*count < TYPES)
                p->value[*count] = (int64_t)number;
        } else {
            if (array_room(&p->stack, &p->stack_room, *count + 1,
                           sizeof(*p->stack)) < 0)
                return -ENOMEM;
            p->stack[*count] = number;
        }
        ++*count;
    } while (f->bytes.at && cursor_left(&c));
    return 0;
}

static int
read_sample(struct pprof *p, struct bytes message)
{
    struct cursor c = cursor_at(message, 0, false);
    struct protobuf_field f;
    u32 depth = 0, values = 0;
    int ret = 0;

    memset(p->value, 0, sizeof(p->value));
    while (ret == 0 && protobuf_next(&c, &f))
        if ((f.number == 1 || f.number == 2) && (!f.bytes.at || f.bytes.size))
            ret = add_numbers(p, &f, f.number == 1 ? &depth : &values);
    if (ret < 0 || c.bad)
        return ret < 0 ? ret : -EBADMSG;
    p->hit.node = 0;
    while (depth-- > 0)
        p->hit.node = node_of(p, p->stack[depth], p->hit.node);
    add_values(p);
    return p->im->failed ? -ENOMEM : 0;
}

static int
start(struct pprof *p)
{
    struct import *im = p->im;

    if (p->ntypes > TYPES) {
        import_add_note(im, "kinds of values behind the first %d are left out", TYPES);
        p->ntypes = TYPES;
    }
    for (u32 i = 0; i < p->ntypes; i++) {
        p->kind[i].name = names_text_of(im, text_of(p, p->type[i].name));
        p->kind[i].unit = names_text_of(im, text_of(p, p->type[i].unit));
    }
    kinds_settle(im, p->kind, p->ntypes);
    im->clock_ns = im->has_clock && p->period < 1000000000 ? p->period : 0;
    p->hit.time = 1;
    p->hit.process = import_process(im, 0, 0, 1);
    p->hit.thread = p->hit.process ? import_thread(im, p->hit.process, 0, 1) : 0;
    if (!p->hit.thread)
        return -ENOMEM;
    im->process[p->hit.process - 1].name =
        p->nmappings ? names_text_of(im, text_of(p, p->mapping[0].file)) : im->file;
    if (p->duration && p->duration < (1ull << 60))
        im->process[p->hit.process - 1].end = 1 + p->duration;
    return 0;
}

static int
read_samples(struct pprof *p, struct bytes file)
{
    struct cursor c = cursor_at(file, 0, false);
    struct protobuf_field f;
    int ret = start(p);

    while (ret == 0 && protobuf_next(&c, &f))
        if (f.number == 2)
            ret = read_sample(p, f.bytes);
    if (p->negative)
        import_add_note(p->im, "%llu values are below zero, and left out",
                        (unsigned long long)p->negative);
    return ret;
}

/*
 * Can the file be a profile? It can if it has only fields that a profile has, and its
 * first string is empty. The format has no magic number.
 */
static bool
is_profile(struct bytes file)
{
    struct cursor c = cursor_at(file, 0, false);
    struct protobuf_field f;
    bool types = false, strings = false;

    while (protobuf_next(&c, &f)) {
        if (f.number > 20 || (f.number <= 6 && !f.bytes.at))
            return false;
        if (f.number == 6 && !strings && f.bytes.size)
            return false;
        types |= f.number == 1;
        strings |= f.number == 6;
        if (types && strings)
            return true;
    }
    return false;
}

int
import_pprof(struct import *im, struct bytes file)
{
    struct pprof p = { .im = im };
    struct unpacked data;
    int ret = unpack_gzip(im, file, &data);

    if (ret < 0)
        return ret;
    ret = is_profile(data.bytes) ? read_tables(&p, data.bytes) : -ENOEXEC;
    if (ret == 0)
        ret = read_samples(&p, data.bytes);
    if (ret == 0)
        ret = names_settle(im);
    if (ret == -EBADMSG)
        import_fail(im, "it is damaged");
    unpack_free(&data);
    free(p.string);
    free(p.mapping);
    free(p.function);
    free(p.location);
    free(p.stack);
    hash_free(&p.functions);
    hash_free(&p.locations);
    hash_free(&p.mappings);
    return ret;
}
