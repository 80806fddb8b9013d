/* SPDX-License-Identifier: Apache-2.0 */
#include "share/record.h"

#include <errno.h>

#define ER_RECORD(record, file, number, doc) \
    static const struct er_field_desc fields_##record[] = {
#define ER_FIELD(record, field, ctype, encoding, unit, doc) \
    { #field, unit, doc, ENC_##encoding },
#define ER_END(record) \
    }                  \
    ;
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END

const struct er_record_desc er_records[REC_COUNT] = {
#define ER_RECORD(record, file, number, doc)                                     \
    { #record, doc, fields_##record, ER_COUNT(fields_##record), (number), FILE_##file },
#define ER_FIELD(record, field, ctype, encoding, unit, doc)
#define ER_END(record)
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END
};

const struct er_file_desc er_files[FILE_COUNT] = {
#define ER_FILE(name, layout, chunk_max, time_shift, doc) \
    { #name, doc, LAYOUT_##layout, chunk_max, time_shift },
#include "share/files.def"
#undef ER_FILE
};

const struct er_trace_desc er_traces[TRACE_COUNT] = {
#define ER_TRACE(name, file, library, title, doc) \
    { #name, library, title, doc, FILE_##file },
#include "share/traces.def"
#undef ER_TRACE
};

const char *const er_encoding_names[ENC_COUNT] = {
    "time", "varint", "rep", "delta", "node", "addr",
    "str",  "u16",    "u32", "u48",   "u64",  "char16",
};

void
codec_start(struct codec *c, u64 time0, u64 addr0)
{
    memset(c, 0, sizeof(*c));
    c->time = time0;
    c->addr = addr0;
    c->order = 0xfedcba9876543210ull;
}

unsigned char *
put_str(unsigned char *p, struct er_str str)
{
    u32 len = str.len < ER_STR_MAX ? str.len : ER_STR_MAX;

    p = put_varint(p, len);
    memcpy(p, str.s, len);
    return p + len;
}

int
get_varint(const unsigned char **pp, const unsigned char *end, u64 *v)
{
    const unsigned char *p = *pp;
    u64 value = 0;

    for (u32 shift = 0; p < end && shift < 64; shift += 7) {
        unsigned char byte = *p++;

        value |= (u64)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *pp = p;
            *v = value;
            return 0;
        }
    }
    return -EINVAL;
}

int
get_head(struct codec *c, const unsigned char **pp, const unsigned char *end, u32 *kind,
         u64 *time)
{
    const unsigned char *p = *pp;
    unsigned char head;
    u64 step;

    if (p >= end)
        return -EINVAL;
    head = *p++;
    step = head >> 3;
    if (step == 31) {
        if (get_varint(&p, end, &step) < 0)
            return -EINVAL;
        step = unzigzag(step);
    }
    c->time += step;
    *kind = head & 7;
    *time = c->time;
    *pp = p;
    return 0;
}

int
get_node(struct codec *c, const unsigned char **pp, const unsigned char *end, u32 *node)
{
    u64 code;

    if (get_varint(pp, end, &code) < 0)
        return -EINVAL;
    if (code < ER_MTF) {
        mtf_touch(c, (u32)code);
        *node = c->mtf[c->order & 15];
    } else {
        *node = (u32)(c->node + unzigzag(code - ER_MTF));
        mtf_enter(c, *node);
    }
    c->node = *node;
    return 0;
}

int
get_addr(struct codec *c, const unsigned char **pp, const unsigned char *end, u64 *addr)
{
    u64 code;

    if (get_varint(pp, end, &code) < 0)
        return -EINVAL;
    if (code & 1)
        c->addr += unzigzag(code >> 1);
    else
        c->addr += unzigzag(code >> 1) << 4;
    *addr = c->addr;
    return 0;
}

int
get_str(const unsigned char **pp, const unsigned char *end, struct er_str *str)
{
    const unsigned char *p = *pp;
    u64 len;

    if (get_varint(&p, end, &len) < 0 || len > (u64)(end - p))
        return -EINVAL;
    str->s = (const char *)p;
    str->len = (u32)len;
    *pp = p + len;
    return 0;
}
