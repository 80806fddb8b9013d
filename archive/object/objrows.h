/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of an object file (.ero): a header, then tables of fixed-size rows, each
 * table on a 16-byte boundary. Little-endian throughout. Only for the writer and the
 * reader; all other code uses archive/object/objfile.h.
 */
#ifndef ERTOOLS_ARCHIVE_OBJECT_OBJROWS_H
#define ERTOOLS_ARCHIVE_OBJECT_OBJROWS_H

#include "share/types.h"

#define OBJ_MAGIC "ERTOBJ\r\n"
#define OBJ_ALIGN 16

/* Row types: struct obj_sym, struct obj_func, … */
#define OBJ_TABLE(row, number, doc) struct obj_##row {
#define OBJ_FIELD(row, field, ctype, doc) ctype field;
#define OBJ_END(row) };
#include "archive/object/objrows.def"
#undef OBJ_TABLE
#undef OBJ_FIELD
#undef OBJ_END

/* Table numbers: OBJ_sym, OBJ_func, … */
enum obj_table_number {
    OBJ_strings = 0, /* the string pool: bytes, first and last one zero */
#define OBJ_TABLE(row, number, doc) OBJ_##row = number,
#define OBJ_FIELD(row, field, ctype, doc)
#define OBJ_END(row)
#include "archive/object/objrows.def"
#undef OBJ_TABLE
#undef OBJ_FIELD
#undef OBJ_END
    OBJ_bytes = 10, /* the bytes of executable sections */
    OBJ_TABLES = 13,
    OBJ_TABLES_MIN = 11, /* tables of files from before variables were added */
};

struct obj_table {
    u64 offset; /* bytes from the start of the file */
    u32 count;  /* rows */
    u32 row;    /* bytes of one row */
};

struct obj_header {
    char magic[8];
    u32 version; /* OBJFILE_VERSION */
    u32 tables;  /* OBJ_TABLES_MIN to OBJ_TABLES */
    u64 file_size;
    u64 base;       /* vaddr; all row addresses are relative to it */
    u32 machine;    /* EM_* of the object */
    u32 bits;       /* 32 or 64 */
    u32 big_endian; /* 1: the object is big-endian */
    u32 flags;      /* OBJFILE_HAS_* */
    u32 path;       /* string: the object's path */
    u32 buildid;    /* string: hex digits */
    struct obj_table table[OBJ_TABLES];
};

/* Packed fields. */
#define OBJ_LOW24 0xffffffu
#define OBJ_IS_STMT 0x1000000u    /* obj_line.file */
#define OBJ_DISCRIMINATOR 25       /* obj_line.file, obj_node.file: from this bit on */
#define OBJ_INLINED 0x80000000u   /* obj_func.line */
#define OBJ_SYM_NESTED 0x8000u    /* obj_sym.flags: begins within an earlier one */
#define OBJ_SYM_ORIGIN(flags) ((flags) & 15u)
#define OBJ_SYM_BINDING(flags) ((flags) >> 4 & 15u)

/*
 * LLVM packs three numbers into a discriminator. Only the first one, the base
 * discriminator, is kept, from bit OBJ_DISCRIMINATOR of obj_line.file and obj_node.file
 * on. Packed: bit 0 is set if the base is 0. Else the base's low 5 bits follow, and a
 * bit that says whether 7 higher bits follow. A base of 128 or more becomes 0.
 */
static inline u32
obj_discriminator(u64 packed)
{
    u64 base = packed >> 1;

    if (packed & 1)
        return 0;
    base = base & 0x20 ? (base >> 1 & 0xfe0) | (base & 0x1f) : base & 0x1f;
    return base < 128 ? (u32)base << OBJ_DISCRIMINATOR : 0;
}

#endif
