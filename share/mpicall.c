/* SPDX-License-Identifier: Apache-2.0 */
#include "share/mpicall.h"

#include <strings.h>

#define PREFIX "MPI_"

static const struct er_mpicall_desc rows[MPICALL_END] = {
#define ER_MPICALL(name, number, kind, mode, doc) \
    [number] = { PREFIX #name, doc, MPI_KIND_##kind, MPI_MODE_##mode },
#include "share/mpicalls.def"
#undef ER_MPICALL
};

const struct er_mpicall_desc *
mpicall_desc(u32 number)
{
    return number < MPICALL_END && rows[number].name ? &rows[number] : NULL;
}

const char *
mpicall_name(u32 number)
{
    const struct er_mpicall_desc *row = mpicall_desc(number);

    return row ? row->name : NULL;
}

u32
mpicall_number(const char *name)
{
    if (!strncasecmp(name, PREFIX, sizeof(PREFIX) - 1))
        name += sizeof(PREFIX) - 1;
    for (u32 i = 0; i < MPICALL_END; i++)
        if (rows[i].name && !strcasecmp(rows[i].name + sizeof(PREFIX) - 1, name))
            return i;
    return 0;
}
