/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/lockname.h"

#include <stdio.h>
#include <stdlib.h>

#include "print/model/symbols/variable.h"
#include "print/model/sync/locks.h"
#include "share/named.h"
#include "share/record.h"

/* Name a Java object by its class and number. Returns like asprintf(). */
static int
monitor_name(struct session *session, u32 experiment, u64 id, char **text)
{
    struct experiment *e = session->experiment[experiment];
    const char *name;

    if (experiment_names(e) < 0)
        return -1;
    name = names_find(&e->names, NAMED_OBJECT, id);
    return asprintf(text, "%s", name ? name : "<Unknown>");
}

char *
lockname_get(struct session *session, u32 experiment, u32 kind, u64 addr)
{
    struct variable variable = { 0 };
    char *text = NULL;
    int n;

    if (lock_thread(session, experiment, kind, addr))
        n = asprintf(&text, "thread %llu", (unsigned long long)addr);
    else if (kind == SYNC_MONITOR || kind == SYNC_NOTIFY)
        n = monitor_name(session, experiment, addr, &text);
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
