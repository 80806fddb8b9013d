/* SPDX-License-Identifier: Apache-2.0 */
/* The names of MPI's communicators and functions. Any context. */
#ifndef ERTOOLS_PRINT_CMD_MPINAME_H
#define ERTOOLS_PRINT_CMD_MPINAME_H

#include "print/model/session.h"

enum {
    MPINAME_MAX = 96, /* bytes of a name; longer ones are cut */
};

/* These write the name into buf, and return buf. */
const char *mpiname_comm(const struct session *session, u64 number,
                         char buf[MPINAME_MAX]);
const char *mpiname_call(u64 call, char buf[MPINAME_MAX]);

#endif
