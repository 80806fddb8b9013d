/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/comms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"

/*
 * A record `comm` as it was read; or a record `name`, in experiments that have such
 * records.
 */
struct told {
    struct comm comm; /* `parent` is the experiment's own id */
    u64 id;
    bool renamed; /* of a record `name`: only id and comm.name say something */
};

enum field {
    FIELD_ID,
    FIELD_KIND,
    FIELD_KEY,
    FIELD_PARENT,
    FIELD_SIZE,
    FIELDS,
};

static const char *const field_names[FIELDS] = { "id", "kind", "key", "parent",
                                                 "size" };

/* The reading of one experiment. */
struct reading {
    struct told *told;
    u32 count, room;
    bool no_memory;
};

static u64
field(const struct schema_record *record, const u64 *row, enum field field)
{
    int at = schema_find_number(record, field_names[field]);

    return at < 0 ? 0 : row[at];
}

static struct er_str
name_of(const struct schema_record *record, const u64 *row)
{
    int at = schema_find_field(record, "name");

    if (at < 0 || record->field[at].encoding != ENC_STR)
        return (struct er_str){ "", 0 };
    return *(const struct er_str *)(uintptr_t)row[at];
}

static void
on_row(struct reading *r, const struct schema_record *record, const u64 *row)
{
    struct told told = { .id = field(record, row, FIELD_ID) };

    told.renamed = !strcmp(record->name, "name");
    told.comm.key = field(record, row, FIELD_KEY);
    told.comm.kind = (u32)field(record, row, FIELD_KIND);
    told.comm.size = (u32)field(record, row, FIELD_SIZE);
    told.comm.parent = (u32)field(record, row, FIELD_PARENT);
    told.comm.name = name_of(record, row);
    if (array_room(&r->told, &r->room, r->count + 1, sizeof(told)) < 0)
        r->no_memory = true;
    else if (told.id && numbers_believes(told.id))
        r->told[r->count++] = told;
}

static void
on_batch(void *context, const struct batch *batch)
{
    const u64 *row = batch->row;

    if (strcmp(batch->record->name, "comm") && strcmp(batch->record->name, "name"))
        return;
    for (u32 i = 0; i < batch->count; i++, row += batch->record->nfields)
        on_row(context, batch->record, row);
}

struct wanted {
    const struct comms *comms;
    u64 key;
};

static bool
same_key(const void *context, u32 index)
{
    const struct wanted *wanted = context;

    return wanted->comms->comm[index].key == wanted->key;
}

/*
 * The number of the communicator with that key. A new one gets a number. 0 = no memory.
 */
static u32
number_of_key(struct comms *c, const struct comm *comm)
{
    struct wanted wanted = { c, comm->key };
    u32 hash = (u32)hash_mix(comm->key);
    u32 number = numbers_find(&c->numbers, hash, same_key, &wanted);

    if (number <= c->numbers.count)
        return number;
    if (array_room(&c->comm, &c->room, number, sizeof(*comm)) < 0 ||
        numbers_add(&c->numbers, hash) < 0)
        return 0;
    c->comm[number - 1] = *comm;
    c->comm[number - 1].parent = 0;
    return number;
}

static int
take(struct comms *c, struct number_map *map, const struct told *told)
{
    bool renamed = told->renamed || number_of(map, told->id);
    struct comm *comm;
    u32 number;

    if (renamed) {
        number = number_of(map, told->id);
    } else {
        number = number_of_key(c, &told->comm);
        if (!number || numbers_set(map, told->id, number) < 0)
            return -ENOMEM;
    }
    if (!number)
        return 0;
    comm = &c->comm[number - 1];
    if (renamed || !comm->name.len)
        comm->name = told->comm.name;
    if (!renamed && !comm->parent && told->comm.parent)
        comm->parent = number_of(map, told->comm.parent);
    return 0;
}

static int
read_experiment(void *owner, struct experiment *e, struct number_map *map)
{
    struct reading reading = { 0 };
    struct record_sink sink = { on_batch, &reading, false };
    struct record_source source;
    int ret = 0;

    if (experiment_source(e, FILE_mpitrace, &source) < 0)
        return 0;
    ret = records_scan(&source, &sink, 1, NULL);
    if (reading.no_memory)
        ret = -ENOMEM;
    for (u32 i = 0; i < reading.count && ret == 0; i++)
        ret = take(owner, map, &reading.told[i]);
    free(reading.told);
    return ret;
}

static void
comms_free(struct comms *c)
{
    if (!c)
        return;
    numbers_free(&c->numbers);
    free(c->comm);
    free(c);
}

static int
make(struct session *session)
{
    struct comms *c = calloc(1, sizeof(*c));
    int ret = c ? numbers_read(&c->numbers, session, read_experiment, c) : -ENOMEM;

    if (ret < 0)
        comms_free(c);
    else
        session->comms = c;
    return ret;
}

int
comms_map(struct session *session, u32 experiment, const struct number_map **out)
{
    int ret = session->comms ? 0 : make(session);

    if (ret == 0)
        *out = &session->comms->numbers.map[experiment];
    return ret;
}

const struct comm *
comms_get(const struct session *session, u64 number)
{
    const struct comms *c = session->comms;

    return c && number && number <= c->numbers.count ? &c->comm[number - 1] : NULL;
}

void
comms_reset(struct session *session)
{
    comms_free(session->comms);
    session->comms = NULL;
}
