/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the wire format of protocol buffers: a message is bytes in memory. Ordinary
 * process context; one thread for each buffer.
 */
#ifndef ERTOOLS_PRINT_OUT_PROTOBUF_H
#define ERTOOLS_PRINT_OUT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

/*
 * A message; all zero is empty. When memory runs out, `failed` is set and later fields
 * are dropped.
 */
struct protobuf {
    unsigned char *data;
    size_t len;
    size_t room;
    bool failed;
};

void protobuf_free(struct protobuf *b);

/* Append an integer without a field number, as in packed arrays. */
void protobuf_varint(struct protobuf *b, u64 value);

/*
 * Append bytes as they are: for other formats, which share only the encoding of
 * integers (varint) with protocol buffers.
 */
void protobuf_raw(struct protobuf *b, const void *data, size_t len);

/*
 * Append a field. protobuf_number() leaves out a value of 0, since readers take a
 * missing value for 0.
 */
void protobuf_number(struct protobuf *b, u32 field, u64 value);
void protobuf_bytes(struct protobuf *b, u32 field, const void *data, size_t len);

/* Append a message within another one, or a packed array; `inner` becomes empty. */
void protobuf_message(struct protobuf *b, u32 field, struct protobuf *inner);

#endif
