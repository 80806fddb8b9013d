/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes pprof's format: a Profile message of profile.proto, compressed. Each metric is
 * a type of sample, each distinct stack a sample. Addresses are those of outmap.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/out/gzip.h"
#include "print/out/outmap.h"
#include "print/out/protobuf.h"
#include "print/out/stackset.h"

/* Numbers of fields in profile.proto. */
enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT = 14,
};

enum value_type_field { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATION_IDS = 1, SAMPLE_VALUE_LIST = 2 };

enum mapping_field {
    MAPPING_ID = 1,
    MAPPING_START = 2,
    MAPPING_LIMIT = 3,
    MAPPING_FILE = 5,
    MAPPING_BUILDID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILES = 8,
    MAPPING_HAS_LINES = 9,
    MAPPING_HAS_INLINES = 10,
};

enum location_field {
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
};

enum line_field { LINE_FUNCTION = 1, LINE_LINE = 2 };

enum function_field {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
    FUNCTION_LINE = 5,
};

struct writer {
    struct out *out;
    struct stackset set;
    struct outmap map;
    struct protobuf profile;
    struct protobuf inner, nested; /* messages that are being made, and those within
                                      them */
    struct hash strings;
    const char **string; /* owned by the session, or by `set` */
    u32 nstrings;
    u32 room;
    bool failed;
};

struct key {
    const struct writer *w;
    const char *text;
};

static bool
same_string(const void *context, u32 index)
{
    const struct key *key = context;

    return !strcmp(key->w->string[index], key->text);
}

/* The number of a string, which is added if it is new; "" has 0. */
static u32
string_of(struct writer *w, const char *text)
{
    struct key key = { w, text };
    u32 value = (u32)hash_str(0, text);
    u32 at = hash_find(&w->strings, value, same_string, &key);

    if (at != HASH_NONE)
        return at;
    if (array_room(&w->string, &w->room, w->nstrings + 1, sizeof(*w->string)) < 0 ||
        hash_add(&w->strings, value, w->nstrings) < 0) {
        w->failed = true;
        return 0;
    }
    w->string[w->nstrings] = text;
    protobuf_bytes(&w->profile, PROFILE_STRING, text, strlen(text));
    return w->nstrings++;
}

static void
put_type(struct writer *w, u32 field, const char *name, const char *unit)
{
    protobuf_number(&w->inner, TYPE_NAME, string_of(w, name));
    protobuf_number(&w->inner, TYPE_UNIT, string_of(w, unit));
    protobuf_message(&w->profile, field, &w->inner);
}

static void
put_types(struct writer *w)
{
    const struct stackset *set = &w->set;

    for (u32 i = 0; i < set->nmetrics; i++)
        put_type(w, PROFILE_SAMPLE_TYPE, metrics[set->metric[i]].name,
                 out_unit(set->metric[i]));
    protobuf_number(&w->profile, PROFILE_DEFAULT,
                    string_of(w, metrics[set->metric[0]].name));
}

static void
put_sample(struct writer *w, u32 node, const int64_t *value)
{
    const struct stackset *set = &w->set;

    for (u32 at = stackset_top(set, node); at; at = stackset_caller(set, at))
        protobuf_varint(&w->nested, set->of_node[at]);
    protobuf_message(&w->inner, SAMPLE_LOCATION_IDS, &w->nested);
    for (u32 i = 0; i < set->nmetrics; i++)
        protobuf_varint(&w->nested, (u64)value[i]);
    protobuf_message(&w->inner, SAMPLE_VALUE_LIST, &w->nested);
    protobuf_message(&w->profile, PROFILE_SAMPLE, &w->inner);
}

static void
put_samples(struct writer *w)
{
    struct stackset *set = &w->set;
    int64_t value[METRIC_COUNT];

    for (u32 i = stackset_next(set, 0); i; i = stackset_next(set, i))
        if (stackset_values(set, i, value))
            put_sample(w, i, value);
    for (u32 i = 0; i < set->nmetrics; i++)
        out_warn_negative(w->out, set->metric[i], set->negative[i]);
}

static void
put_mapping(struct writer *w, u32 id, const struct outmap_row *row)
{
    struct object_info o;

    object_get(w->out->session, row->object, &o);
    protobuf_number(&w->inner, MAPPING_ID, id);
    protobuf_number(&w->inner, MAPPING_START, row->start);
    protobuf_number(&w->inner, MAPPING_LIMIT, row->end);
    protobuf_number(&w->inner, MAPPING_FILE, string_of(w, o.path));
    protobuf_number(&w->inner, MAPPING_BUILDID, string_of(w, o.buildid));
    protobuf_number(&w->inner, MAPPING_HAS_FUNCTIONS, 1);
    protobuf_number(&w->inner, MAPPING_HAS_FILES, 1);
    protobuf_number(&w->inner, MAPPING_HAS_LINES, 1);
    protobuf_number(&w->inner, MAPPING_HAS_INLINES, 1);
    protobuf_message(&w->profile, PROFILE_MAPPING, &w->inner);
}

/* Write a location: its lines are innermost first. */
static void
put_location(struct writer *w, u32 id)
{
    const struct location *l = &w->set.location[id];
    const struct outmap_row *row = outmap_of(&w->map, l->object);

    protobuf_number(&w->inner, LOCATION_ID, id);
    if (row && l->addr) {
        protobuf_number(&w->inner, LOCATION_MAPPING, (u64)(row - w->map.row) + 1);
        protobuf_number(&w->inner, LOCATION_ADDRESS, l->addr + row->bias);
    }
    for (u32 i = l->depth; i-- > 0;) {
        struct site_frame frame = stackset_frame(&w->set, l, i);

        protobuf_number(&w->nested, LINE_FUNCTION, (u64)frame.func + 1);
        protobuf_number(&w->nested, LINE_LINE, frame.line);
        protobuf_message(&w->inner, LOCATION_LINE, &w->nested);
    }
    protobuf_message(&w->profile, PROFILE_LOCATION, &w->inner);
}

/*
 * If name and system name are equal, pprof takes the name for a mangled one and
 * shortens it, even its brackets. So the system name is left out then.
 */
static void
put_function(struct writer *w, u32 func)
{
    const char *name = w->set.name.text[func];
    struct function_info info;

    function_get(w->out->session, func, &info);
    protobuf_number(&w->inner, FUNCTION_ID, (u64)func + 1);
    protobuf_number(&w->inner, FUNCTION_NAME, string_of(w, name));
    if (strcmp(name, info.linkage) != 0)
        protobuf_number(&w->inner, FUNCTION_SYSTEM_NAME, string_of(w, info.linkage));
    protobuf_number(&w->inner, FUNCTION_FILE,
                    string_of(w, file_path(w->out->session, info.file)));
    protobuf_number(&w->inner, FUNCTION_LINE, info.line);
    protobuf_message(&w->profile, PROFILE_FUNCTION, &w->inner);
}

static void
put_run(struct writer *w)
{
    const struct session *s = w->out->session;
    const struct experiment *e = s->nexperiments ? s->experiment[0] : NULL;
    const char *interval = e ? log_fact(&e->log, "collect", "clock_ns") : NULL;

    if (!e)
        return;
    protobuf_number(&w->profile, PROFILE_TIME, e->start_wall);
    protobuf_number(&w->profile, PROFILE_DURATION, experiment_duration(e));
    protobuf_number(&w->profile, PROFILE_COMMENT, string_of(w, e->path));
    if (!interval || !experiment_clocked(e))
        return;
    put_type(w, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
    protobuf_number(&w->profile, PROFILE_PERIOD, strtoull(interval, NULL, 10));
}

static int
put_profile(struct writer *w)
{
    string_of(w, "");
    put_types(w);
    put_samples(w);
    for (u32 i = 0; i < w->map.count; i++)
        put_mapping(w, i + 1, &w->map.row[i]);
    for (u32 i = 1; i < w->set.nlocations; i++)
        put_location(w, i);
    for (u32 i = 0; i < w->set.name.count; i++)
        if (w->set.is_used[i])
            put_function(w, i);
    put_run(w);
    if (w->failed || w->profile.failed)
        return -ENOMEM;
    return gzip_write(w->profile.data, w->profile.len, w->out->f);
}

int
out_pprof(struct out *out)
{
    struct writer w = { .out = out };
    int ret = stackset_open(out, &w.set);

    if (ret < 0)
        return ret;
    ret = outmap_open(out, &w.set, &w.map);
    if (ret == 0)
        ret = put_profile(&w);
    outmap_close(&w.map);
    stackset_close(&w.set);
    protobuf_free(&w.profile);
    protobuf_free(&w.inner);
    protobuf_free(&w.nested);
    hash_free(&w.strings);
    free(w.string);
    return ret;
}
