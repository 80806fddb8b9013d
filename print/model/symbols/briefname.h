/* SPDX-License-Identifier: Apache-2.0 */
/* Long names of C++ and Rust, shortened for tables and stacks. Any thread. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_BRIEFNAME_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_BRIEFNAME_H

#include <stdio.h>

#include "share/types.h"

/*
 * Shorten a demangled name without parameters: template arguments become "<..>", inline
 * and anonymous namespaces are left out. line: where the function is declared, 0 = not
 * known. A lambda's own function becomes "f::{lambda:7}::operator()", with its line,
 * whichever compiler made it and whether or not it was inlined. Other mentions of a
 * lambda, and lambdas whose line is not known, become "{lambda#2}" or "{lambda}". The
 * caller frees the result; NULL = no memory.
 */
char *briefname(const char *name, u32 line);

#endif
