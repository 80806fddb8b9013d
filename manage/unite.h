/* SPDX-License-Identifier: Apache-2.0 */
/* Unites the archives of several experiments. Ordinary process context. */
#ifndef ERTOOLS_MANAGE_UNITE_H
#define ERTOOLS_MANAGE_UNITE_H

/*
 * Copy to the archives of the experiment `to` all files that only the archives of
 * `from` have, and append the index of sources; `from` and `to` are descriptors of the
 * experiments' directories. The index of objects in `to` is not changed. 0 or -errno.
 */
int unite_archives(int from, int to);

#endif
