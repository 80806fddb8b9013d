/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/lockname.h"

#include <stdio.h>
#include <stdlib.h>

#include "print/model/symbols/variable.h"
#include "print/model/sync/locks.h"
#include "share/record.h"

char *
lockname_get(struct session *session, u32 experiment, u32 kind, u64 addr)
{
    struct variable variable = { 0 };
    char *text = NULL;
    int n;

    if (lock_thread(session, experiment, kind, addr))
        n = asprintf(&text, "thread %llu", (unsigned long long)addr);
    else if (kind == SYNC_FILE)
        n = asprintf(&text, "descriptor %lld", (long long)addr);
    else if (kind == SYNC_JOIN || variable_at(session, experiment, addr, &variable) < 0)
        n = asprintf(&text, "0x%llx", (unsigned long long)addr);
    else if (variable.offset)
        n = asprintf(&text, "%s+0x%llx", variable.name,
                     (unsigned long long)variable.offset);
    else
        return variable.name;
    free(variable.name);
    return n < 0 ? NULL : text;
}
