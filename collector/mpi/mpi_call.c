/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_call.h"

static u32 threaded; /* 1 = several threads may be in MPI at once */
static u32 lock;

int
mpi_call_is_threaded(void)
{
    return (int)__atomic_load_n(&threaded, __ATOMIC_RELAXED);
}

void
mpi_call_set_threaded(int on)
{
    __atomic_store_n(&threaded, on != 0, __ATOMIC_RELAXED);
}

void
mpi_call_lock(struct mpi_call *c)
{
    c->locked = __atomic_load_n(&threaded, __ATOMIC_RELAXED);
    while (c->locked && __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
}

void
mpi_call_unlock(struct mpi_call *c)
{
    if (c->locked)
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

void
mpi_call_break_lock(void)
{
    lock = 0;
}
