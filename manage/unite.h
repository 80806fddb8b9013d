/* SPDX-License-Identifier: Apache-2.0 */
/* Archives of several experiments in one. Ordinary process context. */
#ifndef ERTOOLS_MANAGE_UNITE_H
#define ERTOOLS_MANAGE_UNITE_H

/*
 * Give the experiment `to` what the archives of the experiment `from` have and its own
 * do not; both are directories. The index of objects stays the one of `to`. 0 or
 * -errno.
 */
int unite_archives(int from, int to);

#endif
