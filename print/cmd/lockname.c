/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/lockname.h"

#include <stdlib.h>

#include "print/model/symbols/variable.h"
#include "share/record.h"

const char *
lockname(struct shell *sh, struct table *t, u32 experiment, u32 kind, u64 addr)
{
    struct arena *a = &t->arena;
    struct variable variable;
    const char *text;

    if (kind == SYNC_FILE)
        return arena_printf(a, "descriptor %lld", (long long)addr);
    if (kind == SYNC_JOIN || variable_at(sh->session, experiment, addr, &variable) < 0)
        return arena_printf(a, "0x%llx", (unsigned long long)addr);
    text = variable.offset ? arena_printf(a, "%s+0x%llx", variable.name,
                                          (unsigned long long)variable.offset)
                           : arena_strdup(a, variable.name);
    free(variable.name);
    return text;
}
