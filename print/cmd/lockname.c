/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/lockname.h"

#include <stdlib.h>

#include "print/model/sync/lockname.h"

const char *
lockname(struct shell *sh, struct table *t, u32 experiment, u32 kind, u64 addr)
{
    char *name = lockname_get(sh->session, experiment, kind, addr);
    const char *text = arena_strdup(&t->arena, name ? name : "");

    free(name);
    return text;
}
