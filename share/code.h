/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreted code, as stack nodes with NODE_CODE and the record `code` describe it.
 * Any context.
 */
#ifndef ERTOOLS_SHARE_CODE_H
#define ERTOOLS_SHARE_CODE_H

#include "share/types.h"

/*
 * A place in interpreted code: the number of a record `code` (0 = it could not be
 * written), and the index of an instruction, in units that depend on the kind of code.
 */
#define CODE_INDEX_BITS 24

static inline u64
code_place(u32 code, u32 index)
{
    return (u64)code << CODE_INDEX_BITS | index;
}

/* Kinds of interpreted code (code.kind). */
enum er_code_kind {
    CODE_PYTHON = 1, /* indexes count code units of two bytes */
};

/* How the table of a code's lines is encoded (code.table). */
enum er_code_table {
    CODE_NO_LINES,
    CODE_LNOTAB,    /* Python to 3.9: co_lnotab */
    CODE_LINETABLE, /* Python 3.10: co_linetable */
    CODE_LOCATIONS, /* Python from 3.11 on: co_linetable, with columns */
};

#endif
