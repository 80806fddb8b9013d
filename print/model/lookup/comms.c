/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/comms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

/*
 * A record `comm` as it was read, or a record `name`, which gives a communicator
 * another name.
 */
struct comm_record {
    struct comm comm; /* `parent` is the experiment's own id */
    u64 id;
    bool renamed; /* it is a record `name`: only id and comm.name are set */
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

/* The state of reading one experiment. */
struct reading {
    struct comm_record *comm_record;
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
    struct comm_record comm_record = { .id = field(record, row, FIELD_ID) };

    comm_record.renamed = !strcmp(record->name, "name");
    comm_record.comm.key = field(record, row, FIELD_KEY);
    comm_record.comm.kind = (u32)field(record, row, FIELD_KIND);
    comm_record.comm.size = (u32)field(record, row, FIELD_SIZE);
    comm_record.comm.parent = (u32)field(record, row, FIELD_PARENT);
    comm_record.comm.name = name_of(record, row);
    if (array_room(&r->comm_record, &r->room, r->count + 1, sizeof(comm_record)) < 0)
        r->no_memory = true;
    else if (comm_record.id && numbers_accepts(comm_record.id))
        r->comm_record[r->count++] = comm_record;
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
 * The number of the communicator with that key; a new one gets a number. 0 = no memory.
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
add_comm(struct comms *c, struct number_map *map, const struct comm_record *comm_record)
{
    bool renamed = comm_record->renamed || number_of(map, comm_record->id);
    struct comm *comm;
    u32 number;

    if (renamed) {
        number = number_of(map, comm_record->id);
    } else {
        number = number_of_key(c, &comm_record->comm);
        if (!number || numbers_set(map, comm_record->id, number) < 0)
            return -ENOMEM;
    }
    if (!number)
        return 0;
    comm = &c->comm[number - 1];
    if (renamed || !comm->name.len)
        comm->name = comm_record->comm.name;
    if (!renamed && !comm->parent && comm_record->comm.parent)
        comm->parent = number_of(map, comm_record->comm.parent);
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
        ret = add_comm(owner, map, &reading.comm_record[i]);
    free(reading.comm_record);
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
