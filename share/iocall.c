/* SPDX-License-Identifier: Apache-2.0 */
#include "share/iocall.h"

static const char *const names[IOCALL_END] = {
#define ER_IOCALL(name, number, kind, doc) [number] = #name,
#include "share/iocalls.def"
#undef ER_IOCALL
};

const char *
iocall_name(u32 number)
{
    return number < IOCALL_END ? names[number] : NULL;
}
