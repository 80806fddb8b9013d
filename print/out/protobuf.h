/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wire format of protocol buffers, as far as writing needs it: a message is bytes
 * in memory. Ordinary process context; one thread a buffer.
 */
#ifndef ERTOOLS_PRINT_OUT_PROTOBUF_H
#define ERTOOLS_PRINT_OUT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

/* All zero is empty. Once there is no memory, the rest is dropped and `failed` set. */
struct protobuf {
    unsigned char *data;
    size_t len;
    size_t room;
    bool failed;
};

void protobuf_free(struct protobuf *b);

/* A value without a field, for packed arrays. */
void protobuf_varint(struct protobuf *b, u64 value);

/* Bytes as they are, for formats that share only the numbers. */
void protobuf_raw(struct protobuf *b, const void *data, size_t len);

/* Fields. A number that is 0 is left out, as readers assume 0 for missing ones. */
void protobuf_number(struct protobuf *b, u32 field, u64 value);
void protobuf_bytes(struct protobuf *b, u32 field, const void *data, size_t len);

/* A message within another, or a packed array; `inner` is emptied. */
void protobuf_message(struct protobuf *b, u32 field, struct protobuf *inner);

#endif
