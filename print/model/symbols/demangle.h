/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ and Rust symbols for people. Any thread. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_DEMANGLE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_DEMANGLE_H

#include <stdbool.h>

/*
 * The name behind a linker's name, with or without its parameters. The caller's to
 * free; NULL when it is not mangled (or memory is out).
 */
char *demangle(const char *linkage, bool parameters);

#endif
