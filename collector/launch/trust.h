/* SPDX-License-Identifier: Apache-2.0 */
/* Who decides what a target loads. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_TRUST_H
#define ERTOOLS_LAUNCH_TRUST_H

/*
 * Can anybody at all put something else in the place of this file, since it or a
 * directory above it may be written by all? The first such is what is left of `path`,
 * an absolute path without links, which is cut: 1. Otherwise 0; path is lost.
 */
int trust_is_open(char *path);

#endif
