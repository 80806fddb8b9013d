/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of Java's bytecode, by the JVM specification. Any context, including
 * signal handlers.
 */
#ifndef ERTOOLS_SHARE_BYTECODE_H
#define ERTOOLS_SHARE_BYTECODE_H

#include "share/types.h"

/* Opcodes to which other files refer. */
enum {
    BYTECODE_LDC = 18,
    BYTECODE_LDC_W = 19,
    BYTECODE_ILOAD = 21,
    BYTECODE_ALOAD_0 = 42,
    BYTECODE_IINC = 132,
    BYTECODE_TABLESWITCH = 170,
    BYTECODE_LOOKUPSWITCH = 171,
    BYTECODE_RETURN = 177,
    BYTECODE_GETFIELD = 180,
    BYTECODE_PUTFIELD = 181,
    BYTECODE_INVOKEVIRTUAL = 182,
    BYTECODE_COUNT = 202, /* the specification has no opcodes from here on */
};

/* What follows an opcode. Numbers are big-endian; indexes are of the constant pool. */
enum bytecode_operands {
    BYTECODE_NONE = '.',
    BYTECODE_BYTE = 'b',  /* a signed byte */
    BYTECODE_SHORT = 's', /* a signed 16-bit number */
    BYTECODE_LOCAL = 'l', /* the number of a local variable: 8 bits; after `wide`, 16 */
    BYTECODE_INCREMENT = 'i', /* as LOCAL, then a signed number of the same size */
    BYTECODE_JUMP = 'j',      /* a signed 16-bit distance from the opcode */
    BYTECODE_LONG_JUMP = 'w', /* a signed 32-bit distance from the opcode */
    BYTECODE_CONSTANT = 'c',  /* an index of 8 bits */
    BYTECODE_LONG_CONSTANT = 'C', /* an index of 16 bits, as up to DIMENSIONS */
    BYTECODE_CLASS = 'k',
    BYTECODE_FIELD = 'F',
    BYTECODE_METHOD = 'M',
    BYTECODE_INTERFACE = 'I', /* with a count and a byte 0 after it */
    BYTECODE_DYNAMIC = 'Y',   /* with two bytes 0 after it */
    BYTECODE_DIMENSIONS = 'm', /* with a count of dimensions after it */
    BYTECODE_TYPE = 'a',       /* 8 bits: a primitive type */
    BYTECODE_TABLE = 't',      /* tableswitch */
    BYTECODE_LOOKUP = 'T',     /* lookupswitch */
    BYTECODE_WIDE = 'x',       /* `wide`: another opcode, with larger operands */
};

struct bytecode {
    char name[16];
    char operands; /* enum bytecode_operands */
};

extern const struct bytecode bytecodes[BYTECODE_COUNT];

/*
 * The length of the instruction at index `at` of a method's code of `size` bytes. 0 =
 * there is none: the opcode is not of the specification, or the code ends within it.
 */
u32 bytecode_length(const unsigned char *code, u32 at, u32 size);

/*
 * The index of the constant pool that the instruction at `at` uses; 0 = it uses none.
 * The instruction must have a length.
 */
u32 bytecode_constant(const unsigned char *code, u32 at);

/* The big-endian number at p. */
static inline u32
bytecode_u16(const unsigned char *p)
{
    return (u32)p[0] << 8 | p[1];
}

static inline u32
bytecode_u32(const unsigned char *p)
{
    return bytecode_u16(p) << 16 | bytecode_u16(p + 2);
}

#endif
