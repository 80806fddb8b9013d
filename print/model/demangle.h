/* SPDX-License-Identifier: Apache-2.0 */
/* Demangles names of C++, Rust and Fortran symbols. Any thread. */
#ifndef ERTOOLS_PRINT_MODEL_DEMANGLE_H
#define ERTOOLS_PRINT_MODEL_DEMANGLE_H

#include <stdbool.h>

/*
 * Demangle a symbol's name, with or without its parameters. The caller frees the
 * result; NULL if the name is not mangled, or there is no memory.
 */
char *demangle(const char *linkage, bool parameters);

#endif
