/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/protobuf.h"

#include <stdlib.h>
#include <string.h>

enum wire {
    WIRE_VARINT = 0,
    WIRE_BYTES = 2,
};

enum {
    ROOM_FIRST = 256,
    VARINT_MAX = 10,
};

static bool
make_room(struct protobuf *b, size_t more)
{
    size_t room = b->room ? b->room : ROOM_FIRST;
    unsigned char *data;

    if (b->failed || b->room - b->len >= more)
        return !b->failed;
    while (room - b->len < more)
        room *= 2;
    data = realloc(b->data, room);
    if (!data) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->room = room;
    return true;
}

void
protobuf_free(struct protobuf *b)
{
    free(b->data);
    memset(b, 0, sizeof(*b));
}

void
protobuf_varint(struct protobuf *b, u64 value)
{
    if (!make_room(b, VARINT_MAX))
        return;
    for (; value >= 0x80; value >>= 7)
        b->data[b->len++] = (unsigned char)(value | 0x80);
    b->data[b->len++] = (unsigned char)value;
}

void
protobuf_raw(struct protobuf *b, const void *data, size_t len)
{
    if (!len || !make_room(b, len))
        return;
    memcpy(b->data + b->len, data, len);
    b->len += len;
}

void
protobuf_number(struct protobuf *b, u32 field, u64 value)
{
    if (!value)
        return;
    protobuf_varint(b, (u64)field << 3 | WIRE_VARINT);
    protobuf_varint(b, value);
}

void
protobuf_bytes(struct protobuf *b, u32 field, const void *data, size_t len)
{
    protobuf_varint(b, (u64)field << 3 | WIRE_BYTES);
    protobuf_varint(b, len);
    protobuf_raw(b, data, len);
}

void
protobuf_message(struct protobuf *b, u32 field, struct protobuf *inner)
{
    b->failed |= inner->failed;
    protobuf_bytes(b, field, inner->data, inner->len);
    inner->len = 0;
}
