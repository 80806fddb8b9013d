/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/lockname.h"

#include "share/record.h"

const char *
lockname(struct shell *sh, struct table *t, u32 experiment, u32 kind, u64 addr)
{
    struct arena *a = &t->arena;

    (void)sh;
    (void)experiment;
    if (kind == SYNC_FILE)
        return arena_printf(a, "descriptor %lld", (long long)addr);
    return arena_printf(a, "0x%llx", (unsigned long long)addr);
}
