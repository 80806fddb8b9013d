/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records: the structs that writers fill, their encoding in chunks, and their
 * description. All of it is made from records.def. Any context: nothing here allocates,
 * locks or calls libc, except mem*.
 */
#ifndef ERTOOLS_SHARE_RECORD_H
#define ERTOOLS_SHARE_RECORD_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <string.h>

#include "share/types.h"
#include "share/values.h"
#include "share/varint.h"

/*
 * A string in a record, with its length. No 0 follows it, and the struct does not own
 * it.
 */
struct er_str {
    const char *s;
    u32 len;
};

/* A name in a row, padded with zeros; if it has 16 bytes, no 0 follows. */
struct er_name {
    char c[16];
};

enum er_encoding {
    ENC_TIME,
    ENC_VARINT,
    ENC_REP,
    ENC_DELTA,
    ENC_NODE,
    ENC_ADDR,
    ENC_STR,
    ENC_U16,
    ENC_U32,
    ENC_U48,
    ENC_U64,
    ENC_CHAR16,
    ENC_COUNT,
};

/* Data files, in the order of files.def: FILE_overview, FILE_profile, ... */
enum er_file {
#define ER_FILE(name, layout, chunk_max, time_shift, doc) FILE_##name,
#include "share/files.def"
#undef ER_FILE
    FILE_COUNT,
};

/* SHIFT_profile, ...: record time = tick >> shift. */
enum {
#define ER_FILE(name, layout, chunk_max, time_shift, doc) SHIFT_##name = (time_shift),
#include "share/files.def"
#undef ER_FILE
};

/* Families of tracing, in the order of traces.def: TRACE_heap, ... */
enum er_trace {
#define ER_TRACE(name, file, library, title, doc) TRACE_##name,
#include "share/traces.def"
#undef ER_TRACE
    TRACE_COUNT,
};

enum er_layout {
    LAYOUT_CHUNKS,
    LAYOUT_ROWS,
};

/* KIND_clock, ...: a record's number within its file. */
enum er_kind {
    KIND_end_of_chunk = 0,
#define ER_RECORD(record, file, number, doc) KIND_##record = (number),
#define ER_FIELD(record, field, ctype, encoding, unit, doc)
#define ER_END(record)
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END
    KIND_escape = 7,
};

/* REC_clock, ...: records.def's rows in order, over all files. */
enum er_record {
#define ER_RECORD(record, file, number, doc) REC_##record,
#define ER_FIELD(record, field, ctype, encoding, unit, doc)
#define ER_END(record)
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END
    REC_COUNT,
};

/* struct rec_clock { ... }: what a writer fills. */
#define ER_RECORD(record, file, number, doc) struct rec_##record {
#define ER_FIELD(record, field, ctype, encoding, unit, doc) ctype field;
#define ER_END(record) };
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END
/*
 * Rows of threads have the struct's layout, so that a mapped row can be written
 * directly.
 */
_Static_assert(sizeof(struct rec_thread) == 256, "row of the file threads");

/* Fields whose encoding remembers the last value have a slot: SLOT_clock_cpu, ... */
enum er_slot {
#define ER_SLOT_TIME(record, field)
#define ER_SLOT_VARINT(record, field)
#define ER_SLOT_REP(record, field) SLOT_##record##_##field,
#define ER_SLOT_DELTA(record, field) SLOT_##record##_##field,
#define ER_SLOT_NODE(record, field)
#define ER_SLOT_ADDR(record, field)
#define ER_SLOT_STR(record, field)
#define ER_SLOT_U16(record, field)
#define ER_SLOT_U32(record, field)
#define ER_SLOT_U48(record, field)
#define ER_SLOT_U64(record, field)
#define ER_SLOT_CHAR16(record, field)
#define ER_RECORD(record, file, number, doc)
#define ER_FIELD(record, field, ctype, encoding, unit, doc) \
    ER_SLOT_##encoding(record, field)
#define ER_END(record)
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END
    SLOT_COUNT,
};

/* A field, as log.xml and the manual describe it. */
struct er_field_desc {
    const char *name;
    const char *unit;
    const char *doc;
    enum er_encoding encoding;
};

struct er_record_desc {
    const char *name;
    const char *doc;
    const struct er_field_desc *fields;
    u32 nfields;
    u32 number; /* enum er_kind */
    enum er_file file;
};

struct er_file_desc {
    const char *name;
    const char *doc;
    enum er_layout layout;
    u32 chunk_max;  /* bytes */
    u32 time_shift; /* record time = tick >> time_shift */
};

/* A row of traces.def; see there. */
struct er_trace_desc {
    const char *name;
    const char *library;
    const char *title;
    const char *doc;
    enum er_file file;
};

/* Indexed by enum er_file, enum er_trace, enum er_record and enum er_encoding. */
extern const struct er_file_desc er_files[FILE_COUNT];
extern const struct er_trace_desc er_traces[TRACE_COUNT];
extern const struct er_record_desc er_records[REC_COUNT];
extern const char *const er_encoding_names[ENC_COUNT];

enum {
    ER_NODE_BYTES = 16,    /* one row of the file frameinfo */
    ER_THREAD_BYTES = 256, /* one row of the file threads */
    ER_RECORD_MAX = 96, /* bytes of room for an encoded record, its strings aside */
    ER_STR_MAX = 1024,  /* bytes to which longer strings are cut */
    ER_MTF = 16,        /* entries of the move-to-front cache of NODE */
};

/*
 * The encoder's and decoder's state within a chunk; both keep it in the same way. Begin
 * every chunk with codec_start().
 */
struct codec {
    u64 time; /* ticks >> time_shift */
    u64 addr;
    u32 node;
    u32 mtf[ER_MTF]; /* the cached nodes; each keeps its place */
    u64 order; /* numbers of places, 4 bits each, the one used last in the low bits */
    u64 slot[SLOT_COUNT];
};

/* time0 in ticks >> time_shift of the file; addr0 = the chunk header's prev_addr. */
void codec_start(struct codec *c, u64 time0, u64 addr0);

/*
 * The head byte has the kind and a small time step; 31 = the step follows as a zigzag
 * varint.
 */
static inline unsigned char *
put_head(struct codec *c, unsigned char *p, u32 kind, u64 time)
{
    u64 step = time - c->time;
    unsigned char *end = put_varint(p + 1, zigzag(step));

    c->time = time;
    *p = (unsigned char)(kind | (step < 31 ? step : 31) << 3);
    return step < 31 ? p + 1 : end;
}

/*
 * A difference that is a multiple of 16, as between heap blocks, is encoded without its
 * low 4 bits. The lowest bit of the code is 0 then, else 1.
 */
static inline unsigned char *
put_addr(struct codec *c, unsigned char *p, u64 addr)
{
    u64 step = addr - c->addr;

    c->addr = addr;
    if (step & 15)
        return put_varint(p, zigzag(step) << 1 | 1);
    return put_varint(p, zigzag((u64)((int64_t)step >> 4)) << 1);
}

/* The place that has this node; ER_MTF or more if none has. */
static inline u32
mtf_find(const struct codec *c, u32 node)
{
#ifdef __SSE2__
    const __m128i *v = (const __m128i *)(const void *)c->mtf;
    __m128i want = _mm_set1_epi32((int)node);
    __m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_loadu_si128(v), want),
                                  _mm_cmpeq_epi32(_mm_loadu_si128(v + 1), want));
    __m128i high = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_loadu_si128(v + 2), want),
                                   _mm_cmpeq_epi32(_mm_loadu_si128(v + 3), want));
    u32 found = (u32)_mm_movemask_epi8(_mm_packs_epi16(low, high));

    return (u32)__builtin_ctz(found | 1u << ER_MTF);
#else
    u32 at = 0;

    while (at < ER_MTF && c->mtf[at] != node)
        at++;
    return at;
#endif
}

/* The rank of a place in the order: 0 = the front. */
static inline u32
mtf_rank(const struct codec *c, u32 at)
{
    const u64 ones = 0x1111111111111111ull;
    u64 other = c->order ^ at * ones;

    /* Find the lowest group of 4 bits that are all 0. */
    return (u32)__builtin_ctzll((other - ones) & ~other & ones << 3) >> 2;
}

/* Move the place with this rank to the front. */
static inline void
mtf_touch(struct codec *c, u32 rank)
{
    u64 at = c->order >> 4 * rank & 15;
    u64 before = ((u64)1 << 4 * rank) - 1;

    c->order = (c->order & ~(before << 4 | 15)) | (c->order & before) << 4 | at;
}

/*
 * Put this node at the front of the order, in the place of the node that was last in
 * it.
 */
static inline void
mtf_enter(struct codec *c, u32 node)
{
    u64 at = c->order >> 60;

    c->mtf[at] = node;
    c->order = c->order << 4 | at;
}

/*
 * Encode a node: its rank if a place has it; else ER_MTF plus the difference to the
 * last node, in zigzag form.
 */
static inline unsigned char *
put_node(struct codec *c, unsigned char *p, u32 node)
{
    u32 at, last = c->node;

    c->node = node;
    *p = 0; /* means the node of the last record, which is in front */
    if (node == last && c->mtf[c->order & 15] == node)
        return p + 1;
    at = c->order >> 4 & 15;
    if (c->mtf[at] == node) { /* two nodes alternate */
        c->order = (c->order & ~(u64)255) | (c->order & 15) << 4 | at;
        *p = 1;
        return p + 1;
    }
    at = mtf_find(c, node);
    if (ER_UNLIKELY(at >= ER_MTF)) {
        mtf_enter(c, node);
        return put_varint(p, zigzag((u64)node - last) + ER_MTF);
    }
    *p = (unsigned char)mtf_rank(c, at);
    mtf_touch(c, *p);
    return p + 1;
}

/* Encode a value that often repeats: 0 = it is the same as in the last record. */
static inline unsigned char *
put_rep(u64 *slot, unsigned char *p, u64 v)
{
    *p = 0;
    if (ER_LIKELY(*slot == v))
        return p + 1;
    *slot = v;
    return put_varint(p, v + 1);
}

/* Encode a string; one that is longer than ER_STR_MAX is cut. */
unsigned char *put_str(unsigned char *p, struct er_str str);

#define ER_PUT_TIME(record, field) p = put_head(c, p, KIND_##record, r->field)
#define ER_PUT_VARINT(record, field) p = put_varint(p, r->field)
#define ER_PUT_REP(record, field) \
    p = put_rep(&c->slot[SLOT_##record##_##field], p, r->field)
#define ER_PUT_DELTA(record, field)                                          \
    p = put_varint(p, zigzag(r->field - c->slot[SLOT_##record##_##field])); \
    c->slot[SLOT_##record##_##field] = r->field
#define ER_PUT_NODE(record, field) p = put_node(c, p, r->field)
#define ER_PUT_ADDR(record, field) p = put_addr(c, p, r->field)
#define ER_PUT_STR(record, field) p = put_str(p, r->field)
#define ER_PUT_BYTES(value, bytes)    \
    memcpy(p, &(u64){ value }, bytes); \
    p += (bytes)
#define ER_PUT_U16(record, field) ER_PUT_BYTES(r->field, 2)
#define ER_PUT_U32(record, field) ER_PUT_BYTES(r->field, 4)
#define ER_PUT_U48(record, field) ER_PUT_BYTES(r->field, 6)
#define ER_PUT_U64(record, field) ER_PUT_BYTES(r->field, 8)
#define ER_PUT_CHAR16(record, field) \
    memcpy(p, r->field.c, 16);       \
    p += 16

/*
 * rec_put_clock(c, p, r) etc. encode *r at p, and return the end. The time of a record
 * is in ticks >> time_shift. p must have room for ER_RECORD_MAX bytes, and for
 * ER_STR_MAX more if the record has a string. For rows of ROWS files, c is ignored.
 */
#define ER_RECORD(record, file, number, doc)                              \
    static inline unsigned char *rec_put_##record(                        \
        struct codec *c, unsigned char *p, const struct rec_##record *r) \
    {                                                                     \
        (void)c;
#define ER_FIELD(record, field, ctype, encoding, unit, doc) \
    ER_PUT_##encoding(record, field);
#define ER_END(record) \
    return p;          \
    }
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END

/*
 * Decoding. get_* take a cursor and the end of what may be read. If the bytes end too
 * early or are invalid, they return -EINVAL and do not move the cursor.
 */
int get_varint(const unsigned char **p, const unsigned char *end, u64 *v);
int get_head(struct codec *c, const unsigned char **p, const unsigned char *end,
             u32 *kind, u64 *time);
int get_node(struct codec *c, const unsigned char **p, const unsigned char *end,
             u32 *node);
int get_addr(struct codec *c, const unsigned char **p, const unsigned char *end,
             u64 *addr);
int get_str(const unsigned char **p, const unsigned char *end, struct er_str *str);

#endif
