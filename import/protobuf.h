/* SPDX-License-Identifier: Apache-2.0 */
/* Reads protocol buffers that may be malformed. Any context. */
#ifndef ERTOOLS_IMPORT_PROTOBUF_H
#define ERTOOLS_IMPORT_PROTOBUF_H

#include "archive/object/cursor.h"

struct protobuf_field {
    u64 number;
    u64 value;          /* of an integer; else 0 */
    struct bytes bytes; /* a message, a text or packed numbers; at = NULL: none */
};

static inline u64
protobuf_varint(struct cursor *c)
{
    u64 value = 0;

    for (u32 shift = 0; shift < 70; shift += 7) {
        u32 byte = cursor_u8(c);

        if (shift < 64)
            value |= (u64)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    c->bad = true;
    return 0;
}

/*
 * Gets the next field of a message. False at the end; also if the field is malformed or
 * has the number 0, which none may have, and then c->bad is set.
 */
static inline bool
protobuf_next(struct cursor *c, struct protobuf_field *f)
{
    u64 key, size;

    *f = (struct protobuf_field){ 0 };
    if (c->bad || !cursor_left(c))
        return false;
    key = protobuf_varint(c);
    f->number = key >> 3;
    switch (key & 7) {
    case 0:
        f->value = protobuf_varint(c);
        break;
    case 1:
        f->value = cursor_u64(c);
        break;
    case 2:
        size = protobuf_varint(c);
        f->bytes = (struct bytes){ c->at, size };
        cursor_skip(c, size);
        break;
    case 5:
        f->value = cursor_u32(c);
        break;
    default:
        c->bad = true;
    }
    c->bad |= !f->number;
    return !c->bad;
}

#endif
