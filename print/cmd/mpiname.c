/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mpiname.h"

#include <stdio.h>

#include "print/model/lookup/comms.h"
#include "share/mpicall.h"

static const char *const kinds[] = {
    [COMM_INTRA] = "Communicator",
    [COMM_INTER] = "Intercommunicator",
    [COMM_WINDOW] = "Window",
    [COMM_FILE] = "File",
};

const char *
mpiname_comm(const struct session *session, u64 number, char buf[MPINAME_MAX])
{
    const struct comm *comm = comms_get(session, number);
    u32 kind = comm && comm->kind < ER_COUNT(kinds) && kinds[comm->kind] ? comm->kind
                                                                         : COMM_INTRA;

    if (comm && comm->name.len)
        snprintf(buf, MPINAME_MAX, "%.*s", (int)comm->name.len, comm->name.s);
    else
        snprintf(buf, MPINAME_MAX, "%s %llu", kinds[kind], (unsigned long long)number);
    return buf;
}

const char *
mpiname_call(u64 call, char buf[MPINAME_MAX])
{
    const char *name = call < MPICALL_END ? mpicall_name((u32)call) : NULL;

    snprintf(buf, MPINAME_MAX, "%s", name ? name : "");
    if (!name)
        snprintf(buf, MPINAME_MAX, "<function %llu>", (unsigned long long)call);
    return buf;
}
