/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that I/O tracing distinguishes, from share/iocalls.def. Any context. */
#ifndef ERTOOLS_SHARE_IOCALL_H
#define ERTOOLS_SHARE_IOCALL_H

#include "share/record.h"
#include "share/types.h"

/* IOCALL_read, ...: the field io.call. */
enum er_iocall {
#define ER_IOCALL(name, number, kind, doc) IOCALL_##name = (number),
#include "share/iocalls.def"
#undef ER_IOCALL
    IOCALL_END, /* one above the highest */
};

/* IOKIND_read, ...: the kind of each call, which is the field io.kind. */
enum {
#define ER_IOCALL(name, number, kind, doc) IOKIND_##name = IO_##kind,
#include "share/iocalls.def"
#undef ER_IOCALL
};

/* The call's name, or NULL for a number that no row has. */
const char *iocall_name(u32 number);

#endif
