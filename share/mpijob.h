/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hidden file in a founder's experiment that names the MPI job of its ranks; it is
 * how collect and er_cp know what belongs together. Any context.
 */
#ifndef ERTOOLS_SHARE_MPIJOB_H
#define ERTOOLS_SHARE_MPIJOB_H

#define MPIJOB_FILE ".mpi-job"

enum {
    MPIJOB_BYTES = 256, /* for a job's name: a line, and a final zero */
};

#endif
