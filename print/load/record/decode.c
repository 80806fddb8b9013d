/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The records of one kind that are decoded, but not yet passed on as a batch. */
struct lane {
    /* NULL: the schema does not describe this kind */
    const struct schema_record *record;
    u32 nfields;
    u32 nstrings;
    u32 count;
    bool is_hit; /* its fields are TIME, NODE, and then only REP, as in clock hits */
    uint8_t encoding[SCHEMA_FIELDS_MAX];
    u64 last[SCHEMA_FIELDS_MAX]; /* by field: the previous value, for REP and DELTA */
    u64 *row;                    /* of a batch: nfields numbers for each record */
    struct er_str *string;       /* of a batch: nstrings for each record */
};

/* The bytes that are not decoded yet. */
struct bytes {
    const unsigned char *p;
    const unsigned char *end;
};

struct decoder {
    struct record_sink sink;
    struct batch batch;
    const struct nodes *nodes; /* NULL: no node depends on the time */
    u32 time_shift;
    u64 time; /* of the last record: ticks >> time_shift */
    u64 addr; /* the last field with ENC_ADDR */
    struct codec codec; /* of ENC_NODE: the nodes seen last */
    u64 delivered; /* records passed to the sink since decoder_begin() */
    u32 rows; /* most records of a batch */
    struct bytes bytes; /* of the chunk, from the next record on */
    struct lane lane[SCHEMA_KINDS]; /* by kind of record */
};

static bool
is_hit(const struct lane *lane)
{
    for (u32 i = 2; i < lane->nfields; i++)
        if (lane->encoding[i] != ENC_REP)
            return false;
    return lane->nfields >= 2 && lane->encoding[0] == ENC_TIME &&
           lane->encoding[1] == ENC_NODE;
}

static int
lane_open(struct lane *lane, const struct schema_record *record, u32 rows)
{
    if (!record->nfields)
        return 0;
    lane->record = record;
    lane->nfields = record->nfields;
    for (u32 i = 0; i < record->nfields; i++) {
        lane->encoding[i] = (uint8_t)record->field[i].encoding;
        if (lane->encoding[i] == ENC_STR || lane->encoding[i] == ENC_CHAR16)
            lane->nstrings++;
    }
    lane->is_hit = is_hit(lane);
    lane->row = calloc((size_t)rows * lane->nfields, sizeof(*lane->row));
    lane->string = calloc((size_t)rows * (lane->nstrings + 1), sizeof(*lane->string));
    return lane->row && lane->string ? 0 : -ENOMEM;
}

struct decoder *
decoder_new(const struct record_source *source, const struct record_sink *sink,
            u32 worker, bool ordered)
{
    const struct schema_file *schema = source->schema;
    struct decoder *d = calloc(1, sizeof(*d));

    if (!d)
        return NULL;
    d->sink = *sink;
    d->nodes = source->nodes;
    d->batch.worker = worker;
    d->rows = ordered ? 1 : BATCH_ROWS;
    d->time_shift = schema->time_shift;
    for (u32 i = 1; i < SCHEMA_KINDS; i++) {
        if (lane_open(&d->lane[i], &schema->record[i], d->rows) < 0) {
            decoder_free(d);
            return NULL;
        }
    }
    return d;
}

void
decoder_free(struct decoder *d)
{
    if (!d)
        return;
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        free(d->lane[i].row);
        free(d->lane[i].string);
    }
    free(d);
}

static void
flush(struct decoder *d, struct lane *lane)
{
    if (!lane->count)
        return;
    d->batch.record = lane->record;
    d->batch.count = lane->count;
    d->batch.row = lane->row;
    d->sink.batch(d->sink.context, &d->batch);
    d->delivered += lane->count;
    lane->count = 0;
}

/*
 * Read a varint of up to 8 bytes at once; at least 8 bytes must be left. False: the
 * varint is longer. There is no branch on its length, since processors would mispredict
 * it.
 */
static inline bool
varint_at_once(struct bytes *b, u64 *v)
{
    const u64 more = 0x8080808080808080;
    u64 word, last;

    memcpy(&word, b->p, sizeof(word));
    last = ~word & more;
    if (ER_UNLIKELY(!last))
        return false;
    word &= last ^ (last - 1);
    b->p += (__builtin_ctzll(last) >> 3) + 1;
    word &= ~more;
    word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
    word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
    *v = (word & 0x0fffffff) | (word & 0x0fffffff00000000) >> 4;
    return true;
}

static inline int
varint(struct bytes *b, u64 *v)
{
    if (ER_LIKELY(b->p < b->end && *b->p < 0x80)) {
        *v = *b->p++;
        return 0;
    }
    if (ER_LIKELY(b->end - b->p >= (ptrdiff_t)sizeof(*v)) && varint_at_once(b, v))
        return 0;
    return get_varint(&b->p, b->end, v);
}

static inline int
node(struct decoder *d, struct bytes *b, u64 *v)
{
    struct codec *c = &d->codec;
    u64 code;

    if (varint(b, &code) < 0)
        return -EINVAL;
    if (code < ER_MTF) {
        mtf_touch(c, (u32)code);
        c->node = c->mtf[c->order & (ER_MTF - 1)];
    } else {
        c->node = (u32)(c->node + unzigzag(code - ER_MTF));
        mtf_enter(c, c->node);
    }
    *v = c->node;
    if (ER_UNLIKELY(d->nodes))
        *v = nodes_at(d->nodes, c->node, d->time << d->time_shift);
    return 0;
}

static inline int
address(struct decoder *d, struct bytes *b, u64 *v)
{
    u64 code;

    if (varint(b, &code) < 0)
        return -EINVAL;
    d->addr += code & 1 ? unzigzag(code >> 1) : unzigzag(code >> 1) << 4;
    *v = d->addr;
    return 0;
}

static int
fixed(struct bytes *b, u64 *v, u32 bytes)
{
    if ((size_t)(b->end - b->p) < bytes)
        return -EINVAL;
    *v = 0;
    memcpy(v, b->p, bytes);
    b->p += bytes;
    return 0;
}

static int
string(struct lane *lane, struct bytes *b, u64 *v, u32 nth, int counted)
{
    struct er_str *str = &lane->string[lane->count * lane->nstrings + nth];
    u64 len = 16;

    if (counted && varint(b, &len) < 0)
        return -EINVAL;
    if (len > (u64)(b->end - b->p))
        return -EINVAL;
    *str = (struct er_str){ (const char *)b->p, (u32)len };
    b->p += len;
    *v = (uintptr_t)str;
    return 0;
}

/*
 * Read a field whose encoding is rare in chunks. *strings: how many strings of the
 * record were read. 0 or -EINVAL.
 */
static int
rare_field(struct lane *lane, struct bytes *b, u64 *v, u32 i, u32 *strings)
{
    switch (lane->encoding[i]) {
    case ENC_STR:
        return string(lane, b, v, (*strings)++, 1);
    case ENC_CHAR16:
        return string(lane, b, v, (*strings)++, 0);
    case ENC_U16:
        return fixed(b, v, 2);
    case ENC_U32:
        return fixed(b, v, 4);
    case ENC_U48:
        return fixed(b, v, 6);
    case ENC_U64:
        return fixed(b, v, 8);
    default:
        return -EINVAL;
    }
}

static inline int
field(struct decoder *d, struct lane *lane, struct bytes *b, u64 *v, u32 i,
      u32 *strings)
{
    switch (lane->encoding[i]) {
    case ENC_TIME:
        *v = d->time;
        return 0;
    case ENC_VARINT:
        return varint(b, v);
    case ENC_REP:
        if (varint(b, v) < 0)
            return -EINVAL;
        if (*v)
            lane->last[i] = *v - 1;
        *v = lane->last[i];
        return 0;
    case ENC_DELTA:
        if (varint(b, v) < 0)
            return -EINVAL;
        *v = lane->last[i] += unzigzag(*v);
        return 0;
    case ENC_NODE:
        return node(d, b, v);
    case ENC_ADDR:
        return address(d, b, v);
    default:
        return rare_field(lane, b, v, i, strings);
    }
}

/*
 * Read a record whose lane has is_hit, the most frequent kind, without branches on the
 * encoding of each field.
 */
static inline int
hit(struct decoder *d, struct lane *lane, struct bytes *b, u64 *row)
{
    row[0] = d->time;
    if (node(d, b, &row[1]) < 0)
        return -EINVAL;
    for (u32 i = 2; i < lane->nfields; i++) {
        u64 last = lane->last[i], v;

        if (ER_UNLIKELY(varint(b, &v) < 0))
            return -EINVAL;
        row[i] = lane->last[i] = v ? v - 1 : last;
    }
    return 0;
}

static int
fields(struct decoder *d, struct lane *lane, struct bytes *b, u64 *row)
{
    u32 strings = 0;

    for (u32 i = 0; i < lane->nfields; i++)
        if (ER_UNLIKELY(field(d, lane, b, &row[i], i, &strings) < 0))
            return -EINVAL;
    return 0;
}

static inline int
record(struct decoder *d, struct lane *lane, struct bytes *b)
{
    u64 *row = lane->row + lane->count * lane->nfields;
    int ret = lane->is_hit ? hit(d, lane, b, row) : fields(d, lane, b, row);

    if (ER_UNLIKELY(ret < 0))
        return -EINVAL;
    if (++lane->count == d->rows)
        flush(d, lane);
    return 0;
}

/*
 * Skip a record whose kind does not fit into three bits. Its kind and its length
 * precede it. This program does not know such kinds.
 */
static int
escape(struct bytes *b)
{
    u64 kind, len;

    if (varint(b, &kind) < 0 || varint(b, &len) < 0 || len > (u64)(b->end - b->p))
        return -EINVAL;
    b->p += len;
    return 0;
}

/*
 * Decode the next record. 1 = it was decoded or skipped; 0 = the end of the chunk;
 * -EINVAL = it is damaged, or of a kind that the schema does not describe.
 */
static inline int
next(struct decoder *d, struct bytes *b)
{
    unsigned char head = *b->p++;
    u64 step = head >> 3;
    u32 kind = head & 7;

    if (kind == KIND_end_of_chunk)
        return 0;
    if (ER_UNLIKELY(step == 31)) {
        if (varint(b, &step) < 0)
            return -EINVAL;
        step = unzigzag(step);
    }
    d->time += step;
    if (kind == KIND_escape)
        return escape(b) < 0 ? -EINVAL : 1;
    if (ER_UNLIKELY(!d->lane[kind].record))
        return -EINVAL;
    return record(d, &d->lane[kind], b) < 0 ? -EINVAL : 1;
}

void
decoder_begin(struct decoder *d, const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *base = (const unsigned char *)chunk;

    d->bytes = (struct bytes){ base + sizeof(*chunk), base + committed };
    d->time = chunk->tsc0 >> d->time_shift;
    d->addr = chunk->prev_addr;
    codec_start(&d->codec, d->time, d->addr);
    for (u32 i = 1; i < SCHEMA_KINDS; i++)
        memset(d->lane[i].last, 0, d->lane[i].nfields * sizeof(d->lane[i].last[0]));
    d->batch.chunk = chunk;
    d->batch.thread = chunk->thread_id;
    d->delivered = 0;
}

int
decoder_some(struct decoder *d, u32 max, u32 *at)
{
    struct bytes b = d->bytes; /* a copy, so that it can stay in registers */
    const unsigned char *from = b.p;
    int ret = 1;

    while (ret > 0 && b.p < b.end && max--) {
        from = b.p;
        ret = next(d, &b);
    }
    d->bytes = b;
    *at = (u32)(from - (const unsigned char *)d->batch.chunk);
    for (u32 i = 1; i < SCHEMA_KINDS; i++)
        flush(d, &d->lane[i]);
    if (ret < 0)
        return -EBADMSG;
    return ret && b.p < b.end;
}

int
decoder_run(struct decoder *d, const struct er_chunk *chunk, u32 committed, u32 *at,
            u64 *records)
{
    int ret;

    decoder_begin(d, chunk, committed);
    ret = decoder_some(d, UINT32_MAX, at);
    *records += d->delivered;
    return ret < 0 ? ret : 0;
}

u64
decoder_delivered(const struct decoder *d)
{
    return d->delivered;
}
