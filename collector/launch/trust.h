/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Could other users replace the library that a target loads? Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_LAUNCH_TRUST_H
#define ERTOOLS_LAUNCH_TRUST_H

/*
 * 1 if every user could replace this file, as it or a directory above it is writable
 * for all; `path` is then cut to the first such directory or file. Otherwise 0, and the
 * content of path is undefined. path: absolute, without links.
 */
int trust_is_open(char *path);

#endif
