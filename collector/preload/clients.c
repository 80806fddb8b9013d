/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/clients.h"

enum { CLIENTS = 8 };

struct clients_calls clients_calls;

static struct {
    const void *module;
    void (*started)(void);
} clients[CLIENTS];

static u32 nclients;

void
clients_add(const void *module, void (*started)(void))
{
    for (u32 i = 0; i < nclients; i++)
        if (clients[i].module == module)
            return;
    if (nclients == CLIENTS)
        return;
    clients[nclients].module = module;
    clients[nclients].started = started;
    nclients++;
}

void
clients_start(void)
{
    for (u32 i = 0; i < nclients; i++)
        if (clients[i].started)
            clients[i].started();
}

u32
clients_count(void)
{
    return nclients;
}

int
clients_in(u64 lo, u64 hi)
{
    for (u32 i = 0; i < nclients; i++)
        if ((u64)(uintptr_t)clients[i].module - lo < hi - lo)
            return 1;
    return 0;
}
